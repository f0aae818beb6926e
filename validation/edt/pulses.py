"""Seeded runs with pulses of any rate: under EDT, in pools with reserves and caps, and in one buffer for all."""

import random
from fractions import Fraction

from dtmodel import EDT, Arrivals, CompleteSharing, Pool, QueueLimits, Run, SharedPools, Switch, simulate


def pulses(rng: random.Random) -> Arrivals:
    """One to three pieces of any rate, some below the port's, some without any arrival."""
    times = sorted(Fraction(rng.randint(0, 80), 10) for _ in range(rng.randint(2, 4)))
    pieces = {time: Fraction(rng.choice([0, 1, 3, 4, 5, 7, 9, 16, 30]), rng.choice([2, 3])) for time in times}
    return Arrivals([*pieces.items(), (Fraction(9), 0)])


def edt(rng: random.Random) -> Run[Fraction]:
    """A few steady queues beside pulses, with counters that fill and do not, and timers that expire and do not."""
    steady, pulsed = rng.randint(0, 2), rng.randint(1, 4)
    arrivals = {port: Arrivals.constant(2) if port < steady else pulses(rng) for port in range(steady + pulsed)}
    timers = {name: rng.choice([None, f"{rng.randint(2, 40)}/10"]) for name in ("tm1", "tm2")}
    policy = EDT(rng.choice(["1/2", "1", "2"]), cn2=f"{rng.randint(1, 30)}/10", **timers)
    return simulate(Switch(8, 10, 1), policy, arrivals, initial=dict.fromkeys(range(steady), "steady"), until=12)


def pools(rng: random.Random) -> Run[Fraction]:
    """Two pools; reserves and caps for some of the queues, one pool now and then of static limits alone."""
    fixed = rng.random() < 0.3
    limits = [
        QueueLimits(None, rng.choice(["0", "1/3"]), rng.choice(["1", "3/2"]))
        if fixed and port < 2
        else QueueLimits(rng.choice(["1/2", "1", "3"]), rng.choice(["0", "1/3", "1"]), rng.choice([None, "1", "5/2"]))
        for port in range(5)
    ]
    arrivals = {port: pulses(rng) for port in range(5)}
    policy = SharedPools(limits, [Pool(3, [0, 1]), Pool(rng.choice([2, 4]), [2, 3, 4])])
    steady = [port for port in range(5) if rng.random() < 0.25]
    arrivals |= {port: Arrivals.constant("3/2") for port in steady}
    return simulate(Switch(8, 12, 1), policy, arrivals, initial=dict.fromkeys(steady, "steady"), until=12)


def complete(rng: random.Random) -> Run[Fraction]:
    """Pulses at a buffer without thresholds, which is full now and then."""
    arrivals = {port: pulses(rng) for port in range(rng.randint(1, 5))}
    return simulate(Switch(8, rng.choice([3, 10]), 1), CompleteSharing(), arrivals, until=12)


DRAWS = (edt, pools, complete)
