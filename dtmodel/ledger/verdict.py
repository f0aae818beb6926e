"""The verdict of a claim, computed from the outcomes of its evidence."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product

from dtmodel.base.mathtext import array_of, badge_of, block_of, latex_of, latex_words, paragraphs_of, text_of
from dtmodel.ledger.claim import DECIDED_BY_SAMPLES, Claim
from dtmodel.ledger.evidence import STRENGTHS, Agrees, Conflict, Counterexample, Outcome, Proved, Repeated, Skipped

NOT_RUN = "not run"
UNDECIDED = "undecided"

_DECIDING = {"holds-under-assumption": ("assumed",), "misprint": ("repaired",), "refuted": ("printed", "negation")}


@dataclass(frozen=True)
class Finding:
    """The outcome of one piece of evidence for one claim; `outcome` is None if the evidence raised an error."""

    evidence: str
    form: str
    strength: str
    outcome: Outcome | None


@dataclass(frozen=True)
class Judgement:
    """The computed verdict of a claim, or `NOT_RUN`, or `UNDECIDED`, with the strength of the evidence it `rests_on`.

    `fallback` is the strength of `skipped` evidence that is stronger. `reproduced` and `missed` are readings in which a
    measurement came out as published, or not. `faults`: each says how to mend it.
    """

    verdict: str
    strength: str = ""
    rests_on: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    fallback: str = ""
    reproduced: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()

    def _parts(self) -> list[tuple[str, str]]:
        named = (
            ("rests on", self.rests_on),
            ("reproduced in", self.reproduced),
            ("not reproduced in", self.missed),
            ("not run", self.skipped),
            ("faults", self.faults),
        )
        found = [(name, "; ".join(texts)) for name, texts in named if texts]
        return found + ([("stronger, but not run", self.fallback)] if self.fallback else [])

    def __str__(self) -> str:
        head = self.verdict + (f" ({self.strength})" if self.strength else "")
        return "\n".join([head, *(f"{name}: {text_of(text)}" for name, text in self._parts())])

    def _repr_html_(self) -> str:
        strength = f" {escape(self.strength)}" if self.strength else ""
        return block_of(f"<p>{badge_of(self.verdict)}{strength}</p>", paragraphs_of(self._parts()))

    def _repr_latex_(self) -> str:
        head, *_ = str(self).splitlines()
        lines = [rf"\textbf{{{latex_words(head)}}}"]
        lines += [rf"\quad {latex_of(f'{name}: {text}')}" for name, text in self._parts()]
        return f"$${array_of(lines)}$$"


def judge(claim: Claim, findings: Sequence[Finding]) -> Judgement:
    """Compute the verdict of a claim from its evidence and compare it with the recorded one."""
    if not findings:
        return _without_evidence(claim)
    faults = [*_faults(claim, findings)]
    skipped = [item for item in findings if isinstance(item.outcome, Skipped)]
    verdict = _computed(claim, findings)
    reasons = tuple(f"{item.evidence}: {item.outcome.reason}" for item in skipped if isinstance(item.outcome, Skipped))
    broken = any(item.outcome is None for item in findings)
    if verdict != claim.verdict and not broken:
        if claim.verdict in _possible(claim, findings):
            return Judgement(NOT_RUN, skipped=reasons, faults=tuple(faults))
        faults.append(_difference(claim, verdict, findings))
    deciding = [item for item in findings if _decides(claim, item, verdict)]
    strength = strongest(item.strength for item in deciding)
    rests_on = tuple(item.evidence for item in deciding if item.strength == strength)
    missed = strongest(item.strength for item in skipped if item.form in deciding_forms(verdict))
    fallback = missed if missed and strength and STRENGTHS.index(missed) < STRENGTHS.index(strength) else ""
    return Judgement(verdict, strength, rests_on, reasons, fallback, *_readings(findings), tuple(faults))


def deciding_forms(verdict: str) -> tuple[str, ...]:
    """Return the forms whose evidence gives a verdict its strength."""
    return _DECIDING.get(verdict, ("printed",))


def strongest(strengths: Iterable[str]) -> str:
    """Return the strongest of some strengths; empty if there are none."""
    return min(strengths, key=STRENGTHS.index, default="")


def _readings(findings: Sequence[Finding]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the readings in which a measurement was reproduced, and those in which some evidence missed it."""
    repeated = [item.outcome for item in findings if isinstance(item.outcome, Repeated)]
    missed = {name: None for outcome in repeated for name in outcome.missed}
    reproduced = {name: None for outcome in repeated for name in outcome.reproduced if name not in missed}
    return tuple(reproduced), tuple(missed)


def _may_decide(claim: Claim, item: Finding, outcome: str) -> bool:
    return item.strength != "sampled" or outcome in DECIDED_BY_SAMPLES.get(claim.kind, ())


def _repeats(claim: Claim, item: Finding) -> bool:
    return isinstance(item.outcome, Repeated) and item.form == "printed" and _may_decide(claim, item, "repeated")


def _proves(claim: Claim, item: Finding) -> bool:
    return isinstance(item.outcome, Proved | Agrees) and _may_decide(claim, item, "agrees")


def _refutes(claim: Claim, item: Finding) -> bool:
    if item.form == "negation":
        return _proves(claim, item)
    return item.form == "printed" and isinstance(item.outcome, Counterexample)


def _decides(claim: Claim, item: Finding, verdict: str) -> bool:
    if _repeats(claim, item):
        return verdict != UNDECIDED
    if verdict == "refuted":
        return _refutes(claim, item)
    if item.form not in deciding_forms(verdict):
        return False
    if verdict == "inconsistent":
        return isinstance(item.outcome, Conflict)
    return verdict != UNDECIDED and _proves(claim, item)


