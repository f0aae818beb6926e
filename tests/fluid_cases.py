"""Random fluid scenarios, biased to the corners: ties, full buffers, empty queues, simultaneous events."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st

from dtmodel.fluid.engine import Engine
from dtmodel.policies.complete import FullBuffer
from dtmodel.policies.edt import CountersAndTimers

ZERO = Fraction(0)


@dataclass(frozen=True)
class Case:
    buffer: Fraction
    rates: list[Fraction]
    thresholds: list[tuple[Fraction, Fraction]]
    offers: list[list[tuple[Fraction, Fraction]]]
    initial: list[Fraction]
    steady: list[int]
    until: Fraction


def rate_at(offer, time):
    return next((rate for begin, rate in reversed(offer) if begin <= time), ZERO)


fractions = st.builds(Fraction, st.integers(0, 12), st.sampled_from([1, 2, 4]))
alphas = st.sampled_from([Fraction(p, q) for p in (1, 2, 8) for q in (1, 2, 4)] + [Fraction(1, 10**6), Fraction(10**6)])


@st.composite
def offers(draw):
    steps = draw(st.lists(st.tuples(st.integers(1, 6), st.integers(0, 6)), max_size=4))
    start = draw(st.integers(-2, 2))
    time, offer = ZERO, []
    for index, (gap, rate) in enumerate(steps):
        time += Fraction(max(start, 0) if index == 0 else gap, 2)
        offer.append((time, Fraction(rate, draw(st.sampled_from([1, 1, 2])))))
    return offer


@st.composite
def cases(draw, static=True):
    n = draw(st.integers(1, 5))
    buffer = Fraction(draw(st.integers(1, 12)))
    one_rate, one_alpha = draw(st.booleans()), draw(st.booleans())
    rate, alpha = draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(2)])), draw(alphas)
    rates = [rate if one_rate else draw(st.sampled_from([Fraction(1), Fraction(1, 2), Fraction(2)])) for _ in range(n)]
    thresholds = [(alpha if one_alpha else draw(alphas), ZERO) for _ in range(n)]
    if static and draw(st.integers(0, 7)) == 0:
        thresholds = [(ZERO, buffer * Fraction(draw(st.integers(0, 4)), 4 * n)) for _ in range(n)]
    traffic = [draw(offers()) for _ in range(n)]
    left, initial = buffer, []
    for _ in range(n):
        most = min(left, thresholds[len(initial)][1]) if thresholds[0][0] == 0 else left
        initial.append(min(most, draw(fractions)) if draw(st.booleans()) else ZERO)
        left -= initial[-1]
    steady = [i for i in range(n) if rate_at(traffic[i], ZERO) >= rates[i] and draw(st.booleans())]
    held = sum((initial[i] for i in range(n) if i not in steady), ZERO)
    room = buffer - held - sum((thresholds[i][1] for i in steady), ZERO)
    if room < 0:
        steady = []
    free = room / (1 + sum((thresholds[i][0] for i in steady), ZERO))
    for i in steady:
        initial[i] = thresholds[i][0] * free + thresholds[i][1]
    return Case(buffer, rates, thresholds, traffic, initial, steady, Fraction(draw(st.integers(1, 16))))


def edt_engine(number, buffer, rates, thresholds, offers, initial, *, steady=(), cn2, tm1, tm2):
    """An engine with EDT's memory."""
    memory = CountersAndTimers([slope for slope, _ in thresholds], cn2, tm1, tm2)
    return Engine(number, buffer, rates, thresholds, offers, initial, steady, memory=memory)


def run_complete(buffer, rates, offers, initial, until):
    """Run complete sharing: no queue has a threshold below B."""
    number = type(buffer)
    limits = [(number(0), buffer) for _ in rates]
    return Engine(number, buffer, rates, limits, offers, initial, memory=FullBuffer()).run(until)
