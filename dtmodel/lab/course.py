"""The exercises of the notebooks: the file ``exercises.toml`` has the texts, this module computes the answers."""

import tomllib
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from dtmodel.base import units
from dtmodel.base.documents import choice
from dtmodel.companion import replay
from dtmodel.fluid import simulate
from dtmodel.fluid.switch import Arrivals, Switch
from dtmodel.lab.exercises import Exercise, Exercises
from dtmodel.lab.hindsight import best_plan
from dtmodel.lab.setting import BurstSetting
from dtmodel.modelcheck import explore
from dtmodel.packet.dynaq.algorithm import DynaQ
from dtmodel.packet.dynaq.states import AnyOrder
from dtmodel.policies import DT, Harmonic, Policy
from dtmodel.studies.compare import compare
from dtmodel.studies.competitive import ratio
from dtmodel.theory import dt, edt, l2bm, losspass
from dtmodel.theory.absorbable_burst import FilledPort, LossPass, absorbable_burst
from dtmodel.theory.dt import formulas as dt_formulas
from dtmodel.theory.dynaq import statements as dynaq_statements
from dtmodel.theory.edt import inverse
from dtmodel.theory.edt import statements as edt_statements
from dtmodel.theory.l2bm import statements as l2bm_statements
from dtmodel.theory.losspass import statements as losspass_statements


def exercises(notebook: str) -> Exercises:
    """Return the exercises of a notebook.

    `notebook`: the number of the notebook, such as ``"01"``. Raises `InputError` if no notebook with exercises has this
    number.

    >>> print(exercises("01").check({1: None, 2: "7", 3: "3 Gbps"}))
    1: your turn
    2: right
    3: not yet
    """
    course = _course()
    asked = course[choice(notebook, "notebook", tuple(course))]
    return Exercises([Exercise(**{**texts, "answer": _ANSWERS[texts["answer"]]}) for texts in asked])


@cache
def _course() -> Mapping[str, list[dict[str, Any]]]:
    return tomllib.loads((files("dtmodel.lab") / "exercises.toml").read_text(encoding="utf-8"))


def _switch() -> Switch:
    return Switch(ports=16, buffer="1 MB", rate="1 Gbps")


def _ratio(policy: Policy, ports: int, buffer: int) -> Fraction:
    return ratio(policy, ports=ports, buffer=buffer).ratio or Fraction(0)


def _time_that_edt_adds() -> Fraction:
    two = compare(_switch(), steady=2, among=["DT", "EDT"])
    return Fraction(two["EDT"].longest_burst or 0) / Fraction(two["DT"].longest_burst or 1)


def _held_by_the_steady_ports() -> Fraction:
    run = BurstSetting().run("10 ms")
    return sum((run.queue(port).at(Fraction(run.first_drop(0) or 0)) for port in (1, 2)), Fraction(0))


def _more_left_free_by_two_than_by_one() -> Any:
    given = {"alpha": 4, "bursts": 1, "burst_rate": "3 Gbps"}
    one, two = (dt.theorem1.evaluate(_switch(), steady=N, **given).free_at_first_drop for N in (1, 2))
    return two - one


def _bursts_that_get_a_millisecond() -> int:
    given = {"alpha": 1, "steady": 0, "burst_rate": "2 Gbps"}
    drops = {M: dt.theorem1.evaluate(_switch(), bursts=M, **given).first_drop for M in range(1, 17)}
    return max(M for M, time in drops.items() if time >= Fraction(1, 1000))


def _longest_burst_under_edt() -> Fraction:
    rate = units.rate("10 Gbps", "rate")
    return inverse.longest_burst(alpha=Fraction(1), B=Fraction(4_000_000), C=rate, P=8, R=2 * rate)


def _least_share() -> Any:
    mtu = Fraction(1500)
    return losspass.compare_with_ecn(Fraction(200_000), 20 * mtu, 2, Fraction(1), segment=mtu).least_share


def _shortest_trace_above_a_threshold() -> int:
    system = AnyOrder(DynaQ(6, (1, 2, 3)), sizes=(1,))
    found = explore(system, lambda s: any(q > T for q, T in zip(s.lengths, s.thresholds, strict=True))).found
    return len(found.labels) if found else 0


def _steady_ports_where_static_is_as_good() -> int:
    def longest(N: int) -> list[Fraction]:
        outcomes = compare(_switch(), steady=N, among=["StaticPartition", "DT"]).outcomes
        return [Fraction(outcome.longest_burst or 0) for outcome in outcomes]

    return next(N for N in range(16) if longest(N)[0] >= longest(N)[1])


def _longest_burst(policy: str, rate: str, steady: int) -> Fraction:
    (outcome,) = compare(_switch(), steady=steady, burst_rate=rate, among=[policy]).outcomes
    return Fraction(outcome.longest_burst or 0)


def _occupied(x: Fraction) -> Fraction:
    return l2bm.sojourn_steady_state(1, [1, 1, x], "1/8").occupancy


def _ports_that_footnote_9_allows() -> int:
    C, R, N = Fraction(1), 2, 3
    return max(M for M in range(1, 20) if dt_formulas.rate_bound(Fraction(1), C, M, N) >= R)


