"""What `dtmodel params` answers: named values with their unit, formula, source and assumption, and warnings."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

__all__ = ["Parameter", "Sheet", "Unit"]

Unit = Literal["bytes", "seconds", "bytes/s", "packets", ""]


@dataclass(frozen=True)
class Parameter:
    """One value of a parameter sheet.

    Attributes
    ----------
    name : str
        The key in JSON answers, for example ``"cn2"``.
    symbol : str
        The symbol in LaTeX, without dollar signs.
    value : Fraction or int or bool or str or None
        An exact value in the base unit; None where no finite value exists (the assumption or a warning says why).
    unit : {"bytes", "seconds", "bytes/s", "packets", ""}
        The base unit.
    formula : str
        The right-hand side in LaTeX, without dollar signs.
    source : str
        The document and equation, or "own theorem" with the claim's id.
    assumption : str
        Under what the value means what its name says; empty if under nothing.
    """

    name: str
    symbol: str
    value: Fraction | int | bool | str | None
    unit: Unit
    formula: str
    source: str
    assumption: str = ""


@dataclass(frozen=True)
class Sheet:
    """A parameter sheet: its title, the values in reading order, and warnings (one sentence each)."""

    title: str
    parameters: tuple[Parameter, ...]
    warnings: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> Fraction | int | bool | str | None:
        """Return the value of the parameter called `name`."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter.value
        raise KeyError(name)
