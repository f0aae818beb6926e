"""Theorem and exact engine agree with ``==`` on seeded random switches; the tests run thousands of them.

Samples decide no verdict. They are here so that an error in what `evaluate` computes, or in the engine, fails the run.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dtmodel import DT, Arrivals, Run, Switch, simulate
from dtmodel.ledger import Agrees, Outcome, check, evidence
from dtmodel.theory import dt
from dtmodel.theory import dt_formulas as formulas
from dtmodel.theory.dt_first_drops import Setting, drain_stages

ALPHAS = (Fraction(1, 16), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(16))


@dataclass(frozen=True)
class Drawn:
    """A switch, alpha, the bursts' rates in decreasing order, and the steady ports' rates."""

    switch: Switch
    alpha: Fraction
    rates: tuple[Fraction, ...]
    steady: tuple[Fraction, ...]

    @property
    def setting(self) -> Setting:
        """The numbers that the theorems start from."""
        return Setting(self.alpha, self.switch.buffer, self.switch.rate, len(self.steady))

    def drops(self, ends: tuple[Fraction, ...] | None = None) -> tuple[dt.PortDrop, ...]:
        """Evaluate the theorem."""
        return dt.first_drops(
            self.switch, alpha=self.alpha, steady=len(self.steady), burst_rates=self.rates, durations=ends
        )

    def alike(self, ends: tuple[Fraction, ...]) -> tuple[bool | None, ...]:
        """Evaluate Theorem 1, for bursts of one rate, with durations."""
        N, M = len(self.steady), len(self.rates)
        return dt.first_drop(
            self.switch, alpha=self.alpha, steady=N, bursts=M, burst_rate=self.rates[0], durations=ends
        ).drops

    def run(self, until: Fraction, ends: tuple[Fraction, ...] = ()) -> Run[Fraction]:
        """Run the exact engine; `ends` are the bursts' durations, if they do not last."""
        M = len(self.rates)
        arrivals = {
            port: Arrivals([(0, rate), (ends[port], 0)]) if ends else Arrivals.constant(rate)
            for port, rate in enumerate(self.rates)
        }
        arrivals |= {M + port: Arrivals.constant(rate) for port, rate in enumerate(self.steady)}
        initial = {M + port: "steady" for port in range(len(self.steady))}
        return simulate(self.switch, DT(self.alpha), arrivals, initial=initial, until=until)


def draw(rng: random.Random, *, one_rate: bool) -> Drawn:
    """Draw a switch; bursts of one rate lie at the boundary between the cases a third of the time."""
    M, N, alpha = rng.randint(1, 4), rng.randint(0, 3), rng.choice(ALPHAS)
    C = Fraction(rng.randint(1, 4))
    scale = rng.choice((1, 1, 1, 20))
    growths = [scale * Fraction(rng.randint(1, 12), rng.choice((1, 1, 3, 24))) for _ in range(M)]
    if one_rate:
        bound = formulas.rate_bound(alpha, C, M, N) - C
        growths = [rng.choice((bound, bound * growths[0], growths[0]))] * M
    steady = tuple(C + rng.choice((0, 0, 1, 30)) for _ in range(N))
    switch = Switch(M + N + rng.choice((0, 0, 3)), rng.randint(1, 50), C)
    return Drawn(switch, alpha, tuple(sorted((C + growth for growth in growths), reverse=True)), steady)


