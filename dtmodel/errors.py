"""The named errors of dtmodel."""

from __future__ import annotations

__all__ = ["DtmodelError", "InputError", "LedgerError", "ProverError"]


class DtmodelError(Exception):
    """The base of every error that dtmodel raises on purpose."""


class InputError(DtmodelError):
    """An input that cannot be used: which field, which value, and what would be accepted.

    Parameters
    ----------
    field : str
        The field as the user wrote it, for example ``"switch.buffer"``.
    value : object
        The offending value.
    accepted : str
        What would be accepted instead.

    Examples
    --------
    >>> print(InputError("alpha", "-1", "a number greater than 0"))
    alpha: got '-1'; expected a number greater than 0
    """

    def __init__(self, field: str, value: object, accepted: str) -> None:
        self.field, self.value, self.accepted = field, value, accepted
        shown = repr(value) if isinstance(value, str) else str(value)
        if len(shown) > 80:
            shown = shown[:77] + "..."
        super().__init__(f"{field}: got {shown}; expected {accepted}")

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.field, self.value, self.accepted))


class LedgerError(DtmodelError):
    """A fault of the ledger itself (a claim without evidence, an id twice, a witness that does not replay)."""


class ProverError(DtmodelError):
    """A prover could not be run, disagreed with another one, or was given contradictory hypotheses."""