def _held_by_each_of(n: int) -> Any:
    alpha = Fraction(1, 2)
    return dt_formulas.threshold(alpha, dt_formulas.initial_free(alpha, Fraction(10**6), n))


def _free_at_the_drop_of_one_burst() -> Any:
    run = simulate(Switch(ports=1, buffer=6, rate=1), DT(alpha=2), {0: Arrivals.constant(3)}, until=9)
    return run.free_at_first_drop(0)


def _derived(key: str, **values: Any) -> Any:
    from dtmodel.derive.theorem.derivation import derive

    sample = (files("dtmodel.examples") / "derive.toml").read_text(encoding="utf-8")
    return derive(tomllib.loads(sample)).evaluate(**values)[key]


def _seven_senders(symbol: str, **given: Any) -> Any:
    """Return the value of a symbol at the first drop of a burst that finds all of the buffer free."""
    known = {"C": "1 Gbps", "M": 1, "N": 0, **({} if symbol == "R" else {"R": "7 Gbps"})}
    return dt.theorem1.solve_for(symbol, **known, **given)[0]


_TWO_ALPHAS = {"alpha": 2, "beta": 1, "B": 1, "C": 1, "M": 1, "N": 1, "R_b": 2}

_ANSWERS: Mapping[str, Callable[[], Any]] = {
    "rate for a drop at 1 ms": lambda: dt.theorem1.solve_for(
        "R", first_drop="1 ms", alpha=1, B="1 MB", C="1 Gbps", M=1, N=2
    )[0],
    "time that EDT adds": _time_that_edt_adds,
    "held by the steady ports": _held_by_the_steady_ports,
    "more left free by two than by one": _more_left_free_by_two_than_by_one,
    "bursts that get a millisecond": _bursts_that_get_a_millisecond,
    "where the cases meet": lambda: dt_formulas.rate_bound(Fraction(2), units.rate("1 Gbps", "rate"), 2, 3),
    "longest burst under EDT": _longest_burst_under_edt,
    "counting number": lambda: edt_statements.counting_number.evaluate(alpha="1/2", B="64 MB", P=32).c_n2,
    "when two bursts fill the buffer": lambda: (
        edt.theorem5_corrected.evaluate(_switch(), alpha=1, M=2, N=0, R="2 Gbps", c_n2="12 KB").first_drop
    ),
    "least share": _least_share,
    "line rate": lambda: losspass_statements.LINE_RATE.evaluate(D="62.5 KB", N=4, a=1500, beta="1/2").K,
    "all but the reserve": lambda: absorbable_burst(
        LossPass(Fraction(20_000)), FilledPort(buffer=Fraction(128_000), large=Fraction(128_000))
    ),
    "refused deficit": lambda: dynaq_statements.refused_queue_deficit.evaluate(M=8, L=1500, g=1).deficit,
    "least buffer without margin": lambda: dynaq_statements.weighted_thresholds.solve_for(
        "B", margin=0, C="10 Gbps", RTT="100 us", w_i=1, W=4, T_i=0
    )[0],
    "shortest trace above a threshold": _shortest_trace_above_a_threshold,
    "least occupied": lambda: min(
        (Fraction(1, 4), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)), key=_occupied
    ),
    "held in all": lambda: _occupied(Fraction(2)),
    "weight that leaves a tenth": lambda: l2bm_statements.steady_thresholds.solve_for(
        "W", free=Fraction(1, 10), B=1, w_i=1
    )[0],
    "steady ports where static is as good": _steady_ports_where_static_is_as_good,
    "bytes that EDT takes in": lambda: _longest_burst("EDT", "4 Gbps", 2) * units.rate("4 Gbps", "rate"),
    "longest burst of a static part": lambda: _longest_burst("StaticPartition", "2 Gbps", 0),
    "overflow in the witness": lambda: Fraction(replay("edt.fn9")[0]["answer"]["first_drop"][0]),
    "ports that footnote 9 allows": _ports_that_footnote_9_allows,
    "events until a small packet is lost": lambda: len(replay("losspass.ours.any-size.small")[0]["data"]["events"]),
    "threshold of four": lambda: _held_by_each_of(4),
    "ports below 100 KB": lambda: next(n for n in range(99) if _held_by_each_of(n) < 100_000),
    "free at the drop of one burst": _free_at_the_drop_of_one_burst,
    "derived first drop": lambda: _derived("first_drop", **_TWO_ALPHAS, R=2),
    "derived free buffer": lambda: _derived("free_at_first_drop", **_TWO_ALPHAS, R=2),
    "derived first drop of fast bursts": lambda: _derived("first_drop", **_TWO_ALPHAS, R=6),
    "ratio of Harmonic": lambda: _ratio(Harmonic(), 2, 6),
    "ratio of DT at three ports": lambda: _ratio(DT(1), 3, 7),
    "alpha for 300 us": lambda: _seven_senders("alpha", first_drop="300 us", B="250 KB"),
    "response of four senders": lambda: _seven_senders("R", first_drop="320 us", B="240 KB", alpha=1) * 320 / 10**6 / 4,
    "bytes of first windows": lambda: min(7 * 10 * 1500, dt_formulas.threshold(Fraction(1), Fraction(120_000))),
    "packets of the optimum": lambda: sum(best_plan(2, 4, [0, 0, 0, 0, None, 1, 1, 1, 1]).accepted),
}
