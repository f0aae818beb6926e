"""Runs of the evidence of claims: the engines that replay witnesses, the cache of outcomes, and Coq."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from dtmodel.base.errors import ExtraError, InputError
from dtmodel.base.extras import need
from dtmodel.packet import trace

if TYPE_CHECKING:
    from dtmodel.ledger import Claim, Collection, Kernel, Outcome
    from dtmodel.ledger.cache import Cache
    from dtmodel.ledger.evidence import Evidence
    from dtmodel.ledger.replay import Negation, Replayers
    from dtmodel.ledger.runner import LedgerRun


def fluid(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a fluid scenario exactly."""
    from dtmodel.fluid import answer

    return answer(dict(scenario))


REPLAYERS = {"fluid": fluid, "trace": trace}
"""The functions that compute the answer of a witness, by kind."""


def rows(collection: Collection, selectors: Sequence[str]) -> list[dict[str, Any]]:
    """List the selected claims as ``dtmodel ledger --json`` prints them."""
    from dtmodel.ledger.verdict import deciding_forms, strongest

    strengths: dict[tuple[str, str], list[str]] = {}
    for item in collection.evidence(selectors)[0]:
        for aim in item.aims:
            for claim in aim.claims:
                strengths.setdefault((claim, aim.form), []).append(aim.strength)
    return [
        {
            "id": claim.id,
            "source": claim.source,
            "kind": claim.kind,
            "caption": claim.caption,
            "statement": collection.statement(claim),
            "verdict": claim.verdict,
            "strength": strongest(
                strength for form in deciding_forms(claim.verdict) for strength in strengths.get((claim.id, form), [])
            ),
            "corrected": claim.corrected,
        }
        for claim in collection.select(selectors).values()
    ]


def replays(claim: str, folders: Sequence[str | Path] = ()) -> list[dict[str, Any]]:
    """Replay the witnesses of one claim, without Coq; `InputError` if the claim has no counterexample."""
    from dtmodel.companion.answer_cache import AnswerCache
    from dtmodel.ledger.evidence import Witness, jsonable
    from dtmodel.ledger.replay import replay_witness

    known = AnswerCache(folders).get("claims", claim)
    verdict, witnesses = (known["verdict"], _kept_witnesses(known)) if known else _witnesses(claim, folders)
    if not witnesses:
        raise InputError("ID", claim, f"a claim with a counterexample; this one is {verdict}")
    answers = [(name, said, replay_witness(Witness(**said), REPLAYERS)) for name, said in witnesses]
    return [
        {"claim": claim, "evidence": name, **jsonable(said), "answer": dict(again.answer), "fault": again.fault}
        for name, said, again in answers
    ]


