"""The symbolic trajectories of cells, and the atoms that must not be 0 for them to hold on boundaries, too."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from dtmodel.derive.algebra.number import Ratio
from dtmodel.derive.algebra.open_set import IrreduciblePolynomial
from dtmodel.derive.search.counters import Counted, CounterSettings
from dtmodel.derive.search.family import AT_A_DROP
from dtmodel.derive.search.paths import Cell, SymbolicExploration, example_of
from dtmodel.derive.search.phases import Chosen, Law, Trajectory, last_away
from dtmodel.policies import EDT
from dtmodel.policies.caps import Caps
from dtmodel.policies.complete import FullBuffer
from dtmodel.policies.edt import CountersAndTimers

if TYPE_CHECKING:
    from dtmodel.derive.search.family import Ask


def asked_alone(ask: Ask, found: SymbolicExploration) -> SymbolicExploration:
    """Restrict an exploration to one question, without its suffix: cells, cases, and the runs up to the answer."""
    ask, keys = replace(ask, suffix=""), ask.keys

    def only(answers: Mapping[str, Ratio | None]) -> dict[str, Ratio | None]:
        return {keys[key]: answer for key, answer in answers.items() if key in keys}

    def of(cell: Cell) -> Cell:
        seen, answers = cell.observed, only(cell.answers)
        if ask.time is not None:
            last = [phase.begin == value_of(ask.time, found) for phase in seen.phases]
        else:
            lost = ask.kind in AT_A_DROP and answers.get(ask.kind) is not None
            last = [lost and phase.losses[ask.queue] != 0 for phase in seen.phases]
        phases = seen.phases[: last.index(True) + 1] if True in last else seen.phases
        return replace(cell, answers=answers, observed=replace(seen, answers=answers, phases=phases))

    problem = replace(found.problem, family=replace(found.problem.family, asks=(ask,)))
    cases = [replace(case, answers=only(case.answers)) for case in found.cases]
    return replace(found, problem=problem, cells=[of(cell) for cell in found.cells], cases=cases)


def trajectories_of(found: SymbolicExploration) -> list[Trajectory]:
    """Return the trajectory of each cell of an exploration of one question."""
    settings, sojourns, (ask,) = counter_settings(found), sojourns_of(found), found.problem.family.asks
    each = [_trajectory(cell, list(_laws(cell, found)), ask, settings, found) for cell in found.cells]
    if not sojourns:
        return each
    return [replace(trajectory, chosen=_chosen(trajectory.laws, sojourns, found)) for trajectory in each]


def common_ratios(found: SymbolicExploration, trajectories: Sequence[Trajectory]) -> list[Ratio]:
    """Return all functions that the trajectories of a question share."""
    family = found.problem.family
    times = [term for term in (family.asks[0].time, family.until) if term is not None]
    sojourns = sojourns_of(found)
    inverse = [Ratio(time.field, time.bottom, time.top) for time in sojourns]
    laws = [ratio for trajectory in trajectories for law in trajectory.laws for ratio in law.ratios()]
    settings = counter_settings(found)
    laws += [ratio for ratio in vars(settings).values() if ratio is not None] if settings else []
    return [*laws, *(value_of(term, found) for term in (family.buffer, *times)), *sojourns, *inverse]


def nonzero_atoms(
    trajectory: Trajectory, answers: Mapping[str, Ratio | None], common: Sequence[Ratio], found: SymbolicExploration
) -> list[IrreduciblePolynomial]:
    """Return the atoms that must not be 0 for a trajectory and its answers to hold on a boundary of the cell."""
    bottoms = [ratio.bottom for ratio in (*common, *trajectory.ratios(answers))]
    polys = [*bottoms, *trajectory.needed()]
    atoms = dict.fromkeys(atom for poly in polys for atom, _ in found.arena.factored(poly)[1])
    return [atom for atom in atoms if not (atom.known and found.facts.positive(atom))]


def sojourns_of(found: SymbolicExploration) -> list[Ratio]:
    """Return the sojourn times of L2BM's classes if the constant is one of them."""
    values = found.problem.family.policy.values
    if values.get("normalisation") not in ("least", "greatest"):
        return []
    return [value_of(time, found) for time in values["sojourns"]]


