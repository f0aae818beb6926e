"""Ties of relations between numbers to runs: the claim whose form runs what a form without a run only computes."""

import re
from collections.abc import Iterator, Mapping

from dtmodel.ledger.claim import Claim, Problem, inherited

_RUN = re.compile(r"(?:^|;)\s*run\s", re.MULTILINE)
_PLACE = re.compile(r"\b(section|theorem|equation|algorithm|figure)s?((?:,| and| to)? \(?(?:\d|[ivx]+\b)[^\s,;)]*\)?)+")
_NUMBER = re.compile(r"(?:\d|\b[ivx]+\b)[^\s,;)]*")


def tie_faults(claims: Mapping[str, Claim], preludes: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the faults of `tied_to`: a missing claim, one without a run, one about something else, or one too many."""
    for claim in claims.values():
        other = claims.get(claim.tied_to)
        if not claim.tied_to:
            continue
        if other is None:
            fault = "names no claim: add it, or mend the id"
        elif not claim.formal or _runs(claim, preludes):
            fault = "stands over no relation between numbers: remove it"
        elif not _runs(other, preludes):
            fault = "names a claim without a run: name one whose form has a line 'run'"
        elif not _related(claim, other):
            fault = "names a claim about something else: name one of the same equation, section, file or Coq theorem"
        else:
            continue
        yield Problem(claim.id, f"tied_to = {claim.tied_to!r} {fault}")


def places(source: str) -> set[str]:
    """Return the sections, equations, theorems, algorithms and figures that a source names.

    >>> sorted(places("L2BM paper, Sections III-C and IV, equations (1) and (6), Algorithm 1"))
    ['algorithm 1', 'equation 1', 'equation 6', 'section iii-c', 'section iv']
    """
    found = _PLACE.finditer(source.casefold())
    return {f"{each[1]} {number}" for each in found for number in _NUMBER.findall(each[0])}


def _runs(claim: Claim, preludes: Mapping[str, str]) -> bool:
    return _RUN.search(inherited(claim.formal, preludes)) is not None


def _related(claim: Claim, other: Claim) -> bool:
    """Return true if two claims share a file, a place or a theorem, or if one of a document is of no place in it."""
    here, there = places(claim.source), places(other.source)
    mine, its = ({name for item in each.kernel for name in item.theorems} for each in (claim, other))
    nowhere = claim.paper == other.paper and not (here and there)
    return claim.file == other.file or nowhere or bool(here & there or mine & its)