def _kept_witnesses(claim: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    outcomes = [(item["function"], item["outcome"] or {}) for item in claim["evidence"]]
    return [(name, outcome["witness"]) for name, outcome in outcomes if "witness" in outcome]


def _witnesses(claim: str, folders: Sequence[str | Path]) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
    """Run the evidence for a claim; return the verdict on record, and each witness with the name of its evidence."""
    from dtmodel.companion.roots import load
    from dtmodel.ledger.evidence import Counterexample

    collection = load(folders)
    if claim not in collection.select([claim]):
        raise InputError("ID", claim, "the id of one claim, not a prefix")
    done = run_selected(collection, [claim], kernel=False)
    (result,) = [result for result in done.results if result.claim.id == claim]
    found = [(item.evidence.name, vars(item.outcome.witness)) for item in result.ran
             if isinstance(item.outcome, Counterexample)]  # fmt: skip
    return result.claim.verdict, found


def run_selected(
    collection: Collection,
    selectors: Sequence[str],
    *,
    jobs: int = 1,
    limit: float = 120.0,
    require: Sequence[str] = (),
    cached: bool = True,
    kernel: bool = True,
    known: Replayers | None = None,
    unsaid: Callable[[Claim, Mapping[str, str]], Iterable[str]] = lambda *_: (),
    progress: Callable[[int, int, str], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> LedgerRun:
    """Run the evidence for the selected claims; `jobs` 0 uses every core, and without `kernel` Coq does not run.

    The others are those of `dtmodel.ledger.runner.Options`. Raises `ExtraError` if a required engine is missing.
    """
    from dtmodel.companion.roots import store
    from dtmodel.ledger import Problem
    from dtmodel.ledger.cache import Cache
    from dtmodel.ledger.runner import Options, run_claims

    _need(require)
    package = Path(__file__).resolve().parents[1]
    start = time.perf_counter()
    trusted = cached and not os.environ.get("CI")
    with _coq(collection, selectors, trusted, kernel, say or (lambda _: None)) as (found, pins):
        cache = Cache(store(), {"dtmodel": package}, {"coq": found}, collection.index) if trusted else None
        with _doubts(collection.roots[0].path, None if selectors else cache) as again:
            negate, prove = (_negations, _theorems) if kernel else (None, None)
            cores = jobs if jobs > 0 else os.cpu_count() or 1
            options = Options(cores, limit, tuple(require), cache, progress, negate, prove, again, known, unsaid)
            done = run_claims(collection, selectors, replayers=REPLAYERS, options=options)
        collection.index.save()
        problems = [Problem("", text) for text in pins()]
        return replace(done, problems=(*done.problems, *problems), seconds=time.perf_counter() - start)


@contextmanager
def _doubts(checkout: Path, cache: Cache | None) -> Iterator[Callable[[Evidence], bool]]:
    """Yield a test that selects one piece of cached evidence in fifty to run again, once for each commit."""
    from dtmodel.base.workers import git

    commit = git(checkout, "rev-parse", "HEAD") if cache else ""
    if not cache or not commit or cache.store.get("doubted", commit):
        yield lambda _: False
        return
    yield lambda item: int(hashlib.sha256(f"{commit} {item.key}".encode()).hexdigest(), 16) % 50 == 0
    cache.store.put("doubted", {commit: True})


def _negations(witnesses: Sequence[Mapping[str, Any]]) -> Sequence[Negation]:
    from dtmodel.ledger.provers.coq_negation import negations

    return negations(witnesses)


def _theorems(root: Path, asked: Sequence[Kernel]) -> Sequence[Outcome | str]:
    from dtmodel.ledger.provers.coq import theorems

    return theorems(root, asked)


def _need(require: Sequence[str]) -> None:
    from dtmodel.ledger.provers import coq

    if {"smt", "all"} & set(require):
        need("z3", "cvc5")
    if {"coq", "all"} & set(require) and (reason := coq.unavailable()):
        raise ExtraError("Coq", install=reason)


@contextmanager
def _coq(
    collection: Collection, selectors: Sequence[str], trusted: bool, kernel: bool, say: Callable[[str], None]
) -> Iterator[tuple[str, Callable[[], list[str]]]]:
    """Yield Coq's version and a function that lists differences from the pins, empty if claims were selected.

    The development is built for the first evidence that needs it, in a new folder if no cache is `trusted`.
    """
    items = collection.evidence(selectors)[0]
    needed = any(aim.strength == "kernel" for item in items for aim in item.aims)
    if selectors and not needed:
        yield "", list
        return
    from dtmodel.ledger.provers import coq

    if not kernel:
        yield coq.version(), list
        return
    where = collection.roots[0].path / "proofs" / "coq"
    with TemporaryDirectory() as fresh:
        if not trusted:
            os.environ["DTMODEL_COQ_BUILD"] = fresh  # for the worker processes, too
        if not coq.unavailable() and not coq.is_built(where):
            say("building the Coq development (once for its present content)")
        try:
            yield coq.version(), lambda: [] if selectors else coq.problems(where)
        finally:
            if not trusted:
                del os.environ["DTMODEL_COQ_BUILD"]