@evidence("edt.thm1", form="assumed", strength="sampled")
@evidence("edt.ours.theorem1", form="printed", strength="sampled")
def theorem_1_agrees_with_the_engine() -> Outcome:
    """120 seeded switches of both cases and their boundary: drop times, free buffers and cases."""
    rng, seen = random.Random(11), Counter[str]()
    for _ in range(120):
        drawn = draw(rng, one_rate=True)
        M, R = len(drawn.rates), drawn.rates[0]
        N = len(drawn.steady)
        answer = dt.theorem1.evaluate(drawn.switch, alpha=drawn.alpha, steady=N, bursts=M, burst_rate=R)
        check(answer.time is not None, f"no drop in {drawn}")
        time = answer.time or Fraction(0)
        run = drawn.run(2 * time)
        for port in range(M):
            check(run.first_drop(port) == time, f"first drop {run.first_drop(port)}, not {time}, in {drawn}")
            check(run.free_at_first_drop(port) == answer.free_buffer, f"free buffer of {drawn}")
        steady = [run.queue(port).at(time) for port in range(M, M + len(drawn.steady))]
        above = bool(steady) and steady[0] > drawn.alpha * run.free.at(time)
        check(not (above and answer.case == "a"), f"the steady queues are above the threshold in case a: {drawn}")
        bound = formulas.rate_bound(drawn.alpha, drawn.switch.rate, M, len(drawn.steady))
        check((answer.case == "a") == (bound >= R), f"case {answer.case} of {drawn}")
        seen[answer.case] += 1
        seen["boundary"] += bound == R
    check(min(seen["a"], seen["b"], seen["boundary"]) > 15, f"the samples miss a situation: {seen}")
    return Agrees(120, f"{dict(seen)}")


@evidence("edt.thm2", "edt.thm3", form="assumed", strength="sampled")
@evidence("edt.ours.theorem2", "edt.ours.theorem3", "edt.ours.drain-product", form="printed", strength="sampled")
def theorems_2_and_3_agree_with_the_engine() -> Outcome:
    """150 seeded switches: every port's drop time, free buffer and regime; the printed recursions where they apply."""
    rng, seen = random.Random(12), Counter[str]()
    for _ in range(150):
        drawn = draw(rng, one_rate=False)
        answers = drawn.drops()
        times = [answer.time or Fraction(0) for answer in answers]
        run = drawn.run(2 * max(times))
        L = drain_stages(drawn.setting, drawn.rates)
        points = [(answer.time, answer.free_buffer) for answer in answers]
        for port, answer in enumerate(answers):
            check(run.first_drop(port) == answer.time, f"first drop of port {port} of {drawn}")
            check(run.free_at_first_drop(port) == answer.free_buffer, f"free buffer of port {port} of {drawn}")
            check(_above(drawn, run, port, times) == answer.above, f"queues above the threshold of {drawn}")
            check(_accounted(drawn, port, times) == drawn.switch.buffer, f"the balance of port {port} of {drawn}")
            regime = "drain" if port < L else "mixed" if answer.above else "follow"
            check(answer.regime == regime, f"regime of port {port} of {drawn}")
            seen[answer.regime] += 1
        printed = (dt.theorem3 if L else dt.theorem2).evaluate(
            drawn.switch, alpha=drawn.alpha, steady=len(drawn.steady), burst_rates=drawn.rates
        )
        known = points[:L] if L else points
        check([(drop.time, drop.free_buffer) for drop in printed] == known, f"(14) or (31) in {drawn}")
    check(min(seen["follow"], seen["drain"], seen["mixed"]) > 20, f"the samples miss a situation: {seen}")
    return Agrees(150, f"{dict(seen)}")


@evidence("edt.sec3.underloaded", form="printed", strength="sampled")
def traffic_up_to_the_port_rate_changes_nothing() -> Outcome:
    """40 seeded switches with a burst of rate C or less beside the others: it never drops, the others as without it."""
    rng = random.Random(14)
    for _ in range(40):
        drawn = draw(rng, one_rate=False)
        C, N = drawn.switch.rate, len(drawn.steady)
        quiet = C - rng.choice((Fraction(0), Fraction(0), C / 2, C))
        switch = Switch(drawn.switch.ports + 1, drawn.switch.buffer, C)
        more = Drawn(switch, drawn.alpha, (*drawn.rates, quiet), drawn.steady)
        answers, M = more.drops(), len(drawn.rates)
        check(answers[:M] == drawn.drops(), f"the other ports of {more}")
        check((answers[M].time, answers[M].regime, answers[M].above) == (None, "none", 0), f"the quiet port of {more}")
        check(more.drops((Fraction(99),) * (M + 1))[M].drops is False, f"with durations, the quiet port of {more}")
        run = more.run(2 * max(answer.time or Fraction(0) for answer in answers))
        check([run.first_drop(port) for port in range(M + 1)] == [answer.time for answer in answers], f"{more}")
        alone = dt.first_drop(switch, alpha=drawn.alpha, steady=N, bursts=1, burst_rate=quiet, durations=[9])
        check(alone == dt.FirstDrop(None, None, "none", (False,)), f"Theorem 1 at the port rate: {alone}")
    return Agrees(40, "half of them at exactly C")


