"""Running the evidence of a collection and computing the verdicts."""

import contextlib
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from dtmodel.base.errors import LedgerError
from dtmodel.base.workers import Ended, Terminated, Work, answers, end_on_sigterm
from dtmodel.ledger.cache import Cache
from dtmodel.ledger.claim import Claim, Kernel, Problem
from dtmodel.ledger.collection import Collection, Root, error_line, load_module
from dtmodel.ledger.evidence import (
    Conflict,
    Counterexample,
    EngineMissing,
    Evidence,
    Outcome,
    Proved,
    Skipped,
    jsonable,
    outcome_document,
    read_outcome,
    recorded_certificates,
    registered_function,
)
from dtmodel.ledger.manifest import unreviewed
from dtmodel.ledger.reads import Reads, reads
from dtmodel.ledger.replay import Negation, Negator, Replay, Replayers, replay_witness
from dtmodel.ledger.time_limit import ended_within
from dtmodel.ledger.values import evaluate_all, read_values
from dtmodel.ledger.verdict import NOT_RUN, UNDECIDED, Finding, Judgement, judge

ENGINES = {"coq": "kernel", "smt": "smt"}
"""The values of ``--require`` besides ``"all"``, and the strength of the evidence that needs each engine."""

KernelProver = Callable[[Path, Sequence[Kernel]], Sequence[Outcome | str]]
"""The function that proves theorems, given the root of a collection: an outcome for each, or a fault as text."""


@dataclass(frozen=True)
class Options:
    """Options of a run; `limit` is in seconds for one piece of evidence.

    `again` selects evidence whose stored outcome is compared with a new one, `prove` proves theorems, `negate` proves
    negations of kernel strength, `known` replays witnesses of stored outcomes, `unsaid` finds parts of forms that a
    statement omits.
    """

    jobs: int = 1
    limit: float = 120.0
    require: tuple[str, ...] = ()
    cache: Cache | None = None
    progress: Callable[[int, int, str], None] | None = None
    negate: Negator | None = None
    prove: KernelProver | None = None
    again: Callable[[Evidence], bool] = lambda _: False
    known: Replayers | None = None
    unsaid: Callable[[Claim, Mapping[str, str]], Iterable[str]] = lambda *_: ()


@dataclass(frozen=True)
class Ran:
    """The result of one piece of evidence: an outcome or a fault, the replayed witness, seconds, and the files read."""

    evidence: Evidence
    outcome: Outcome | None
    fault: str = ""
    replay: Replay | None = None
    seconds: float = 0.0
    cached: bool = False
    negation: Negation | None = None
    reads: Reads = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class ClaimResult:
    """A claim, its computed verdict, the evidence that ran for it, and every fault."""

    claim: Claim
    judgement: Judgement
    ran: tuple[Ran, ...]
    faults: tuple[str, ...]

    @property
    def as_recorded(self) -> bool:
        """True if the claim has no fault."""
        return not self.faults


@dataclass(frozen=True)
class LedgerRun:
    """The results of a run, the faults that belong to no single claim, and the seconds it took."""

    results: tuple[ClaimResult, ...]
    problems: tuple[Problem, ...]
    seconds: float
    selectors: tuple[str, ...] = field(default=())

    @property
    def as_recorded(self) -> bool:
        """True if every verdict is as recorded and there is no fault."""
        return not self.problems and all(result.as_recorded for result in self.results)


def run_claims(
    collection: Collection, selectors: Sequence[str] = (), *, replayers: Replayers, options: Options | None = None
) -> LedgerRun:
    """Run the evidence for the selected claims (all without selectors) and compute their verdicts."""
    options = options or Options()
    start = time.perf_counter()
    claims = collection.select(selectors)
    items, problems = collection.evidence(selectors)
    with end_on_sigterm():
        ran = _negated(_run_all(collection.roots, items, replayers, options), options.negate)
    by_claim: dict[str, list[tuple[Ran, str, str]]] = {}
    for done in ran:
        for aim in done.evidence.aims:
            for claim in aim.claims:
                by_claim.setdefault(claim, []).append((done, aim.form, aim.strength))
    results = [_result(claim, by_claim.get(name, []), collection, options) for name, claim in claims.items()]
    results = _check_corrected(results)
    told = [*collection.problems, *problems, *unreviewed(collection, selectors), *_unused(ran, options.require)]
    results = [_with_faults(item, [p.message for p in told if p.claim == item.claim.id]) for item in results]
    others = tuple(problem for problem in told if problem.claim not in claims)
    return LedgerRun(tuple(results), others, time.perf_counter() - start, tuple(selectors))


