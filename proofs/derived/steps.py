"""Bursts whose rate steps twice: proofs."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from dtmodel.companion import deriving
from dtmodel.derive import DerivedTheorem
from dtmodel.derive.theorem.proving import holds_in
from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.theory.edt import varying_formulas as edt

from . import derivation, kept
from .derivation import verified, words

CLAIM = "derived.ours.two-steps"
KEPT = Path(__file__).with_name("steps.json")
"""The certificate: ``python -m proofs.derived.steps`` finds it anew."""

NAMES = ("slow_1", "fast_1", "slow_2", "fast_2", "fast_12", "slow_3", "fast_3", "fast_23", "fast_123")
"""The lines; the last digit is the piece of the rate in which one is met, the first that since which queues drain."""
_SHOWN = {"cells", "left_out", "coverage", "closure", "undecided"}


class _Crossings:
    """What (43) says of the rates of a family: how far the queues of the bursts are above the threshold."""

    def __init__(self, symbols: Any) -> None:
        self.s, zero = symbols, symbols["B"] - symbols["B"]
        self.times = [zero, symbols["d_1"], symbols["d_2"]]
        self.rates = [symbols[name] for name in ("R_1", "R_2", "R_3")]
        self.brought = [zero, self.rates[0] * self.times[1]]
        self.brought.append(self.brought[1] + self.rates[1] * (self.times[2] - self.times[1]))

    def arrived(self, piece: int, time: Any) -> Any:
        """The integral of R up to a time in a piece."""
        return self.brought[piece] + self.rates[piece] * (time - self.times[piece])

    def above(self, since: int | None, piece: int, time: Any) -> Any:
        """The left side of (43) less the right side, of its second equation with the time since which queues drain."""
        A = self.arrived(piece, time)
        alpha, B, C, M, N = (self.s[name] for name in ("alpha", "B", "C", "M", "N"))
        if since is None:
            return edt.slow_phase(alpha, B, C, M, N, A, time)
        return edt.fast_phase(alpha, B, C, M, N, A, self.brought[since], self.times[since], time)


def _line(name: str) -> tuple[int | None, int]:
    """Return since when queues drain on a line, and the piece in which it is met."""
    kind, pieces = name.split("_")
    return None if kind == "slow" else int(pieces[0]) - 1, int(pieces[-1]) - 1


def _first_crossing(
    since: int | None, piece: int, time: Any, free: Any, crossings: _Crossings
) -> Iterator[tuple[Any, str]]:
    """Yield what says that no line is met before a time in a piece, and one then: on each they are linear.

    By itself holds that the time is a root, and what the bursts have brought by then.
    """
    above, times, s = crossings.above, crossings.times, crossings.s
    check(not above(since, piece, time), "the time is not a root of (43)")
    check(crossings.arrived(piece, time) - s["C"] * time == s["alpha"] * free, "another length than the threshold")
    for before in range(piece):
        for line in (None, *range(before + 1)):
            yield above(line, before, times[before + 1]), "<="
    for line in [line for line in (None, *range(piece + 1)) if line != since]:
        yield above(line, piece, time), "<="
    yield above(since, piece, times[piece] + 1) - above(since, piece, times[piece]), ">"
    if piece + 1 < len(times):
        yield above(since, piece, times[piece + 1]), ">="


def _theorem() -> DerivedTheorem:
    return deriving.derived_again(derivation.kept(CLAIM))


def _certificate_of(theorem: DerivedTheorem, certificate: Mapping[str, Any]) -> str:
    """Verify that a certificate shows a theorem wherever no condition is 0, without a solver; say so."""
    found = theorem.found
    if found is None:
        raise AssertionError("the theorem has no cells")
    one = replace(theorem, found=replace(found, cells=found.cells[:1]))  # what is said of the family is the same
    said = {name: value for name, value in one.certificate(seconds=0).items() if name not in _SHOWN}
    check(json.loads(json.dumps(said)) == {name: certificate[name] for name in said}, "it is one of another family")
    cells = verified(certificate)["cells"]
    names = found.problem.ring.names
    derived = [{_terms(atom.poly * sign, names) for atom, sign in cell.literals} for cell in found.cells]
    its = [
        {frozenset((int(c), frozenset(m.items())) for c, m in poly) for poly in cell["conditions"]} for cell in cells
    ]
    check(len(its) == len(derived) and all(each in its for each in derived), "the certificate has other cells")
    check(not certificate["left_out"] and bool(certificate["coverage"]), "the certificate leaves something out")
    check(all(each["how"] != "smt" for each in certificate["coverage"]), "the certificate rests on a solver")
    return f"certificate of all {len(cells)} cells and of their covering the domain verified, without a solver"


def _terms(poly: Any, names: Sequence[str]) -> frozenset[tuple[int, frozenset[tuple[str, int]]]]:
    """Return the terms of a polynomial."""
    return frozenset(
        (int(factor), frozenset((name, int(power)) for name, power in zip(names, powers, strict=True) if power))
        for powers, factor in poly.terms()
    )


@evidence("derived.ours.two-steps", form="printed", strength="smt")
def bursts_of_two_steps_are_those_of_the_functional() -> Outcome:
    """Derive the first drop; in each case it is the first crossing of a line of (43), by z3 and cvc5.

    The certificate that is kept shows the derived theorem wherever no condition is 0; z3 and cvc5 do elsewhere.
    """
    theorem, certificate = _theorem(), kept.read(KEPT)
    shown = _certificate_of(theorem, certificate)
    value, crossings = words(CLAIM, "steps", theorem), _Crossings(theorem.domain.outside())
    left, goals = {name: value(name) for name in NAMES}, []
    for case in theorem.cases:
        time, free = case.answers["first_drop"], case.answers["free_at_first_drop"]
        names = [name for name, its in left.items() if its == time]
        check(len(names) == 1, f"{time} is the time of none of the lines that are left")
        del left[names[0]]
        goals += [(case, *goal) for goal in _first_crossing(*_line(names[0]), time, free, crossings)]
    check(not left, f"no case has the times {sorted(left)}")
    for case, goal, relation in goals:
        said = holds_in(theorem, case, goal, relation)
        check(
            said == "proved", f"that {goal} {relation} 0 is {said} where the first drop is {case.answers['first_drop']}"
        )
    detail = f"nine cases, each the first crossing of its line ({len(goals)} questions to z3 and cvc5); {shown}"
    return Proved(detail, derivation.kept(CLAIM)["example"], deriving.declared(theorem), certificate)


if __name__ == "__main__":
    kept.write(_theorem().certificate(), KEPT)
