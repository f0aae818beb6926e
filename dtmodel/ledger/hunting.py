"""Hunting over a ledger: every executable form of its claims is attacked, and must come out as it is recorded."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from dtmodel.errors import InputError
from dtmodel.expressions import evaluate, parse
from dtmodel.ledger.adversary import Attack, Need, attack, needs
from dtmodel.ledger.claim import Claim
from dtmodel.ledger.evidence import jsonable
from dtmodel.ledger.formal import Formal, Instance, Vocabulary, read_formal

__all__ = ["Found", "Target", "expanded", "hunt", "summary", "targets"]

_ADDS = {"holds-under-assumption": "formal_assumption", "misprint": "formal_repair"}

_FALSE = 20
"""How many times as many draws a form may take that is recorded as false and has no witness on record."""


@dataclass(frozen=True)
class Target:
    """One form of a claim in executable shape, whether it is recorded as true, and where it is known to fail."""

    claim: str
    form: str
    formal: Formal
    recorded: bool
    witness: str = ""


@dataclass(frozen=True)
class Found:
    """What hunting a target found; `fault` says what is not as recorded (empty: all is)."""

    target: Target
    attack: Attack
    needs: tuple[Need, ...] = ()

    @property
    def fault(self) -> str:
        """Say what is wrong: a counterexample to a true form, none to a false one, or a form that says nothing."""
        name = f"{self.target.claim} ({self.target.form})"
        if self.attack.vacuous and self.target.recorded:
            return f"{name} is vacuous: no instance was found in which its hypotheses hold and it says something"
        if self.target.recorded and self.attack.counterexample is not None:
            return f"{name} is recorded as true and fails: {self.attack.why}"
        if not self.target.recorded and self.attack.counterexample is None:
            return f"{name} is recorded as false, and no instance was found in which it fails"
        return ""

    def document(self) -> dict[str, Any]:
        """Return what was found as JSON can carry it."""
        return {
            "claim": self.target.claim,
            "form": self.target.form,
            "recorded": self.target.recorded,
            "tried": self.attack.tried,
            "drawn": self.attack.drawn,
            "nearest": jsonable(self.attack.nearest),
            "near": jsonable(self.attack.near),
            "counterexample": jsonable(self.attack.counterexample),
            "why": self.attack.why,
            "hypotheses": [jsonable(vars(need)) for need in self.needs],
            "fault": self.fault,
        }


def targets(claims: Iterable[Claim], preludes: Mapping[str, str] | None = None) -> Iterator[Target]:
    """Yield the executable forms of some claims.

    The printed form is recorded as true where the verdict is ``holds``; with it comes the form that the assumption or
    the repair makes of it, which is always recorded as true.

    Raises
    ------
    InputError
        If a form cannot be read; the field is the claim's id.

    Examples
    --------
    >>> claim = Claim("x.y", "here", "ours", "One.", "holds-under-assumption", formal="for x >= 0; then x > 0",
    ...               formal_assumption="where x != 0")
    >>> [(target.form, target.recorded) for target in targets([claim])]
    [('printed', False), ('assumed', True)]
    """
    known = preludes or {}
    for claim in claims:
        if not claim.formal:
            continue
        if claim.verdict not in ("inconsistent", "not-checkable"):
            printed = read_formal(expanded(claim.formal, known), f"{claim.id}.formal")
            yield Target(claim.id, "printed", printed, claim.verdict == "holds", claim.formal_witness)
        if claim.formal_assumption:
            both = expanded(f"{claim.formal.rstrip()}\n{claim.formal_assumption}", known)
            yield Target(claim.id, "assumed", read_formal(both, f"{claim.id}.formal_assumption"), recorded=True)
        if claim.formal_repair:
            repaired = expanded(claim.formal_repair, known)
            yield Target(claim.id, "repaired", read_formal(repaired, f"{claim.id}.formal_repair"), recorded=True)
        needed = _ADDS.get(claim.verdict)
        if needed and not getattr(claim, needed):
            raise InputError(f"{claim.id}.{needed}", "nothing", f"the executable form for the verdict {claim.verdict}")


def expanded(text: str, preludes: Mapping[str, str]) -> str:
    r"""Put what a statement inherits in the place of its lines ``use NAME``.

    Raises
    ------
    InputError
        If there is no such prelude.

    Examples
    --------
    >>> expanded("use one; then x > 0", {"one": "for x > 1"})
    'for x > 1\nthen x > 0'
    """
    lines = []
    for line in text.splitlines():
        match = re.match(r"\s*use\s+([\w.@+-]+?)\s*(?:;\s*(.*))?$", line)
        if match is None:
            lines.append(line)
            continue
        if match[1] not in preludes:
            raise InputError("use", match[1], f"a prelude: {', '.join(sorted(preludes)) or 'none is there'}")
        lines += [expanded(preludes[match[1]], preludes).strip(), *([match[2]] if match[2] else [])]
    return "\n".join(lines)


def hunt(
    target: Target,
    vocabulary: Vocabulary,
    *,
    seconds: float | None = None,
    cases: int | None = None,
    seed: int = 0,
    hypotheses: bool = False,
) -> Found:
    """Attack one form, and ask of each hypothesis of a true one whether it is needed.

    Parameters
    ----------
    target : Target
        The form.
    vocabulary : mapping
        The words of its statement.
    seconds, cases : number, optional
        When to stop; with `hypotheses` the seconds are shared by the attack and them.
    seed : int
        With the claim's id it decides the draws.
    hypotheses : bool
        Whether to drop hypotheses.
    """
    if target.witness:
        return Found(target, _witnessed(target, vocabulary))
    own = int.from_bytes(hashlib.sha256(f"{seed}/{target.claim}/{target.form}".encode()).digest()[:8], "big")
    share = seconds / (1 + len(target.formal.hypotheses)) if seconds and hypotheses else seconds
    most = cases * _FALSE if cases and not target.recorded else cases  # it ends with the first counterexample
    found = attack(target.formal, vocabulary, seconds=share, cases=most, seed=own)
    asked: list[Need] = []
    if hypotheses and target.recorded and found.counterexample is None:
        asked = needs(target.formal, vocabulary, seconds=share, cases=cases, seed=own)
    return Found(target, found, tuple(asked))


def _witnessed(target: Target, vocabulary: Vocabulary) -> Attack:
    """Ask the statement at its recorded witness, which must refute it."""
    values = {
        name.strip(): evaluate(parse(value, f"{target.claim}.formal_witness"), {})
        for name, _, value in (item.partition("=") for item in target.witness.split(";"))
    }
    truth = Instance(target.formal, values, vocabulary).truth()
    if truth.holds is not False:
        return Attack(tried=1, drawn=1)
    return Attack(1, 1, counterexample=values, why=truth.why, undefined=truth.undefined)


def summary(found: Iterable[Found]) -> Mapping[str, int]:
    """Count what was hunted: forms, instances in which the conclusion was asked, faults, and hypotheses by need."""
    listed = list(found)
    kinds = [need.kind for item in listed for need in item.needs]
    return {
        "forms": len(listed),
        "tried": sum(item.attack.tried for item in listed),
        "faults": sum(bool(item.fault) for item in listed),
        **{kind: kinds.count(kind) for kind in ("needed", "needed for a value", "not known to be needed")},
    }
