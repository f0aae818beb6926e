"""Hunting over a ledger: attack every executable form of its claims, and compare the result with the record."""

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.expressions import evaluate, parse
from dtmodel.ledger.adversary import Attack, Need, attack, needs
from dtmodel.ledger.claim import Claim, expanded, text_of_form
from dtmodel.ledger.evidence import jsonable
from dtmodel.ledger.formal import Formal, Instance, Vocabulary, Words, check_words, read_formal
from dtmodel.ledger.parts import Alterable, parts, unnoticed

_ADDS = {"holds-under-assumption": "formal_assumption", "misprint": "formal_repair"}

_FALSE = 20  # the factor of draws for a form that is recorded as false and has no witness on record

_FINEST = 10**60  # the greatest denominator with which a miss is written

_FAIR = 1000  # the draws after which a form that was never evaluated is called vacuous


@dataclass(frozen=True)
class Target:
    """One executable form of a claim, its record (true or false), and the recorded witness of a false one."""

    claim: str
    form: str
    formal: Formal
    recorded: bool
    witness: str = ""

    @property
    def digest(self) -> str:
        """A hash of the form with its preludes, and of its record."""
        said = [" ".join(self.formal.text.split()), self.form, str(self.recorded), self.witness]
        return hashlib.sha256("\n".join(said).encode()).hexdigest()[:16]

    @property
    def risk(self) -> int:
        """The share of the time: most for our own results, least for forms that are recorded as false."""
        if not self.recorded:
            return 1
        return 20 if ".ours." in self.claim else 10


@dataclass(frozen=True)
class Found:
    """The result of hunting a target; `fault` is empty if the result is as recorded."""

    target: Target
    attack: Attack
    needs: tuple[Need, ...] = ()

    @property
    def fault(self) -> str:
        """The fault: a counterexample to a true form, none to a false one, or a form that is vacuous."""
        name = f"{self.target.claim} ({self.target.form})"
        if self.attack.vacuous and self.target.recorded and self.attack.drawn >= _FAIR:
            return f"{name} is vacuous: no instance was found in which its hypotheses hold and it says something"
        if self.target.recorded and self.attack.counterexample is not None:
            return f"{name} is recorded as true and fails: {self.attack.why}"
        if not self.target.recorded and self.attack.counterexample is None:
            return f"{name} is recorded as false, and no instance was found in which it fails"
        return ""

    def document(self) -> dict[str, Any]:
        """Return the result as JSON."""
        return {
            "claim": self.target.claim,
            "form": self.target.form,
            "recorded": self.target.recorded,
            "tried": self.attack.tried,
            "drawn": self.attack.drawn,
            "nearest": jsonable(_short(self.attack.nearest)),
            "near": jsonable(self.attack.near),
            "counterexample": jsonable(self.attack.counterexample),
            "why": self.attack.why,
            "hash": self.target.digest,
            "hypotheses": [jsonable(vars(need)) for need in self.needs],
            "fault": self.fault,
        }


@dataclass(frozen=True)
class Alterations:
    """The number of parts of a form's conclusion, and the parts that could be altered unnoticed."""

    target: Target
    parts: int
    unnoticed: tuple[Alterable, ...]

    def document(self) -> dict[str, Any]:
        """Return the result as JSON."""
        return {
            "claim": self.target.claim,
            "form": self.target.form,
            "hash": self.target.digest,
            "parts": self.parts,
            "unnoticed": [str(part) for part in self.unnoticed],
        }


def _short(miss: Fraction | None) -> Fraction | None:
    """Round a miss that has a long denominator, but never to 0."""
    if miss is None or miss.denominator <= _FINEST:
        return miss
    return miss.limit_denominator(_FINEST) or Fraction(1 if miss > 0 else -1, _FINEST)


