"""One claim with everything behind its verdict: the outcomes of its evidence, its code and its tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtmodel.base.errors import InputError
from dtmodel.companion.answer_cache import AnswerCache

if TYPE_CHECKING:
    from dtmodel.ledger import Collection

_PARTS = 8
"""The largest number of claims on one page."""


def label(claim: str) -> str:
    """Return the label of an equation if only its number is given, and any other claim id unchanged."""
    bare = str(claim).strip("()")
    return f"eq{bare}" if bare.isdecimal() else bare


def show_claim(
    claim: str, folders: Sequence[str | Path], kept: AnswerCache, say: Callable[[str], None] | None = None, *,
    cached: bool,
) -> list[dict[str, Any]]:  # fmt: skip
    """Return a claim, by its id or a `label` that one paper has, or the parts of an equation, with code and tests."""
    from dtmodel.companion.places import claim_code, claim_tests

    known = kept.get("claims", claim) if cached else None
    found = [known] if known else _made(claim, folders, kept, say, cached=cached)
    places = (("code", claim_code), ("tests", claim_tests))
    return [
        item | {name: [f"{file}:{line} ({word})" for file, line, word in find(item["id"])] for name, find in places}
        for item in found
    ]


def _made(
    claim: str, folders: Sequence[str | Path], kept: AnswerCache, say: Callable[[str], None] | None, *, cached: bool
) -> list[dict[str, Any]]:
    """Run the evidence for a claim, or its parts, and for all claims below; cache the results that are as recorded."""
    from dtmodel.companion.reports import ReportMaker, cache_claims
    from dtmodel.companion.roots import load

    collection = load(folders)
    claim = _of_one_paper(label(claim), collection)
    parts = [claim] if claim in collection.claims else _parts(claim, collection)
    if len(parts) > _PARTS or ("." not in claim and parts != [claim]):
        raise InputError("ID", claim, f"the id of one claim; below it are {', '.join(parts[:6])}, ...")
    ids = list(_below(parts, collection))
    report = ReportMaker.of(collection).report(collection, ids, cached=cached, **({"say": say} if say else {}))
    return sorted(cache_claims(report, kept, parts), key=lambda item: str(item["id"]))


def _of_one_paper(claim: str, collection: Collection) -> str:
    """Return the id behind a label without its paper; `InputError` lists the candidates if several papers have it."""
    from dtmodel.ledger.claim import selects

    papers = {name.partition(".")[0] for name in collection.claims}
    names = sorted(f"{paper}.{claim}" for paper in papers - {claim} if "." not in claim)
    found = [name for name in names if any(selects(name, other) for other in collection.claims)]
    if len(found) > 1:
        raise InputError("ID", claim.removeprefix("eq"), f"one of {', '.join(found)}")
    return found[0] if found else claim


def _parts(claim: str, collection: Collection) -> list[str]:
    """Return the claims that an id selects; if it is the id of a figure, the error names the command that draws it."""
    from dtmodel.companion.figures import captions, undrawn

    paper, _, label = claim.partition(".")
    about = [name for name in collection.claims if re.match(rf"{re.escape(paper)}\..*\b{re.escape(label)}\b", name)]
    named = f"; its claims are {', '.join(about)}" if label and about else ""
    try:
        return list(collection.select([claim]))
    except InputError as error:
        if claim in captions():
            raise InputError("ID", claim, f"a claim id; dtmodel figure {claim} redraws the figure{named}") from error
        if why := undrawn().get(claim):
            raise InputError("ID", claim, f"a claim id; the figure is not drawn: {why}{named}") from error
        raise


def _below(claims: Sequence[str], collection: Collection) -> Iterator[str]:
    """Yield claims and, recursively, the claims that correct them or that they name."""
    todo, seen = list(claims), {""}
    while todo:
        name = todo.pop()
        if name not in seen and name in collection.claims:
            yield name
            seen.add(name)
            todo += [collection.claims[name].corrected, *collection.claims[name].named]
