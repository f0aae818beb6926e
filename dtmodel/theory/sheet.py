"""Parameter sheets: values with meaning, formula, source and assumption; checks; warnings (`dtmodel params`)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from html import escape
from typing import Any, Literal, get_args

from dtmodel.base import units
from dtmodel.base.mathtext import array_of, block_of, html_of, latex_of, latex_words, text_of, with_numbers
from dtmodel.base.tables import Cells

__all__ = ["Check", "Explanation", "Sheet", "SheetRow"]

Unit = Literal["bytes", "seconds", "bytes/s", "packets", ""]
RowGroup = Literal["settings", "guarantees", "inverse questions", ""]
CheckVerdict = Literal["PASS", "WARN", "FAIL"]
_SHOWN = {"bytes": units.show_bytes, "seconds": units.show_seconds, "bytes/s": units.show_rate}


@dataclass(frozen=True)
class SheetRow:
    """One value of a parameter sheet; equality ignores its group and its explanations.

    `name` is the key in JSON answers, for example ``"cn2"``; `symbol` and `formula` are the two sides of its equation
    in LaTeX, `worked` the formula with numbers, all without dollar signs. `value` is exact, in the base `unit`; None
    where no finite value exists, for a reason in a warning or in the `assumption`, the condition under which the value
    holds (empty if it always does). `source` is the document and equation, or "own theorem" with the claim's id, and
    `claim` the claim of the ledger on which the value rests, if any. `group` is the kind of row, and `meaning` one
    sentence. `worst` has the M and N at which the value is reached, of all that it covers.

    >>> SheetRow("cn2", "c_{n2}", Fraction(12_000), "bytes", "...", "DT/EDT paper, (73)").unit
    'bytes'
    """

    name: str
    symbol: str
    value: Fraction | int | bool | str | None
    unit: Unit
    formula: str
    source: str
    assumption: str = ""
    group: RowGroup = field(default="", compare=False)
    meaning: str = field(default="", compare=False)
    claim: str = field(default="", compare=False)
    worked: str = field(default="", compare=False)
    worst: tuple[int, int] | None = field(default=None, compare=False)

    @property
    def shown(self) -> str:
        """The value as a person reads it, with its unit."""
        value = self.value
        if value is None:
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            return text_of(value)
        if self.unit in _SHOWN:
            return _SHOWN[self.unit](Fraction(value))
        return f"{units.show_number(value)} {self.unit}".strip()

    @property
    def equation(self) -> str:
        """The symbol, its formula, and the formula with the numbers put in, as LaTeX."""
        return " ".join(self.lines())

    def lines(self) -> list[str]:
        """Return the equation in lines: the symbol with its formula, then the formula with the numbers put in."""
        first, *rest = dict.fromkeys(part for part in (self.symbol, self.formula, self.worked) if part) or ("",)
        return [" = ".join([first, *rest[:1]]), *(f"= {part}" for part in rest[1:])]


@dataclass(frozen=True)
class Check:
    """The result of one check of a configuration.

    `name` is the property that was checked, and `verdict` the result; `sentence` gives the reason, `numbers` the values
    behind it, and `claim` the claim that the check applies.

    >>> Check("pool", "PASS", "the reserves fit").verdict
    'PASS'
    """

    name: str
    verdict: CheckVerdict
    sentence: str
    numbers: str = ""
    claim: str = ""


@dataclass(frozen=True)
class Sheet:
    """A parameter sheet: its `title`, `parameters` in reading order, `warnings` of one sentence each, and `checks`.

    `more`: further keys of its JSON answer.

    >>> rows = (SheetRow("cn2", "c_{n2}", Fraction(12_000), "bytes", "...", "DT/EDT paper, (73)"),)
    >>> str(Sheet("EDT", rows)["cn2"])
    '12000'
    """

    title: str
    parameters: tuple[SheetRow, ...]
    warnings: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict, compare=False)

    def __getitem__(self, name: str) -> Fraction | int | bool | str | None:
        """Return the value of the parameter called `name`."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter.value
        raise KeyError(name)

    def _repr_html_(self) -> str:
        told = "".join(f"<li>{html_of(note)}</li>" for note in self._notes())
        head = "<tr><td></td><th>value</th><th>meaning, formula and source</th></tr>"
        rows = "".join(map(self._html_group, self.groups()))
        table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
        return block_of(f"<p><strong>{html_of(self.title)}</strong></p>", table, told and f"<ul>{told}</ul>")

    def _html_group(self, group: str) -> str:
        rows = "".join(_html_row(item) for item in self.parameters if item.group == group)
        return f'<tr><th colspan="3">{group}</th></tr>{rows}' if group else rows

    def groups(self) -> list[str]:
        """Return the groups that have rows, in reading order.

        >>> Sheet("EDT", (SheetRow("cn2", "c_{n2}", 1, "bytes", "", "", group="settings"),)).groups()
        ['settings']
        """
        there = {item.group for item in self.parameters}
        return [group for group in get_args(RowGroup) if group in there]

    def _repr_latex_(self) -> str:
        rows = [
            rf"\text{{{latex_words(item.name)}}} & \text{{{latex_words(item.shown)}}} & {item.equation}"
            for item in self.parameters
        ]
        inner = "\\begin{array}{lll}\n" + " \\\\\n".join(rows) + "\n\\end{array}"
        title = rf"\textbf{{{latex_words(self.title)}}}"
        return f"$${array_of([title, inner, *map(latex_of, self._notes())])}$$"

    def __repr__(self) -> str:
        rows = (
            (item.name, item.shown, *map(text_of, (item.meaning, item.equation and f"${item.equation}$", item.source)))
            for item in self.parameters
        )
        table = Cells(text_of(self.title), ("", "value", "meaning", "formula", "source"), tuple(rows))
        return "\n".join([table.markdown(), "", *(f"- {text_of(note)}" for note in self._notes())])

    def _notes(self) -> list[str]:
        """Return the notes below the table, in words and mathematics."""
        assumed = dict.fromkeys(item.assumption for item in self.parameters if item.assumption)
        told = [f"if: {note}" for note in assumed] + [f"warning: {warning}" for warning in self.warnings]
        return told + [f"{check.verdict} {check.name}: {check.sentence}" for check in self.checks]