def _computed(claim: Claim, findings: Sequence[Finding]) -> str:
    proved = {item.form for item in findings if _proves(claim, item)}
    refuted = any(_refutes(claim, item) for item in findings)
    conflict = any(isinstance(item.outcome, Conflict) for item in findings)
    if not (proved or refuted or conflict) and any(_repeats(claim, item) for item in findings):
        return _of_readings(*_readings(findings))
    return _table(proved, refuted, conflict)


def _of_readings(reproduced: Sequence[str], missed: Sequence[str]) -> str:
    if not missed:
        return "holds"
    return "depends-on-reading" if reproduced else "not-reproduced"


def _table(proved: set[str], refuted: bool, conflict: bool) -> str:
    if conflict:
        return "inconsistent"
    if refuted:
        if "assumed" in proved:
            return "holds-under-assumption"
        return "misprint" if "repaired" in proved else "refuted"
    return "holds" if "printed" in proved else UNDECIDED


def _possible(claim: Claim, findings: Sequence[Finding]) -> set[str]:
    skipped = [item for item in findings if isinstance(item.outcome, Skipped)]
    run = [item for item in findings if not isinstance(item.outcome, Skipped)]
    stand_in = Proved("", {"": ""}), None
    possible = set()
    for choice in product(stand_in, repeat=min(len(skipped), 6)):
        done = [Finding(i.evidence, i.form, i.strength, o) for i, o in zip(skipped, choice, strict=False)]
        proved = {item.form for item in [*run, *done] if _proves(claim, item)}
        refuted = any(_refutes(claim, item) for item in [*run, *done])
        may_refute = any(item.form == "printed" and item.outcome is None for item in done)
        conflict = any(isinstance(item.outcome, Conflict) for item in run)
        possible |= {_table(proved, hit, conflict) for hit in {refuted, refuted or may_refute}}
    return possible if skipped else set()


def _faults(claim: Claim, findings: Sequence[Finding]) -> Iterable[str]:
    for item in findings:
        outcome = item.outcome
        if isinstance(outcome, Proved) and not outcome.example:
            yield (
                f"{item.evidence} proves without an example: give an instance in which the hypotheses hold, "
                'as in Proved("the bound grows", {"n": "3"}, ["n > 0"]) '
                "(a proof from contradictory hypotheses proves anything)"
            )
        if isinstance(outcome, Agrees) and item.strength not in ("exact", "sampled"):
            yield f"{item.evidence} agrees case by case: its strength is 'exact' or 'sampled', not {item.strength!r}"
        if isinstance(outcome, Repeated):
            yield from (f"{item.evidence} {fault}" for fault in _faults_of_repeated(outcome, item.strength))
        if isinstance(outcome, Agrees) and outcome.cases < 1:
            yield f"{item.evidence} agrees in no case at all: check that its domain is not empty"
        if isinstance(outcome, Counterexample) and item.form != "printed":
            yield f"{item.evidence} refutes the {item.form} form, which is ours: mend the text of the claim"
    for form in {item.form for item in findings}:
        for_form = [item for item in findings if item.form == form]
        proof = next((item for item in for_form if _proves(claim, item)), None)
        against = next((item for item in for_form if isinstance(item.outcome, Counterexample)), None)
        against = against or next((item for item in findings if form == "printed" and _refutes(claim, item)), None)
        if proof and against:
            yield (
                f"the {form} form is proved by {proof.evidence} and refuted by {against.evidence}: one of the two is "
                "wrong, or they aim at different forms"
            )


def _faults_of_repeated(outcome: Repeated, strength: str) -> Iterable[str]:
    if strength != "sampled":
        yield f"repeats a measurement: its strength is 'sampled', not {strength!r}"
    if len({*outcome.reproduced, *outcome.missed}) < 2:
        yield "rests on one reading of the machines: repeat the measurement in others"
    if both := {*outcome.reproduced} & {*outcome.missed}:
        yield f"reproduces and misses in {', '.join(sorted(both))}: a reading has one result"
    if outcome.samples < 1 or not re.fullmatch("[0-9a-f]{64}", outcome.rules):
        yield "names no samples or no SHA-256 of the file of tolerances"


def _difference(claim: Claim, verdict: str, findings: Sequence[Finding]) -> str:
    if verdict == UNDECIDED:
        return f"nothing decides the claim (recorded: {claim.verdict}): {_what_is_missing(claim, findings)}"
    return (
        f"the computed verdict is {verdict}, recorded is {claim.verdict}: mend the evidence or the model, "
        f"or record the new verdict in {claim.file}:{claim.line}"
    )


def _what_is_missing(claim: Claim, findings: Sequence[Finding]) -> str:
    sampled = any(item.strength == "sampled" and isinstance(item.outcome, Proved | Agrees) for item in findings)
    if sampled and claim.kind not in DECIDED_BY_SAMPLES and all(item.form == "printed" for item in findings):
        return "samples never decide a universal claim; add a proof or an exhaustive check"
    if any(item.form in ("assumed", "repaired") for item in findings):
        return "add a counterexample to the printed form, so that the assumption or repair is shown to be needed"
    return "add evidence for the printed form"


def _without_evidence(claim: Claim) -> Judgement:
    if not claim.reason.strip():
        return Judgement(UNDECIDED, faults=("no evidence: write some, or record not-checkable with a reason",))
    fault = f"no evidence, but recorded as {claim.verdict}: write evidence for it"
    return Judgement("not-checkable", faults=() if claim.verdict == "not-checkable" else (fault,))