def targets(
    claims: Iterable[Claim], preludes: Mapping[str, str] | None = None, words: Words | None = None
) -> Iterator[Target]:
    """Yield the executable forms of some claims, with `words` only those that call functions of its vocabulary alone.

    A printed form counts as true if the verdict is ``holds``, an assumed or repaired one always. Raises `InputError`
    for a form that cannot be read.
    """
    known = preludes or {}
    for claim in claims:
        if not claim.formal:
            continue
        if claim.verdict not in ("inconsistent", "not-checkable"):
            printed = _read(expanded(claim.formal, known), f"{claim.id}.formal", words)
            yield Target(claim.id, "printed", printed, claim.verdict == "holds", claim.formal_witness)
        for form, name in (("assumed", "formal_assumption"), ("repaired", "formal_repair")):
            if getattr(claim, name):
                said = expanded(text_of_form(claim, form), known)
                yield Target(claim.id, form, _read(said, f"{claim.id}.{name}", words), recorded=True)
        needed = _ADDS.get(claim.verdict)
        if needed and not getattr(claim, needed):
            raise InputError(f"{claim.id}.{needed}", MISSING, f"the executable form for the verdict {claim.verdict}")


def _read(text: str, field: str, words: Words | None) -> Formal:
    formal = read_formal(text, field)
    if words:
        check_words(formal, words(formal), field)
    return formal


def hunt_target(
    target: Target,
    vocabulary: Vocabulary,
    *,
    seconds: float | None = None,
    cases: int | None = None,
    seed: int = 0,
    hypotheses: bool = False,
) -> Found:
    """Attack one form; with `hypotheses`, also find the hypotheses that a true form needs, in half of the seconds."""
    if target.witness:
        return Found(target, _witnessed(target, vocabulary))
    own = _seed(target, seed)
    asks = hypotheses and target.recorded
    share = seconds / 2 if seconds and asks else seconds
    most = cases * _FALSE if cases and not target.recorded else cases  # the attack ends with the first counterexample
    found = attack(target.formal, vocabulary, seconds=share, cases=most, seed=own)
    asked: list[Need] = []
    if asks and found.counterexample is None:
        each = share / max(1, len(target.formal.hypotheses)) if share else None
        asked = needs(target.formal, vocabulary, seconds=each, cases=cases, seed=own)
    return Found(target, found, tuple(asked))


def alter_target(
    target: Target, vocabulary: Vocabulary, *, seconds: float | None = None, cases: int | None = None, seed: int = 0
) -> Alterations:
    """Alter the conclusion of a form part by part, and return the parts that no instance notices."""
    number = sum(1 for _ in parts(target.formal))
    left = unnoticed(target.formal, vocabulary, seconds=seconds, cases=cases, seed=_seed(target, seed))
    return Alterations(target, number, tuple(left))


def _seed(target: Target, seed: int) -> int:
    told = f"{seed}/{target.claim}/{target.form}"
    return int.from_bytes(hashlib.sha256(told.encode()).digest()[:8], "big")


def seconds_for(chosen: Sequence[Target], seconds: float, jobs: int = 1) -> Iterator[float]:
    """Yield the seconds for each target, by risk; seconds that a target leaves are shared among the later ones."""
    end = time.monotonic() + seconds
    risks = [target.risk for target in chosen]
    for place, risk in enumerate(risks):
        yield max(0.01, (end - time.monotonic()) * jobs * risk / sum(risks[place:]))


def _witnessed(target: Target, vocabulary: Vocabulary) -> Attack:
    values = recorded_witness(target)
    truth = Instance(target.formal, values, vocabulary).truth()
    if truth.holds is not False:
        return Attack(tried=1, drawn=1)
    return Attack(1, 1, counterexample=values, why=truth.why, undefined=truth.undefined)


def recorded_witness(target: Target) -> dict[str, Any]:
    """Read the recorded witness of a form."""
    return {
        name.strip(): evaluate(parse(value, f"{target.claim}.formal_witness"), {})
        for name, _, value in (item.partition("=") for item in target.witness.split(";"))
    }


def hunt_summary(found: Iterable[Found]) -> Mapping[str, int]:
    """Count forms, instances in which the conclusion was evaluated, faults, and hypotheses by need."""
    listed = list(found)
    kinds = [need.kind for item in listed for need in item.needs]
    return {
        "forms": len(listed),
        "tried": sum(item.attack.tried for item in listed),
        "faults": sum(bool(item.fault) for item in listed),
        **{kind: kinds.count(kind) for kind in ("needed", "needed for a value", "not known to be needed")},
    }


def parts_summary(found: Iterable[Alterations]) -> Mapping[str, int]:
    """Count forms, their parts, and the parts that no instance noticed."""
    listed = list(found)
    return {
        "forms": len(listed),
        "parts": sum(item.parts for item in listed),
        "not noticed": sum(len(item.unnoticed) for item in listed),
    }