def _chosen(laws: Sequence[Law], sojourns: Sequence[Ratio], found: SymbolicExploration) -> Chosen:
    """Return the sojourn time that is the constant of a cell, with the proof that it is the least or the greatest."""
    values = found.problem.family.policy.values
    alpha = value_of(values["alpha"], found)
    place = next(k for k, time in enumerate(sojourns) if laws[0].alpha == alpha * time / sojourns[0])
    turn = 1 if values["normalisation"] == "least" else -1
    return Chosen(place, [((time - sojourns[place]) * turn, False) for time in sojourns])


def counter_settings(found: SymbolicExploration) -> CounterSettings | None:
    """Return EDT's counting number and timers; None for other policies."""
    family = found.problem.family
    if family.policy.kind is not EDT:
        return None
    terms = [family.policy.values[name] for name in ("cn2", "tm1", "tm2")]
    cn2, tm1, tm2 = (None if term is None else value_of(term, found) for term in terms)
    return CounterSettings(cast("Ratio", cn2), tm1, tm2, value_of(family.buffer, found))


def _laws(cell: Cell, found: SymbolicExploration) -> Iterator[Law]:
    """Yield the bounds and the arrivals of each class."""
    family, counts, policy = found.problem.family, cell.observed.counts, cell.observed.policy
    assert policy is not None
    for k, queue in enumerate(family.queues):
        limit, reserve = policy.limits[k], policy.reserves[k] if policy.reserves else found.problem.ring(0)
        top = limit and (limit.cap if limit.slope else limit.offset)
        yield Law(
            counts[k],
            value_of(queue.rate or family.rate, found),
            cast("Ratio", limit.slope) if limit and limit.slope else None,
            reserve,
            None if top is None else top - reserve,
            None if queue.initial is None else value_of(queue.initial, found),
            [(value_of(time, found), value_of(rate, found)) for time, rate in queue.arrivals],
        )


def certifiable(found: SymbolicExploration) -> bool:
    """Return True if trajectories state the policy: thresholds reserve + min(alpha F, cap), complete sharing or EDT.

    Those of a full pool do not state what reserves admit beside a thinned part, and none states a cycle.
    """
    if found.cyclic or not found.problem.family.policy.certifiable:
        return False
    policy = found.cells[0].observed.policy
    assert policy is not None
    if any(ask.others for ask in found.problem.family.asks):
        return False
    reserves = policy.reserves or [found.problem.ring(0)] * len(policy.limits)
    each = zip(policy.limits, reserves, strict=True)
    shifted = any(limit and limit.slope and limit.offset != reserve for limit, reserve in each)
    if any(policy.reserves) and any(
        phase.fraction is not None for cell in found.cells for phase in cell.observed.phases
    ):
        return False
    return not shifted and isinstance(policy.memory, Caps | CountersAndTimers | FullBuffer | None)


def _trajectory(
    cell: Cell, laws: Sequence[Law], ask: Ask, settings: CounterSettings | None, found: SymbolicExploration
) -> Trajectory:
    phases = cell.observed.phases
    until = None if found.problem.family.until is None else value_of(found.problem.family.until, found)
    last = "never" if until is None else "until"
    ends = (
        "time"
        if ask.time is not None
        else "loss"
        if cell.answers.get(ask.kind) is not None and ask.kind in AT_A_DROP
        else last
    )
    if ends == "never":
        phases = phases[:-1]  # the last phase, which has no end
    away = last_away(phases) if ask.kind == "recovered" else None
    if settings is None:
        return Trajectory(phases, laws, ends, ask.queue, until, away)
    point = list(example_of(found, cell).values())
    value, counts, rates = Ratio.at, [law.count for law in laws], [law.rate for law in laws]
    at_end = ask.kind == "threshold" and (until is None or value_of(ask.time, found) != until)
    counted = Counted(settings, phases, counts, rates, ends, at_end, lambda ratio: _sign(value(ratio, point)))
    return Trajectory(phases, laws, ends, ask.queue, until, away, counted)


def _sign(number: Fraction) -> int:
    return (number > 0) - (number < 0)


def value_of(term: Any, found: SymbolicExploration) -> Ratio:
    """Return an expression of the family in the symbols of its ring."""
    value: Ratio = found.problem.ring(0) + term.value(found.problem.values)
    return value