def _html_row(item: SheetRow) -> str:
    formula = "<br/>".join(html_of(f"${line}$", display=True) for line in item.lines() if line)
    parts = {"meaning": html_of(item.meaning), "formula": formula, "source": html_of(item.source)}
    said = "".join(f'<div class="dtmodel-{name}">{part}</div>' for name, part in parts.items() if part)
    return f"<tr><td><code>{escape(item.name)}</code></td><td>{escape(item.shown)}</td><td>{said}</td></tr>"


Explanation = tuple[RowGroup, str, str]
"""The group of a row, its meaning, and its claim."""


def explained(
    rows: Iterable[SheetRow],
    explanations: Mapping[str, Explanation],
    numbers: Mapping[str, str],
    *,
    own: Mapping[str, tuple[str, Mapping[str, str]]] | None = None,
    worst: Mapping[str, tuple[int, int]] | None = None,
) -> tuple[SheetRow, ...]:
    r"""Add to each row its meaning, and its formula with the numbers put in.

    `rows` are named as in `explanations`, after any dot and with i for an index: ``pool.satisfaction_2`` is explained
    as ``satisfaction_i``. `explanations` has the group, the meaning and the claim of each row, and `numbers` the values
    of the symbols that all formulas share; see `dtmodel.base.mathtext.with_numbers`. `own` has another formula for a
    row, with values of its own beside the common ones, and `worst` the M and N at which a row is reached.

    >>> row = SheetRow("t_2", "t", Fraction(1), "seconds", r"\frac{B}{C}", "")
    >>> (made,) = explained([row], {"t_i": ("settings", "How long.", "")}, {"B": "3 B", "C": "1 B/s"})
    >>> made.meaning, made.worked
    ('How long.', '\\frac{\\text{3 B}}{\\text{1 B/s}}')
    """
    made = []
    for row in rows:
        key = row.name.rpartition(".")[2]
        key = key if key in explanations else _indexed(key)
        group, meaning, claim = explanations[key]
        formula, more = (own or {}).get(key, (row.formula or row.symbol, {}))
        put = with_numbers(formula, {**numbers, **more})
        made.append(
            replace(
                row,
                group=group,
                meaning=meaning,
                claim=claim,
                worked="" if put == formula else put,
                worst=(worst or {}).get(key),
            )
        )
    return tuple(made)


def _indexed(name: str) -> str:
    """Write ``_i`` for the number at the end of a name."""
    stem, _, number = name.rpartition("_")
    return f"{stem}_i" if number.isdigit() else name