def run_one(root: Root, item: Evidence, replayers: Replayers, limit: float) -> Ran:
    """Run one piece of evidence, within a time limit, and replay its witness."""
    start = time.perf_counter()
    outcome: Outcome | None = None
    kept: Outcome | None = None
    fault = ""
    try:
        function = registered_function(vars(load_module(root, item.module)), item.name)
        with _time_limit(limit), recorded_certificates() as certificates:
            outcome = function()
            if isinstance(outcome, Proved) and not outcome.certificate and certificates:
                outcome = replace(outcome, certificate={"kind": "several", "parts": certificates})
            kept = _read(outcome)
    except EngineMissing as error:
        outcome = kept = Skipped(str(error))
    except Terminated:
        raise
    except LedgerError as error:
        fault = str(error)
    except BaseException as error:  # noqa: BLE001 - every error of evidence is reported with the claim
        fault = f"it raised {error_line(error, item.file)}"
    done = _settled(Ran(item, outcome if kept else None, fault, None, time.perf_counter() - start), replayers)
    return replace(done, outcome=kept, reads=reads())


def _read(outcome: object) -> Outcome:
    """Return an outcome after writing and reading it; raise `LedgerError` for everything else."""
    if not isinstance(outcome, Outcome):
        kind = type(outcome).__name__
        raise LedgerError(f"it returned {kind}: return Proved, Agrees, Counterexample, Conflict, Repeated or Skipped")
    try:
        return read_outcome(outcome_document(outcome))
    except Exception as error:
        raise LedgerError(f"it returned {type(outcome).__name__} with a wrong field: {error}") from error


def _settled(done: Ran, replayers: Replayers) -> Ran:
    outcome, fault, again = done.outcome, done.fault, None
    if isinstance(outcome, Counterexample):
        again = replay_witness(outcome.witness, replayers)
        fault = again.fault
    if isinstance(outcome, Proved) and outcome.hypotheses:
        try:
            broken = evaluate_all(outcome.hypotheses, read_values(jsonable(outcome.example)))
        except LedgerError as error:
            broken = [str(error)]
        fault = f"its example violates the hypothesis {broken[0]!r}: give one that satisfies it" if broken else ""
    return Ran(done.evidence, outcome, fault, again, done.seconds, done.cached)


def _negated(ran: Sequence[Ran], negate: Negator | None) -> list[Ran]:
    """Add the kernel's proof of the negation of each statement that a counterexample of kernel strength refutes."""
    witnesses = {
        item.evidence.key: item.outcome.witness
        for item in ran
        if isinstance(item.outcome, Counterexample) and not item.fault and _needs_kernel(item.evidence)
    }
    asked = {key: witness.data for key, witness in witnesses.items() if witness.kind == "values"}
    nobody = Negation("", skipped="this run has no kernel")
    said = negate(list(asked.values())) if negate and asked else [nobody] * len(asked)
    negations = dict.fromkeys(witnesses, Negation("", "the kernel checks only witnesses of kind 'values'"))
    negations |= dict(zip(asked, said, strict=True))
    done = [replace(item, negation=negations.get(item.evidence.key)) for item in ran]
    return [replace(item, fault=item.negation.fault) if item.negation else item for item in done]