def _silent(answers: Sequence[dt.PortDrop], port: int, ends: tuple[Fraction, ...]) -> bool:
    """Tell whether another burst ends in time to matter, so that the theorem must not speak of `port`."""
    times = [answer.time or Fraction(0) for answer in answers]
    until = min(ends[port], times[port])
    if ends[port] <= min(times):
        return False
    for other, end in enumerate(ends):
        matters = end < until or (end == until and ends[port] > times[port])
        drains_anyway = answers[port].regime == "drain" and times[other] <= end and times[other] < until
        if other != port and matters and not drains_anyway:
            return True
    return False


def _accounted(drawn: Drawn, port: int, times: list[Fraction]) -> Fraction:
    """Evaluate the left side of edt.ours.theorem3's equation at t_k."""
    setting, rate = drawn.setting, drawn.rates[port]
    lines = [setting.alpha * setting.F_0] * setting.N + [drawn.rates[j] * times[j] for j in range(port)]

    def above(length: Fraction, drained: Fraction) -> Fraction:
        return sum((max(length, V - drained) for V in lines), Fraction(0))

    growing = sum(drawn.rates[port:], Fraction(0)) - setting.C * (len(drawn.rates) - port)
    growths = (rate - setting.C, growing)
    return Fraction(formulas.accounted(setting.alpha, setting.C, growths, above, times[port]))


def _above(drawn: Drawn, run: Run[Fraction], port: int, times: list[Fraction]) -> int:
    """Count the queues longer than the threshold when `port` meets it."""
    threshold = drawn.alpha * run.free.at(times[port])
    return sum(queue.at(times[port]) > threshold for queue in run.queues)


@evidence("edt.ours.no-earlier-drop", "edt.ours.equality", form="printed", strength="sampled")
def durations_are_decided_as_the_engine_decides() -> Outcome:
    """150 seeded switches with bursts that end, often exactly at some drop time."""
    rng, seen = random.Random(13), Counter[bool | None]()
    for _ in range(150):
        drawn = draw(rng, one_rate=rng.random() < 0.3)
        times = [answer.time or Fraction(0) for answer in drawn.drops()]
        ends = tuple(rng.choice((*times, rng.choice(times) * Fraction(rng.randint(1, 12), 6))) for _ in times)
        run = drawn.run(max(*ends, *times) + 1, ends)
        answers = drawn.drops(ends)
        if len(set(drawn.rates)) == 1:
            check(drawn.alike(ends) == tuple(answer.drops for answer in answers), f"Theorem 1 of {drawn} with {ends}")
        for port, answer in enumerate(answers):
            found = run.first_drop(port)
            check(found is None or found >= times[0], f"a drop before t_1 in {drawn} with {ends}")
            check(answer.drops in (None, found is not None), f"port {port} of {drawn} with {ends}")
            check(not answer.drops or found == answer.time, f"another drop time of port {port} of {drawn} with {ends}")
            check(
                (answer.drops is None) == _silent(answers, port, ends), f"port {port} of {drawn} with {ends}: decided?"
            )
            seen[answer.drops] += 1
    check(min(seen[True], seen[False], seen[None]) > 25, f"the samples miss a situation: {seen}")
    return Agrees(150, f"{dict(seen)}")
