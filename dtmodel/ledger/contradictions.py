"""Contradictions between claims: at the witness that refutes one claim, every form recorded as true must hold."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from dtmodel.base import budgets
from dtmodel.ledger.formal import Formal, Instance, Vocabulary
from dtmodel.ledger.hunting import Target, recorded_witness
from dtmodel.ledger.sampling import Sampler

_EVENTS = 2_000  # events that a run may have


@dataclass(frozen=True)
class Contradiction:
    """A form that is recorded as true and is false at the witness of another claim."""

    target: Target
    witness_of: str
    at: Mapping[str, Any]
    why: str

    def document(self) -> dict[str, str]:
        """Return the contradiction as JSON."""
        target = self.target
        return {"claim": target.claim, "form": target.form, "witness_of": self.witness_of, "why": self.why}

    def __str__(self) -> str:
        return f"{self.target.claim} ({self.target.form}) fails at the witness of {self.witness_of}: {self.why}"


@dataclass
class Crossing:
    """Counts of witnesses, of pairs of a witness and a form, and of pairs in which the form could be evaluated."""

    witnesses: int = 0
    pairs: int = 0
    asked: int = 0


def own_witnesses(targets: Iterable[Target]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the claims and recorded witnesses of executable statements that are false."""
    yield from ((target.claim, recorded_witness(target)) for target in targets if target.witness)


def contradictions(
    targets: Iterable[Target],
    witnesses: Iterable[tuple[str, Mapping[str, Any]]],
    vocabulary: Vocabulary,
    *,
    draws: int = 0,
    crossing: Crossing | None = None,
) -> Iterator[Contradiction]:
    """Evaluate every form that is recorded as true at each of the `witnesses` (claim, values) that has its variables.

    `draws`: the number of random completions where at least half of the variables are there. `crossing` receives
    counts.
    """
    true = [target for target in targets if target.recorded]
    counted = crossing or Crossing()
    for claim, values in witnesses:
        for target in true:
            needed = {variable.name for variable in target.formal.variables}
            shared = needed & set(values)
            if not shared or (shared != needed and not (draws and 2 * len(shared) >= len(needed))):
                continue
            counted.pairs += 1
            given = {name: values[name] for name in shared}
            for seed in range(1 if shared == needed else draws):
                at = Sampler(target.formal, vocabulary, Random(seed)).completed(given)
                if at is not None and (why := _fails(target.formal, at, vocabulary, counted)) is not None:
                    yield Contradiction(target, claim, at, why)
                    break


def _fails(formal: Formal, at: Mapping[str, Any], vocabulary: Vocabulary, counted: Crossing) -> str | None:
    with budgets.raised(events=_EVENTS):
        truth = Instance(formal, at, vocabulary).truth()
    counted.asked += truth.holds is not None
    return truth.why if truth.holds is False else None