def run_kernel(root: Root, items: Sequence[Evidence], *, prove: KernelProver | None, limit: float) -> list[Ran]:
    """Prove all theorems of a root in one call, since the first one builds the development."""
    asked = [item.kernel for item in items if item.kernel]
    said: Sequence[Outcome | str]
    try:
        with _time_limit(limit):
            said = prove(root.path, asked) if prove else [Skipped("this run has no prover for theorems")] * len(asked)
    except LedgerError as error:
        said = [str(error)] * len(asked)
    return [
        Ran(item, None, answer) if isinstance(answer, str) else Ran(item, read_outcome(outcome_document(answer)))
        for item, answer in zip(items, said, strict=True)
    ]


def _run_all(roots: Sequence[Root], items: Sequence[Evidence], replayers: Replayers, options: Options) -> list[Ran]:
    root_of = {root.package: root for root in roots}
    tasks = [(root_of[item.module.split(".", 1)[0]], item) for item in items]
    done: dict[str, Ran] = {}
    doubted: dict[str, Outcome] = {}
    for root, item in tasks:
        if item.refuted:
            done[item.key] = _settled(Ran(item, item.refuted), replayers)
            continue
        stored = options.cache.get(root, item) if options.cache and not item.kernel else None
        if stored and options.again(item):
            doubted[item.key] = stored
        elif stored:
            done[item.key] = _settled(Ran(item, stored, cached=True), options.known or replayers)
    left = [(root, item) for root, item in tasks if item.key not in done]
    with contextlib.closing(_execute(left, replayers, options)) as results:
        for count, new in enumerate(results, 1):
            ran = done[new.evidence.key] = _as_stored(new, doubted.get(new.evidence.key))
            keep = ran.outcome is not None and not isinstance(ran.outcome, Skipped) and not ran.fault
            if options.cache and ran.outcome and keep and not ran.evidence.kernel:
                root = root_of[ran.evidence.module.split(".", 1)[0]]
                options.cache.put(root, ran.evidence, ran.outcome, ran.reads)
            if options.progress:
                options.progress(count, len(left), ran.evidence.name)
    return [done[item.key] for item in items]


def _as_stored(ran: Ran, stored: Outcome | None) -> Ran:
    """Add a fault if the cache held another kind of outcome for the same evidence."""
    if ran.fault or stored is None or type(stored) is type(ran.outcome):
        return ran
    kinds = f"{type(stored).__name__}, now {type(ran.outcome).__name__}"
    return replace(
        ran, fault=f"the cache held {kinds}: it depends on something that is not in the key of the cache; mend it"
    )


def _needs_kernel(item: Evidence) -> bool:
    return any(aim.strength == "kernel" for aim in item.aims)


def _works(tasks: Sequence[tuple[Root, Evidence]], replayers: Replayers, options: Options) -> Iterator[Work]:
    """Yield work for child processes: all theorems of a root together, then the evidence of each module together."""
    limit = partial(_limit, options.limit)
    theorems: dict[Root, list[Evidence]] = {}
    modules: dict[tuple[Root, str], list[list[Evidence]]] = {}
    for root, item in tasks:
        if item.kernel:
            theorems.setdefault(root, []).append(item)
        else:
            modules.setdefault((root, item.module), []).append([item])
    for root, items in theorems.items():
        yield Work([items], partial(run_kernel, root, prove=options.prove, limit=limit(items)), limit)
    most = 1 + len(tasks) // (_SHARES * options.jobs)
    for (root, _), pieces in modules.items():
        run = partial(_run_each, root, replayers=replayers, limit=limit)
        yield from (Work(pieces[n : n + most], run, limit) for n in range(0, len(pieces), most))


_SHARES = 8  # the least number of shares of evidence for each process, so that no process idles while another has work


def _limit(seconds: float, items: Sequence[Evidence]) -> float:
    """Return the seconds that evidence may take: ten times as many for a proof assistant."""
    return seconds * 10 if any(map(_needs_kernel, items)) else seconds


def _run_each(
    root: Root, items: Sequence[Evidence], *, replayers: Replayers, limit: Callable[[Sequence[Evidence]], float]
) -> list[Ran]:
    return [run_one(root, item, replayers, limit([item])) for item in items]


