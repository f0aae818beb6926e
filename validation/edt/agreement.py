"""The theorems of DT against the fluid engine on drawn and enumerated scenarios."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dtmodel import DT, Arrivals, Run, Switch, simulate
from dtmodel.theorems.statement import Evaluated
from dtmodel.theory import dt
from dtmodel.theory.dt import formulas

ALPHAS = (Fraction(1, 16), Fraction(1, 2), Fraction(1), Fraction(2), Fraction(16))


@dataclass(frozen=True)
class Drawn:
    """A switch, alpha, the bursts' rates in decreasing order, and the steady ports' rates."""

    switch: Switch
    alpha: Fraction
    rates: tuple[Fraction, ...]
    steady: tuple[Fraction, ...]

    @property
    def setting(self) -> tuple[Fraction, Fraction, Fraction, int]:
        """The numbers alpha, B, C and N that the theorems start from."""
        return self.alpha, self.switch.buffer, self.switch.rate, len(self.steady)

    def drops(self, **durations: tuple[Fraction, ...]) -> Evaluated:
        """Evaluate the theorem."""
        found: Evaluated = dt.theorem3_corrected.evaluate(
            self.switch, alpha=self.alpha, steady=len(self.steady), burst_rates=self.rates, **durations
        )
        return found

    def alike(self, ends: tuple[Fraction, ...]) -> tuple[bool | None, ...]:
        """Evaluate Theorem 1, for bursts of one rate, with durations."""
        N, M, R = len(self.steady), len(self.rates), self.rates[0]
        found: Evaluated = dt.theorem1_corrected.evaluate(self.switch, alpha=self.alpha, N=N, M=M, R=R, durations=ends)
        return found.drops

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


def _silent(times: Sequence[Fraction], regime: str, port: int, ends: tuple[Fraction, ...]) -> bool:
    """Tell whether another burst ends in time to matter, so that the theorem must not speak of `port`."""
    until = min(ends[port], times[port])
    if ends[port] <= min(times):
        return False
    for other, end in enumerate(ends):
        matters = end < until or (end == until and ends[port] > times[port])
        drains_anyway = regime == "drain" and times[other] <= end and times[other] < until
        if other != port and matters and not drains_anyway:
            return True
    return False


def _accounted(drawn: Drawn, port: int, times: list[Fraction]) -> Fraction:
    """Evaluate the left side of edt.ours.theorem3's equation at t_k."""
    (alpha, B, C, N), rate = drawn.setting, drawn.rates[port]
    lines = [alpha * formulas.initial_free(alpha, B, N)] * N + [drawn.rates[j] * times[j] for j in range(port)]

    def above(length: Fraction, drained: Fraction) -> Fraction:
        return sum((max(length, V - drained) for V in lines), Fraction(0))

    growing = sum(drawn.rates[port:], Fraction(0)) - C * (len(drawn.rates) - port)
    growths = (rate - C, growing)
    return Fraction(formulas.accounted(alpha, C, growths, above, times[port]))


def _above(drawn: Drawn, run: Run[Fraction], port: int, times: list[Fraction]) -> int:
    """Count the queues longer than the threshold when `port` meets it."""
    threshold = drawn.alpha * run.free.at(times[port])
    return sum(queue.at(times[port]) > threshold for queue in run.queues)
