"""The class of all theorems: statements of papers and theorems that `dtmodel.derive` found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from dtmodel.base.errors import InputError


class Case(ABC):
    """A case of a theorem, of a statement or derived, in SymPy.

    >>> from dtmodel.theory import dt
    >>> [isinstance(case, Case) for case in dt.theorem1.cases]
    [True, True]
    """

    @property
    @abstractmethod
    def condition(self) -> Any:
        """The condition: a relation, or words."""

    @property
    @abstractmethod
    def conclusions(self) -> tuple[Any, ...]:
        """The relations that hold in the case."""


class Theorem(ABC):
    """A theorem or definition: printed in a paper, corrected, one of this package, or derived.

    All kinds have the methods of the table in the researchers' guide. A method that a kind cannot have raises
    `InputError` with the reason.

    >>> from dtmodel.theory import statements
    >>> all(isinstance(statement, Theorem) for statement in statements())
    True
    """

    @property
    @abstractmethod
    def keys(self) -> tuple[str, ...]:
        """The names of the answers."""

    @abstractmethod
    def text(self) -> str:
        """Return the theorem in plain text."""

    @abstractmethod
    def latex(self) -> str:
        """Return the theorem in LaTeX."""

    @abstractmethod
    def citation(self) -> str:
        """Return the BibTeX entry of the source."""

    @property
    def claim(self) -> dict[str, Any]:
        """The entry of the ledger."""
        raise self._without("claim", "the theorem of a claim: dtmodel.theorem(claim) returns it")

    def certificate(self, seconds: float = 300) -> dict[str, Any]:
        """Return the certificate of a derived theorem, for which `seconds` limits the search."""
        del seconds
        raise self._without("certificate", "a derived theorem: the evidence of a statement's claim has certificates")

    def check_points(self, points: int = 100, seed: int = 1, seconds: float = 300) -> int:
        """Compare with the exact engine at random `points` (from `seed`), for at most some `seconds`; see `derive`."""
        del points, seed, seconds
        raise self._without("check_points", "a derived theorem: a statement has no family of scenarios to draw from")

    def to_claim(self, claim: str, folder: str | Path) -> list[Path]:
        """Write a derived theorem as a `claim` into a `folder`."""
        del claim, folder
        raise self._without("to_claim", "a derived theorem: a statement is a claim of the ledger already")

    def _without(self, method: str, accepted: str) -> InputError:
        return InputError(method, getattr(self, "id", type(self).__name__), accepted)
