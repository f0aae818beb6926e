"""Relations between numbers: the claim that ties one to runs, because its form runs, and the meaning of its symbols."""

import re
from collections.abc import Iterator, Mapping

from dtmodel.ledger.claim import Claim, Problem, inherited
from dtmodel.ledger.notation import foreign

_RUN = re.compile(r"(?:^|;)\s*run\s", re.MULTILINE)
_TRY = re.compile(r"(?:^|;)\s*try\s", re.MULTILINE)
_PLACE = re.compile(r"\b(section|theorem|equation|algorithm|figure)s?((?:,| and| to)? \(?(?:\d|[ivx]+\b)[^\s,;)]*\)?)+")
_NUMBER = re.compile(r"(?:\d|\b[ivx]+\b)[^\s,;)]*")


def tie_faults(claims: Mapping[str, Claim], preludes: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the faults of `tied_to` and `symbols` (what they name is missing or about something else), and of `try`."""
    for claim in claims.values():
        yield from (Problem(claim.id, fault) for fault in _faults(claim, claims, preludes))


def _faults(claim: Claim, claims: Mapping[str, Claim], preludes: Mapping[str, str]) -> Iterator[str]:
    formal = inherited(claim.formal, preludes)
    numbers = claim.formal and not has_a_run(claim, preludes)
    if not claim.kernel and _TRY.search(formal):
        yield "'try' stands in a form without a theorem for all: name one in 'kernel', or remove it"
    if claim.tied_to and not numbers:
        yield "'tied_to' stands over no relation between numbers: remove it"
    if claim.tied_to and numbers and (fault := _tie_fault(claim, claims.get(claim.tied_to), preludes)):
        yield f"tied_to = {claim.tied_to!r} names {fault}"
    names = [part.partition(": ")[0] for part in filter(None, claim.symbols.split("; "))]
    form = set(re.findall(r"\w+", formal))
    wrong = [name for name in names if name.removesuffix("[]") not in form] if form else foreign(names, claim.statement)
    for name in wrong:
        yield f"symbols: {name!r} is not in its statement: write 'NAME: MEANING; NAME[]: MEANING'"


def _tie_fault(claim: Claim, other: Claim | None, preludes: Mapping[str, str]) -> str:
    if other is None:
        return "no claim: add it, or mend the id"
    if not has_a_run(other, preludes):
        return "a claim without a run: name one whose form has a line 'run'"
    same = "one of the same equation, section, file or Coq theorem"
    return "" if _related(claim, other) else f"a claim about something else: name {same}"


def places(source: str) -> set[str]:
    """Return the sections, equations, theorems, algorithms and figures that a source names."""
    found = _PLACE.finditer(source.casefold())
    return {f"{each[1]} {number}" for each in found for number in _NUMBER.findall(each[0])}


def has_a_run(claim: Claim, preludes: Mapping[str, str]) -> bool:
    """Return true if the form of a claim runs an engine."""
    return _RUN.search(inherited(claim.formal, preludes)) is not None


def _related(claim: Claim, other: Claim) -> bool:
    """Return true if two claims share a file, a place or a theorem, or if one of a document is of no place in it."""
    here, there = places(claim.source), places(other.source)
    mine, its = ({name for item in each.kernel for name in item.theorems} for each in (claim, other))
    nowhere = claim.paper == other.paper and not (here and there)
    return claim.file == other.file or nowhere or bool(here & there or mine & its)
