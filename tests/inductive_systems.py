"""A transition system of a certificate, run beside a packet model: every step must be one of its transitions."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from dtmodel.ledger.provers.inductive import InductiveInvariant


@cache
def certified(build: Callable[..., InductiveInvariant], *how: Any) -> Mapping[str, Any]:
    """Return the certificate of the system that a function builds."""
    return build(*how).certificate().document


HOLDS = {">=": lambda value: value >= 0, ">": lambda value: value > 0, "=": lambda value: value == 0}


def value(terms: Sequence[Any], at: Mapping[str, Any]) -> Fraction:
    """Evaluate a polynomial of a certificate."""
    total = Fraction(0)
    for coefficient, powers in terms:
        product = Fraction(coefficient)
        for name, power in powers.items():
            product *= Fraction(at[name]) ** power
        total += product
    return total


def holds(fact: Sequence[Any], at: Mapping[str, Any]) -> bool:
    """Evaluate a fact: one of its atoms holds."""
    return any(HOLDS[sign](value(terms, at)) for terms, sign in fact)


class Beside:
    """The state of a system with given parameters; `taken` counts the transitions by name."""

    def __init__(self, document: Mapping[str, Any], **parameters: Any) -> None:
        self.document = document
        assert set(parameters) == set(self.document["parameters"])
        self.parameters = parameters
        self.state = {name: value(terms, parameters) for name, terms in self.document["variables"].items()}
        self.taken: dict[str, int] = {each["name"]: 0 for each in self.document["transitions"]}
        assert all(holds(fact, parameters) for fact in self.document["assumptions"])
        self.keeps()

    def keeps(self) -> None:
        """The invariant holds in the present state."""
        at = {**self.parameters, **self.state}
        assert all(holds(fact, at) for fact in self.document["invariant"])

    def leads(self, transition: Mapping[str, Any], new: Mapping[str, Any], inputs: Mapping[str, Any]) -> bool:
        """Whether a transition is possible now and leads to the new values."""
        at = {**self.parameters, **self.state, **inputs}
        if not all(holds(guard, at) for guard in transition["guards"]):
            return False
        after = self.state | {name: value(terms, at) for name, terms in transition["updates"].items()}
        assert all(holds(fact, at) for fact, _ in transition["ensures"])
        return after == self.state | {name: Fraction(each) for name, each in new.items()}

    def take(self, name: str, new: Mapping[str, Any] | None = None, **inputs: Any) -> None:
        """The packet model has made this step: it is a transition with this name (or one that begins so)."""
        new = new or {}
        fitting = [
            each["name"]
            for each in self.document["transitions"]
            if each["name"].startswith(name) and self.leads(each, new, inputs)
        ]
        assert fitting, f"{name} {inputs} does not lead from {self.state} to {new}"
        self.taken[fitting[0]] += 1
        self.state |= {each: Fraction(number) for each, number in new.items()}
        self.keeps()


def never_taken(runs: Sequence[Beside]) -> set[str]:
    """Return the transitions that no run has taken: none, or the test sees less than it should."""
    return {name for name in runs[0].taken if not any(run.taken[name] for run in runs)}
