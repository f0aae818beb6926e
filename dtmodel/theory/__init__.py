"""The papers' statements in SymPy, with exact numeric evaluation; one folder a system."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dtmodel.theorems.statement import Statement

_HOMES = ("dt.statements", "edt.statements", "edt.varying_statements", "losspass.statements", "dynaq.statements",
          "l2bm.statements")  # fmt: skip


def statements(paper: str = "") -> tuple[Statement, ...]:
    """Return every statement: as printed, as corrected, and ours.

    `paper`: only those whose claim is of this paper. Raises `InputError` if no statement has a claim of this paper.

    >>> [statement.id for statement in statements("edt")][:2]
    ['edt.thm1', 'edt.ours.theorem1']
    """
    from importlib import import_module

    from dtmodel.base.errors import InputError, one_of
    from dtmodel.theorems.statement import Statement

    modules = [import_module(f"{__name__}.{home}") for home in _HOMES]
    found = {id(value): value for module in modules for value in vars(module).values() if isinstance(value, Statement)}
    papers = dict.fromkeys(statement.paper for statement in found.values())
    if paper and paper not in papers:
        raise InputError("paper", paper, one_of(papers, paper))
    return tuple(statement for statement in found.values() if paper in ("", statement.paper))
