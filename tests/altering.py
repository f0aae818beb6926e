"""Altering what evidence rests on, to see it fail."""

from __future__ import annotations

import sys
from typing import Any

import pytest


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
