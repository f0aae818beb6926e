"""Running the evidence of a collection and computing the verdicts."""

import contextlib
import os
import time
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from dtmodel.children import Terminated, end_on_sigterm, in_workers
from dtmodel.errors import LedgerError
from dtmodel.ledger.cache import Cache
from dtmodel.ledger.claim import Claim, Kernel, Problem
from dtmodel.ledger.collection import Collection, Root, load_module
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
"""What ``--require`` accepts besides ``"all"``, and the strength of the evidence that needs it."""


_Job = Callable[[], Iterable["Ran"]]

KernelProver = Callable[[Path, Sequence[Kernel]], Sequence[Outcome | str]]
"""What asks a proof assistant for theorems, given the root of a collection: an outcome for each, or what is wrong."""


@dataclass(frozen=True)
class Options:
    """How to run: worker processes, the seconds that one piece of evidence may take, required engines, the cache.

    `again` says of which evidence the stored outcome is not believed but compared with a new one. `prove` is asked for
    the theorems that claims name; `negate` proves the negation of what a counterexample of kernel strength refutes.
    `known` replays the witnesses of stored outcomes, if other replayers than for new ones shall.
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


@dataclass(frozen=True)
class Ran:
    """What one piece of evidence returned: an outcome, or a fault; its witness replayed; seconds; what was read."""

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
    """A claim, its computed verdict, what ran for it, and every fault (none: all is as recorded)."""

    claim: Claim
    judgement: Judgement
    ran: tuple[Ran, ...]
    faults: tuple[str, ...]

    @property
    def as_recorded(self) -> bool:
        """Whether nothing is wrong with the claim."""
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
        """Whether every verdict is as recorded and nothing is wrong."""
        return not self.problems and all(result.as_recorded for result in self.results)


def run_claims(
    collection: Collection, selectors: Sequence[str] = (), *, replayers: Replayers, options: Options | None = None
) -> LedgerRun:
    """Run the evidence for the selected claims and compute their verdicts.

    `collection`: claims and evidence. `selectors`: which claims; all if empty. `replayers`: for each kind of witness,
    the module-level function that computes its answer. `options`: how to run. Raises `InputError` if a selector names
    no claim.
    """
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
    told = [*collection.problems, *unreviewed(collection, items, selectors)]
    own = [problem for problem in told if not problem.claim or problem.claim in claims]
    unread = [item for item in own if not item.claim and not selectors]
    results = [_with_faults(item, [p.message for p in own if p.claim == item.claim.id]) for item in results]
    unused = list(_unused(ran, options.require))
    return LedgerRun(tuple(results), (*unread, *problems, *unused), time.perf_counter() - start, tuple(selectors))


def run_one(root: Root, item: Evidence, replayers: Replayers, limit: float) -> Ran:
    """Run one piece of evidence, within a time limit, and replay its witness."""
    start = time.perf_counter()
    outcome: Any = None
    fault = ""
    try:
        module = load_module(root, item.module)
    except LedgerError as error:
        return Ran(item, None, str(error))
    try:
        function = registered_function(vars(module), item.name)
        with _time_limit(limit), recorded_certificates() as certificates:
            outcome = function()
            if isinstance(outcome, Proved) and not outcome.certificate and certificates:
                outcome = replace(outcome, certificate={"kind": "several", "parts": certificates})
        if not isinstance(outcome, Outcome):
            fault = f"it returned {type(outcome).__name__}: return Proved, Agrees, Counterexample, Conflict or Skipped"
            outcome = None
    except EngineMissing as error:
        outcome = Skipped(str(error))
    except Terminated:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever evidence raises is reported with the claim
        fault = _explain(error, item)
    done = _settled(Ran(item, outcome, fault, None, time.perf_counter() - start), replayers)
    kept = read_outcome(outcome_document(done.outcome)) if done.outcome else None
    return replace(done, outcome=kept, reads=reads())


def _settled(done: Ran, replayers: Replayers) -> Ran:
    """Replay the witness, or evaluate the stated hypotheses at the example."""
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
    """Let the kernel prove the negation of each statement that a counterexample of kernel strength refutes."""
    witnesses = {
        item.evidence.key: item.outcome.witness
        for item in ran
        if isinstance(item.outcome, Counterexample) and not item.fault and _needs_kernel(item.evidence)
    }
    asked = {key: witness.data for key, witness in witnesses.items() if witness.kind == "values"}
    nobody = Negation("", skipped="nothing here can put it to a kernel")
    said = negate(list(asked.values())) if negate and asked else [nobody] * len(asked)
    negations = dict.fromkeys(witnesses, Negation("", "only a witness of kind 'values' can be put to the kernel"))
    negations |= dict(zip(asked, said, strict=True))
    done = [replace(item, negation=negations.get(item.evidence.key)) for item in ran]
    return [replace(item, fault=item.negation.fault) if item.negation else item for item in done]


def run_kernel(root: Root, items: Sequence[Evidence], prove: KernelProver | None, limit: float) -> list[Ran]:
    """Ask for all theorems at once: whoever asks first builds the development."""
    asked = [item.kernel for item in items if item.kernel]
    said: Sequence[Outcome | str]
    try:
        with _time_limit(limit):
            said = prove(root.path, asked) if prove else [Skipped("nothing here proves theorems")] * len(asked)
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
    """Say so if the cache held another kind of outcome for the same evidence."""
    if ran.fault or stored is None or type(stored) is type(ran.outcome):
        return ran
    kinds = f"{type(stored).__name__}, now {type(ran.outcome).__name__}"
    return replace(ran, fault=f"the cache held {kinds}: it depends on what the cache does not know of; mend it")


def _needs_kernel(item: Evidence) -> bool:
    return any(aim.strength == "kernel" for aim in item.aims)


def _jobs(tasks: Sequence[tuple[Root, Evidence]], replayers: Replayers, options: Options) -> Iterator[_Job]:
    """Yield what to do: first all theorems of a root together, since one worker may have to build them."""
    build = options.limit * 10
    theorems: dict[Root, list[Evidence]] = {}
    for root, item in tasks:
        if item.kernel:
            theorems.setdefault(root, []).append(item)
    for root, items in theorems.items():
        yield partial(run_kernel, root, items, options.prove, build)
    modules: dict[tuple[Root, str], list[Evidence]] = {}
    for root, item in tasks:
        if not item.kernel:
            modules.setdefault((root, item.module), []).append(item)
    cores = options.jobs if options.jobs > 0 else os.cpu_count() or 1
    most = 1 + len(tasks) // (_SHARES * cores)
    for (root, _), items in modules.items():
        for first in range(0, len(items), most):
            yield partial(_one_by_one, root, items[first : first + most], replayers, options.limit)


_SHARES = 8
"""In how many shares, at the least, the evidence falls for each process: else one works on while the others idle."""


def _one_by_one(root: Root, items: Sequence[Evidence], replayers: Replayers, limit: float) -> Iterator[Ran]:
    """Run evidence of one module in one process, where what one piece has derived is known to the next."""
    for item in items:
        yield run_one(root, item, replayers, limit * 10 if _needs_kernel(item) else limit)


def _done(job: _Job) -> list[Ran]:
    return [*job()]


def _execute(
    tasks: Sequence[tuple[Root, Evidence]], replayers: Replayers, options: Options
) -> Generator[Ran, None, None]:
    todo = list(_jobs(tasks, replayers, options))
    if options.jobs == 1 or len(todo) < 2:
        for job in todo:
            yield from job()
        return
    from joblib import delayed

    jobs = min(options.jobs, len(todo)) if options.jobs > 0 else options.jobs
    calls = (delayed(_done)(job) for job in todo)
    for done in in_workers(jobs, calls, return_as="generator_unordered", batch_size=1):
        yield from done


def _result(
    claim: Claim, found: Sequence[tuple[Ran, str, str]], collection: Collection, options: Options
) -> ClaimResult:
    findings = [finding for ran, form, strength in found for finding in _findings(ran, form, strength)]
    judgement = judge(claim, findings)
    ran = tuple({item.evidence.key: item for item, _, _ in found}.values())
    faults = [f"{item.evidence.name}: {item.fault}" for item in ran if item.fault] + list(judgement.faults)
    for item in ran:
        if isinstance(item.outcome, Conflict) and not opponents(item.evidence, item.outcome, claim.id):
            faults.append(f"{item.evidence.name} is in conflict with itself: name the other claim")
        if isinstance(item.outcome, Conflict) and item.outcome.claim not in collection.claims:
            faults.append(
                f"{item.evidence.name} is in conflict with {item.outcome.claim!r}, which no file claims: "
                "add the claim, or mend the id"
            )
    faults += _required(findings, options.require)
    return ClaimResult(claim, judgement, ran, tuple(faults))


def opponents(item: Evidence, outcome: Conflict, claim: str) -> list[str]:
    """Return what a claim is in conflict with: where the evidence names both sides, the others of them."""
    sides = [name for aim in item.aims for name in aim.claims]
    named = sides if outcome.claim in sides else [outcome.claim]
    return [name for name in dict.fromkeys(named) if name != claim]


def _findings(ran: Ran, form: str, strength: str) -> Iterator[Finding]:
    """Yield what an item says; a counterexample that no kernel was asked about still stands, as an exact one."""
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
    """Say which required engine decided nothing, so that nobody takes silence for a proof."""
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
        wrong = verdict not in ("holds", NOT_RUN, UNDECIDED)  # an undecided one is a fault of its own
        message = f"its corrected statement {item.claim.corrected} comes out as {verdict}: it must hold"
        checked.append(_with_faults(item, [message] if wrong else []))
    return checked


def _with_faults(item: ClaimResult, faults: Sequence[str]) -> ClaimResult:
    return ClaimResult(item.claim, item.judgement, item.ran, (*item.faults, *faults)) if faults else item


def _explain(error: BaseException, item: Evidence) -> str:
    """Return the error in one line, with the line of the evidence's own file where it arose."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame.lineno for frame in frames if frame.filename == item.file]
    where = f" (line {own[-1]} of {os.path.basename(item.file)})" if own else ""  # noqa: PTH119 - a name only
    text = " ".join(str(error).split())
    return f"it raised {type(error).__name__}{': ' if text else ''}{text[:600]}{where}"


def _time_limit(limit: float) -> contextlib.AbstractContextManager[None]:
    """End evidence that takes too long."""
    return ended_within(
        limit, LedgerError(f"it took longer than {limit:g} s: make it faster, or move it to an exhaustive test")
    )