def _execute(
    tasks: Sequence[tuple[Root, Evidence]], replayers: Replayers, options: Options
) -> Generator[Ran, None, None]:
    for items, answer in answers(options.jobs, list(_works(tasks, replayers, options))):
        yield from [Ran(item, None, answer.why) for item in items] if isinstance(answer, Ended) else answer


def _result(
    claim: Claim, found: Sequence[tuple[Ran, str, str]], collection: Collection, options: Options
) -> ClaimResult:
    findings = [finding for ran, form, strength in found for finding in _findings(ran, form, strength)]
    judgement = judge(claim, findings)
    ran = tuple({item.evidence.key: item for item, _, _ in found}.values())
    faults = [f"{item.evidence.where}: {item.fault}" for item in ran if item.fault] + list(judgement.faults)
    for item in ran:
        if isinstance(item.outcome, Conflict) and not opponents(item.evidence, item.outcome, claim.id):
            faults.append(f"{item.evidence.where} is in conflict with itself: name the other claim")
        if isinstance(item.outcome, Conflict) and item.outcome.claim not in collection.claims:
            faults.append(
                f"{item.evidence.where} is in conflict with {item.outcome.claim!r}, which no file claims: "
                "add the claim, or mend the id"
            )
    faults += _required(findings, options.require)
    unsaid = options.unsaid(claim, collection.preludes)
    faults += [f"its statement does not depend on {part}: mend the words that tell it" for part in unsaid]
    return ClaimResult(claim, judgement, ran, tuple(faults))


def opponents(item: Evidence, outcome: Conflict, claim: str) -> list[str]:
    """Return the claims that a claim is in conflict with: the other sides that the evidence names."""
    sides = [name for aim in item.aims for name in aim.claims]
    named = sides if outcome.claim in sides else [outcome.claim]
    return [name for name in dict.fromkeys(named) if name != claim]


def _findings(ran: Ran, form: str, strength: str) -> Iterator[Finding]:
    """Yield the findings of an item; a counterexample that was not put to the kernel stands as an exact one."""
    name = ran.evidence.name
    if strength == "kernel" and ran.negation and ran.negation.skipped:
        yield Finding(name, form, "kernel", Skipped(ran.negation.skipped))
        yield Finding(name, form, "exact", ran.outcome)
    else:
        yield Finding(name, form, strength, ran.outcome)


def _required(findings: Sequence[Finding], require: Sequence[str]) -> Iterator[str]:
    engines = ENGINES if "all" in require else {name: ENGINES[name] for name in require}
    for item in findings:
        if isinstance(item.outcome, Skipped) and (item.strength in engines.values() or "all" in require):
            yield f"{item.evidence} was skipped, but is required ({item.outcome.reason})"


def _unused(ran: Sequence[Ran], require: Sequence[str]) -> Iterator[Problem]:
    used = {aim.strength for item in ran if item.outcome and not isinstance(item.outcome, Skipped)
            and not (item.negation and item.negation.skipped) for aim in item.evidence.aims}  # fmt: skip
    for name, strength in ENGINES.items():
        if name in require and strength not in used:
            yield Problem("", f"{name} is required, but this run has no result of it: select claims that rest on it")


def _check_corrected(results: Sequence[ClaimResult]) -> list[ClaimResult]:
    verdicts = {item.claim.id: item.judgement.verdict for item in results}
    checked = []
    for item in results:
        verdict = verdicts.get(item.claim.corrected, "holds")
        wrong = verdict not in ("holds", NOT_RUN, UNDECIDED)  # an undecided claim has a fault already
        message = f"its corrected statement {item.claim.corrected} comes out as {verdict}: it must hold"
        checked.append(_with_faults(item, [message] if wrong else []))
    return checked


def _with_faults(item: ClaimResult, faults: Sequence[str]) -> ClaimResult:
    return ClaimResult(item.claim, item.judgement, item.ran, (*item.faults, *faults)) if faults else item


def _time_limit(limit: float) -> contextlib.AbstractContextManager[None]:
    return ended_within(
        limit, LedgerError(f"it took longer than {limit:g} s: make it faster, or move it to an exhaustive test")
    )
