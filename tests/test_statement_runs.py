"""Statements are held against runs of the fluid model and against traces of packets."""

import random
from fractions import Fraction
from typing import Any

import pytest
from refusals import refused
from statement_points import ALL, SWITCH

from dtmodel import DT, EDT, Arrivals, CompleteSharing, InputError, Switch, simulate, trace
from dtmodel.policies import Pool, QueueLimits, SharedPools, StaticPartition, Weighted
from dtmodel.theorems.statement import Statement
from dtmodel.theory import dt, edt
from dtmodel.theory.dt import runs as dt_runs
from dtmodel.theory.dynaq import runs as dynaq_runs
from dtmodel.theory.dynaq import statements as dynaq_statements
from dtmodel.theory.edt import runs as edt_runs
from dtmodel.theory.edt import statements as edt_statements
from dtmodel.theory.l2bm import runs as l2bm_runs
from dtmodel.theory.l2bm import statements as l2bm_statements
from dtmodel.theory.losspass import statements as losspass_statements


@pytest.mark.parametrize(
    "rates", [["2 Gbps"] * 2, ["8 Gbps"] * 2, ["4 Gbps", "3 Gbps"], ["1.5 Gbps"] * 2, ["9 Gbps", "2 Gbps"]]
)
def test_a_run_obeys_the_theorems_that_speak_of_it(rates: list[str]) -> None:
    steady = Arrivals.constant("9 Gbps")
    arrivals = {0: steady, **{k: Arrivals.constant(rate) for k, rate in enumerate(rates, 1)}}
    run = simulate(SWITCH, DT(alpha=1), arrivals, initial={0: "steady"}, until="90 ms")
    assert dt.theorem3_corrected.check(run)
    if len(set(rates)) == 1:
        assert dt.theorem1.check(run)
        assert dt.theorem1_corrected.check(run)
    else:
        with pytest.raises(InputError, match="one rate"):
            dt.theorem1.check(run)


def beside_two(policy: Any) -> Any:
    """A burst at an empty port beside two steady ones, all offered twice what they drain."""
    arrivals = dict.fromkeys(range(3), Arrivals.constant(2))
    return simulate(Switch(3, 6, 1), policy, arrivals, initial={1: "steady", 2: "steady"}, until=9)


def alone(policy: Any, rate: Any) -> Any:
    return simulate(Switch(3, 6, 1), policy, {0: Arrivals.constant(rate)}, until=9)


