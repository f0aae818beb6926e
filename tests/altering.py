"""Altering what evidence rests on, to see it fail."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from dtmodel.base.errors import DtmodelError
from dtmodel.companion.running import REPLAYERS
from dtmodel.ledger import Counterexample, Outcome
from dtmodel.ledger.replay import replay_witness
from proofs.dynaq.paths import BeyondError
from proofs.losspass import arrivals
from validation.losspass import histories

Alteration = tuple[Callable[[], Outcome], str | tuple[Any, str], Any]
"""A piece of evidence, a name in its paper's evidence (or an object and its attribute), and what takes its place."""


def alter(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, instead: object) -> None:
    """Replace a name of an object, or, for a paper, in all modules of its evidence that have it."""
    if not isinstance(owner, str):
        monkeypatch.setattr(owner, name, instead)
        return
    folders = (f"proofs.{owner}.", f"validation.{owner}.")
    having = [module for path, module in sys.modules.items() if path.startswith(folders) and hasattr(module, name)]
    assert having, f"nothing of {owner} is called {name}"
    for module in having:
        monkeypatch.setattr(module, name, instead)


def fails(evidence: Callable[[], Outcome]) -> bool:
    """Run a piece of evidence; it fails if it raises, or if its witness does not replay."""
    modules = (arrivals, histories)
    caches = [each for module in modules for each in vars(module).values() if hasattr(each, "cache_clear")]
    for cache in caches:
        cache.cache_clear()
    try:
        outcome = evidence()
    except (AssertionError, AttributeError, BeyondError, DtmodelError, IndexError, ValueError, ZeroDivisionError):
        return True
    finally:
        for cache in caches:
            cache.cache_clear()
    return isinstance(outcome, Counterexample) and bool(replay_witness(outcome.witness, REPLAYERS).fault)


def fails_altered(monkeypatch: pytest.MonkeyPatch, alteration: Alteration) -> bool:
    """Tell whether a piece of evidence fails with something else in the place of what it rests on."""
    evidence, what, instead = alteration
    owner, name = what if isinstance(what, tuple) else (evidence.__module__.split(".")[1], what)
    alter(monkeypatch, owner, name, instead)
    return fails(evidence)