def numbers_of(shown: dict[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in shown.items() if isinstance(value, int | Fraction))


ONE_RATE = "alpha=1 B=6 C=1 P=3 N=2 M=1 R=2"
SEEN = "first_drop=3/2 free_at_first_drop=3/2"
COUNTED = EDT(1, cn2="1/2")
WEIGHTS = Weighted([1, 1, 2])
POOL = SharedPools([QueueLimits(1)] * 3)


@pytest.mark.parametrize(
    ("read", "run", "given", "shown"),
    [
        (dt_runs.bursts_of_one_rate, beside_two(DT(1)), ONE_RATE, SEEN),
        (edt_runs.bursts_under_edt, beside_two(COUNTED), f"{ONE_RATE} c_n2=1/2", "first_drop=6"),
        (edt_runs.bursts_that_overflow, beside_two(COUNTED), "B=6 C=1 P=3 N=2 M=1 R=2", "first_drop=6"),
        (edt_runs.growth_until_drop, beside_two(DT(1)), ONE_RATE, "c_n2=3/2"),
        (edt_runs.slowest_growth, beside_two(DT(1)), "alpha=1 B=6 P=3 d=3/2", "growth=1"),
        (edt_runs.time_to_count, beside_two(DT(1)), "alpha=1 P=3 d=3/2", "TM_1=24/25"),
        (edt_runs.burst_that_fills, alone(CompleteSharing(), 2), "B=6 C=1 R_min=2 d_mb=3", "d=6 TM_2=6"),
        (edt_runs.any_arrivals, beside_two(DT(1)), "alpha=1 B=6 C=1 N=2 until=9", SEEN),
        (edt_runs.bursts_in_phases, beside_two(DT(1)), "alpha=1 B=6 C=1 N=2 M=1 d_1=9 d_2=9 d_3=9", SEEN),
        (l2bm_runs.steady_weights, beside_two(WEIGHTS), "B=6 w_i=1 W=4", "held=6/5 occupancy=24/5 free=6/5"),
        (l2bm_runs.lengths_at_drops, beside_two(WEIGHTS), "B=6 Q=24/5 alpha=1", "limit=6/5"),
        (l2bm_runs.burst_with_a_reserve, beside_two(POOL), "r=0 alpha=1 c=6000000000 F_0=2 growth=1 fall=1/3",
         "first_drop=3/2"),
        (l2bm_runs.steady_pool, beside_two(POOL), "S=6 A=3 caps=0 r=0 alpha=1 c=6000000000", "free=3/2 held=3/2"),
        (l2bm_runs.first_drop_beside_steady_queues, beside_two(WEIGHTS),
         "B=6 W_S=3 w_k=1 growth=1 inflow=1 draining=0 W_F=3", "fall=1/4 free_0=3/2 drop=6/5"),
        (dynaq_runs.quotas, alone(StaticPartition([2, 2, 2]), 2), "B=6 W=2 w_i=2", "Q_i=2"),
        (dynaq_runs.output_rates, alone(CompleteSharing(), "1/2"), "lambda_i=1/2 alpha_i=1", "mu_i=1/2"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)  # fmt: skip
def test_what_is_read_off_a_run(read: Any, run: Any, given: str, shown: str) -> None:
    values, seen = read(run)[0]
    assert (numbers_of(values), numbers_of(seen)) == (given, shown)


def test_bursts_are_read_off_a_run_with_their_ports() -> None:
    run = beside_two(DT(1))
    common = {"alpha": 1, "B": 6, "C": 1, "P": 3, "N": 2}
    assert dt_runs.one_alpha(run) == 1
    assert dt_runs.read_bursts(run, Fraction(1)) == (common, [(0, 2)])
    assert dt_runs.alike(run) == ({**common, "M": 1, "R": 2}, 0)
    assert dt_runs.bursts_of_many_rates(run) == [
        ({**common, "R": [2]}, {"first_drop": [Fraction(3, 2)], "free_at_first_drop": [Fraction(3, 2)]})
    ]


class Late:
    """A run that says that every queue dropped a second later, or not at all, and held a byte more in the end."""

    def __init__(self, run: Any, *, never: bool = False) -> None:
        self.run, self.never = run, never

    def __getattr__(self, name: str) -> Any:
        return getattr(self.run, name)

    def first_drop(self, index: int) -> Fraction | None:
        drop = self.run.first_drop(index)
        return None if drop is None or self.never else Fraction(drop + 1)

    def queue(self, index: int) -> Any:
        return Longer(self.run.queue(index))

    def drained(self, index: int) -> Fraction:
        return Fraction(self.run.drained(index) + 1)


class Longer:
    def __init__(self, queue: Any) -> None:
        self.breakpoints, self.real = queue.breakpoints, queue

    def at(self, time: Fraction) -> Fraction:
        return Fraction(self.real.at(time) + (self.real.at(time) > 0))


def runs_that_obey() -> dict[str, tuple[Any, tuple[Statement, ...]]]:
    """Small runs of the exact engine, and the statements that speak of each."""
    switch, busy = Switch(8, 12, 1), Arrivals.constant
    fast = simulate(
        switch, DT(alpha=1), {0: busy(3), 1: busy(13), 2: busy(3), 3: busy(2)}, initial={0: "steady"}, until=40
    )
    rising = Arrivals([(0, 2), (1, 5), (2, 2), (8, 0)])
    phases = simulate(Switch(8, 6, 1), DT(alpha=1), {0: busy(9), 1: rising}, initial={0: "steady"}, until=9)
    short = Arrivals([(0, "3/2"), (1, 0)])
    spared = simulate(switch, DT(alpha=1), {0: busy(9), 1: short, 2: short}, initial={0: "steady"}, until=9)
    weights = Weighted([1, 2, "1/2", 1])
    settled = simulate(switch, weights, {0: busy(3), 1: busy(4), 2: busy(2), 3: busy("1/2")}, until=200)
    begun, begun_1 = {0: "steady", 1: "steady"}, {1: "steady"}
    weighed = simulate(switch, weights, {0: busy(9), 1: busy(9), 2: busy(4), 3: busy(9)}, initial=begun, until=9)
    limits = [QueueLimits(1, reserved=2, cap=2), QueueLimits(1), QueueLimits("1/2", reserved=1, cap=50)]
    pool = simulate(Switch(3, 12, 1), SharedPools(limits), {0: busy(3), 1: busy(4), 2: busy(2)}, until=400)
    varying = edt_statements.varying_rates
    crowd = simulate(Switch(3, 12, 1), DT(alpha=1), dict.fromkeys(range(3), busy(2)), initial={0: "steady"}, until=40)
    freed = simulate(
        switch, EDT(alpha=2, cn2=1), dict.fromkeys(range(4), busy(2)), initial={0: "steady", 1: "steady"}, until=40
    )
    alone = simulate(switch, EDT(alpha=1, cn2="1/2"), {0: busy(2)}, until=40)
    static = simulate(switch, StaticPartition([5, 4, 3]), {0: busy(3), 1: busy(2), 2: busy("1/2")}, until=40)
    spare = [QueueLimits(1, reserved=2), QueueLimits(1, reserved=1), QueueLimits("1/2")]
    reserve = simulate(
        Switch(3, 12, 1), SharedPools(spare), {0: busy(3), 1: busy(9), 2: busy(0)}, initial=begun_1, until=40
    )
    tight = [QueueLimits(1, reserved=2, cap=1), QueueLimits(1, reserved=1)]
    capped = simulate(Switch(3, 12, 1), SharedPools(tight), {0: busy(3), 1: busy(9)}, initial=begun_1, until=40)
    return {
        "crowd": (crowd, (edt_statements.counting_rule, edt_statements.slow_rate, edt_statements.first_timer)),
        "freed": (freed, (edt.theorem5, edt.theorem5_corrected)),
        "alone": (alone, (edt_statements.second_timer,)),
        "static": (static, (dynaq_statements.pql, dynaq_statements.rate_of_a_queue)),
        "reserve": (reserve, (l2bm_statements.reserve_first_drop,)),
        "capped": (capped, (l2bm_statements.reserve_first_drop,)),
        "fast": (fast, (dt.theorem3, dt.theorem3_corrected, varying, l2bm_statements.ingress_threshold)),
        "phases": (phases, (edt.theorem4, edt.theorem4_corrected, varying)),
        "spared": (spared, (edt.theorem4_corrected, varying)),
        "settled": (settled, (l2bm_statements.steady_thresholds,)),
        "weighed": (weighed, (l2bm_statements.first_drop_under_weights,)),
        "pool": (pool, (l2bm_statements.pool_steady,)),
    }


@pytest.mark.parametrize(
    "name",
    ["fast", "phases", "spared", "settled", "weighed", "pool", "crowd", "freed", "alone", "static", "reserve",
     "capped"],
)  # fmt: skip
def test_statements_about_the_fluid_model_check_runs(name: str) -> None:
    run, told = runs_that_obey()[name]
    assert told
    for statement in told:
        assert statement.check(run), statement.id
        assert not (name != "spared" and statement.check(Late(run))), statement.id
    if name in ("phases", "fast"):
        assert not edt_statements.varying_rates.check(Late(run, never=True))


def test_statements_about_other_things_than_fluid_runs_say_so() -> None:
    told = {statement.id for _, each in runs_that_obey().values() for statement in each}
    told |= {s.id for s in (dt.theorem1, dt.theorem1_corrected, dt.theorem2, dt.theorem2_corrected)}
    assert {name for name, statement in ALL.items() if statement.observe} == told
    run = runs_that_obey()["phases"][0]
    for name, statement in ALL.items():
        assert bool(statement.observe) != bool(statement.no_run), name
        if statement.no_run:
            with pytest.raises(InputError) as error:
                statement.check(run)
            assert statement.no_run in str(error.value)


def test_a_run_is_refused_by_name_where_a_statement_does_not_speak_of_it() -> None:
    runs, switch, busy = runs_that_obey(), Switch(8, 12, 1), Arrivals.constant
    weights = Weighted([1, 2])
    several = {0: Arrivals([(0, 2), (1, 3)]), 1: busy(3)}
    unlike = simulate(
        switch, DT(alpha=1), {0: busy(3), 1: busy(4), 2: busy(2)}, initial={0: "steady", 1: "steady"}, until=9
    )
    two_pools = SharedPools([QueueLimits(1), QueueLimits(1)], [Pool(6, [0]), Pool(6, [1])])
    for statement, wrong, field in (
        (dt.theorem1, simulate(switch, DT(alpha=1), {0: busy(3)}, until=9, arithmetic="float"), "run"),
        (edt.theorem4_corrected, simulate(switch, DT(alpha=1), several, until=9), "run"),
        (edt.theorem4_corrected, unlike, "run"),
        (edt.theorem4, runs["spared"][0], "t_3"),
        (
            edt_statements.varying_rates,
            simulate(switch, DT(alpha=1), {0: busy(3)}, initial={0: 2}, until=9),
            "queues[0].initial",
        ),
        (l2bm_statements.steady_thresholds, simulate(switch, weights, {0: busy(3), 1: busy(3)}, until=1), "run"),
        (l2bm_statements.steady_thresholds, runs["pool"][0], "run"),
        (l2bm_statements.pool_steady, runs["static"][0], "run"),
        (l2bm_statements.pool_steady, simulate(switch, two_pools, {0: busy(3), 1: busy(3)}, until=99), "run"),
        (l2bm_statements.first_drop_under_weights, simulate(switch, weights, several, until=9), "queues[0]"),
        (
            l2bm_statements.first_drop_under_weights,
            simulate(switch, weights, {0: busy(1), 1: busy(3)}, until=9),
            "queues[0]",
        ),
        (
            l2bm_statements.first_drop_under_weights,
            simulate(switch, weights, {0: busy(3), 1: busy(3)}, until="1/9"),
            "run",
        ),
        (l2bm_statements.ingress_threshold, simulate(switch, DT(alpha=1), {0: busy(1)}, until=9), "run"),
        (l2bm_statements.reserve_first_drop, runs["pool"][0], "run"),
        (
            l2bm_statements.reserve_first_drop,
            simulate(Switch(3, 12, 1), runs["capped"][0].scenario.policy, {0: busy(3), 1: busy(0)}, until="1/2"),
            "run",
        ),
        (edt_statements.slow_rate, simulate(switch, DT(alpha=1), {0: busy(2)}, until=40), "run"),
        (edt_statements.second_timer, runs["freed"][0], "run"),
        (dynaq_statements.pql, runs["crowd"][0], "run"),
        (dynaq_statements.pql, simulate(switch, StaticPartition([5, 4, 3]), {0: busy(1)}, until=9), "run"),
        (dynaq_statements.rate_of_a_queue, simulate(switch, DT(alpha=1), {0: several[0]}, until=9), "run"),
        (dt.theorem1, simulate(switch, DT(alpha=1), {0: busy(3)}, counts={0: 2}, until=40), "queues[0]"),
    ):
        with refused(field):
            statement.check(wrong)


def test_a_run_that_is_altered_does_not_obey() -> None:
    run = simulate(SWITCH, DT(alpha=1), {0: Arrivals.constant("2 Gbps")}, until="90 ms")
    assert dt.theorem2.check(run)
    assert not dt.theorem2.check(Late(run))
    for wrong, field in (
        (simulate(SWITCH, DT(alpha=[1, 2]), dict.fromkeys(range(2), Arrivals.constant("2 Gbps")), until=1), "run"),
        (simulate(SWITCH, DT(alpha=1), {0: Arrivals([(0, "2 Gbps"), (1, 0)])}, until=2), "queues[0]"),
        (simulate(SWITCH, DT(alpha=1), {0: Arrivals.constant("2 Gbps")}, initial={0: 5}, until=2), "queues[0].initial"),
        (simulate(SWITCH, DT(alpha=1), {0: Arrivals.constant("2 Gbps")}, until="1 us"), "run"),
    ):
        with refused(field):
            dt.theorem1.check(wrong)
    busy = Arrivals.constant("2 Gbps")
    begun = {1: "steady", 2: "steady"}
    freed = simulate(SWITCH, EDT(alpha=1, cn2=12_000), dict.fromkeys(range(3), busy), initial=begun, until="20 ms")
    assert edt.theorem5_corrected.check(freed)
    assert not edt.theorem5_corrected.check(Late(freed))
    timed = simulate(
        SWITCH, EDT(alpha=1, cn2=12_000, tm2=1), dict.fromkeys(range(3), busy), initial=begun, until="20 ms"
    )
    for statement, wrong in ((edt.theorem5_corrected, run), (edt.theorem5_corrected, timed), (dt.theorem1, freed)):
        with pytest.raises(InputError, match="run under"):
            statement.check(wrong)


def test_statements_about_packets_hold_on_traces() -> None:
    """What three theorems compute is what the printed algorithms keep, hold and lose on random traces."""
    rng = random.Random(5)
    for _ in range(60):
        told_by_l2bm(rng)
        told_by_losspass(rng)
        told_by_dynaq(rng)


def told_by_l2bm(rng: random.Random) -> None:
    events, due, left = list[list[Any]](), dict[int, Fraction](), list[Fraction]()
    now, last = Fraction(0), Fraction(0)
    gone: list[Fraction] = []
    for number in range(6):
        now += Fraction(rng.randint(0, 3), 2)
        if due and rng.random() < 0.5:
            name = rng.choice(list(due))
            events.append(["depart", str(now), name])
            gone, left = [*gone, due.pop(name)], [*left, now]
        else:
            size, last = rng.randint(1, 5), now
            events.append(["arrive", str(now), number, {"queue_out": size, "rate": 2}])
            due[number] = now + Fraction(size, 2)
    kept = trace({"algorithm": "l2bm", "reading": "literal", "events": events})["final"]["total"]
    told = l2bm_statements.bookkeeping.evaluate(D=[*gone, *due.values()], a=left, t_prev=last)
    assert told.t_total == Fraction(kept)


def told_by_losspass(rng: random.Random) -> None:
    kinds = [rng.choice(["small", "large", None]) for _ in range(12)]
    events = [["depart", k, "any"] if kind is None else ["arrive", k, kind, 1] for k, kind in enumerate(kinds)]
    lost, held = {}, {}
    for reading in ("intended", "droptail-2q"):
        answer = trace({"algorithm": "losspass", "reading": reading, "buffer": 3, "reserve_large": 1, "events": events})
        arrived = [kind for kind in kinds if kind]
        gone = [step["packet"] for step in answer["steps"] if step["decision"] == "drop"]
        gone += [step["victim"] for step in answer["steps"] if step["decision"] == "evict"]
        lost[reading] = [[arrived[packet] for packet in gone].count(kind) for kind in ("small", "large")]
        held[reading] = len(answer["final"]["small"]) + len(answer["final"]["large"])
    (ours, theirs), (kept, other) = lost.values(), held.values()
    told = losspass_statements.SAME_SIZE.evaluate(
        held_TD=other, small_TD=theirs[0], large_TD=theirs[1], saved=theirs[0] - ours[0]
    )
    assert [told.held_LP, told.small_LP, told.large_LP] == [kept, *ours]


def told_by_dynaq(rng: random.Random) -> None:
    events = [
        [rng.choice(["arrive", "arrive", "depart"]), None, rng.randint(1, 3), rng.randint(1, 4)] for _ in range(12)
    ]
    events = [event[:3] if event[0] == "depart" else event for event in events]
    satisfied, lengths = [Fraction(6)] * 3, [Fraction(0)] * 3
    thresholds = satisfied
    for step in trace({"algorithm": "dynaq", "buffer": 18, "weights": [1, 1, 1], "events": events})["steps"]:
        told = dynaq_statements.invariants.evaluate(T=thresholds, S=satisfied)
        thresholds = [Fraction(x) for x in step["thresholds"]]
        assert told.B == sum(thresholds) == 18
        assert all(t >= least for t, least, q in zip(thresholds, told.after, lengths, strict=True) if q)
        lengths = [Fraction(x) for x in step["queues"]]
