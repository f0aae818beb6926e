"""Filtered lengths of Reverie in runs of unit packets, computed in fractions."""

import random
from fractions import Fraction
from math import inf
from typing import Any

from dtmodel import DT
from dtmodel.ledger import Agrees, check, evidence
from dtmodel.packet.engine import run_packets
from dtmodel.policies import Policy, Reverie

FACTORS = (Fraction(0), Fraction(1, 2), Fraction(3, 4), Fraction(1))


def _first_loss(policy: Policy, streams: list[list[tuple[Fraction, int, None]]], buffer: int) -> Any:
    """Return the time of the first loss, infinite if nothing is lost."""
    done = run_packets(buffer=buffer, rates=[1] * len(streams), policy=policy, streams=streams, until=99)
    return done.lost[0].time if done.lost else inf


@evidence("derived.ours.reverie-first-loss", form="printed", strength="exact")
def no_larger_factor_loses_a_packet_earlier() -> Agrees:
    """DT and four factors on random packets at three ports, with three alphas: first losses are in this order."""
    rng, strict = random.Random(0), 0
    for case in range(36):
        times = [sorted(Fraction(rng.randrange(40), 4) for _ in range(rng.randrange(30))) for _ in range(3)]
        streams = [[(time, 1, None) for time in port] for port in times]
        alpha, buffer = (Fraction(1, 2), Fraction(1), Fraction(4))[case % 3], rng.randrange(4, 16)
        ways = [DT(alpha), *(Reverie(alpha, factor) for factor in FACTORS)]
        first = [_first_loss(way, streams, buffer) for way in ways]
        check(first == sorted(first), f"case {case}: {first}")
        strict += first[0] < first[-1]
    check(strict > 12, f"only {strict} cases distinguish DT and complete sharing")
    return Agrees(36, "switches")


@evidence("derived.ours.reverie-lag", form="printed", strength="exact")
def a_burst_meets_the_threshold_where_the_lag_says() -> Agrees:
    """A burst of 3 C in B = 60: its queue has the length that is said at the first loss, and not a departure before."""
    stream = [(Fraction(k // 3) + Fraction(1, 2), 1, None) for k in range(180)]
    cases = [(alpha, factor) for alpha in (Fraction(1, 2), Fraction(1), Fraction(2)) for factor in FACTORS[:3]]
    for alpha, factor in cases:
        first = run_packets(buffer=60, rates=[1], policy=Reverie(alpha, factor), streams=[stream], until=60).lost[0]
        k = int(first.time - Fraction(1, 2))
        least = [(alpha * 60 + factor * 2 * (1 - factor**n) / (1 - factor)) / (1 + alpha) for n in (k - 1, k)]
        check(2 * (k - 1) < least[0], f"{alpha}, {factor}: no loss after {k - 1} departures")
        check(60 - first.free >= least[1], f"{alpha}, {factor}: a loss with {first.free} free")
    return Agrees(len(cases), "bursts")


@evidence("derived.ours.reverie-steady", form="printed", strength="exact")
def a_port_offered_twice_its_rate_fills_as_far_as_under_dt() -> Agrees:
    """Two ports and B = 30: after many slots queues are within two packets of those of DT, for every factor below 1."""
    number = 0
    for alpha in (Fraction(1, 2), Fraction(1), Fraction(2)):
        for factor in FACTORS[:3]:
            streams = [[(Fraction(k, 2), 1, None) for k in range(160)] for _ in range(2)]
            ways = [DT(alpha), Reverie(alpha, factor)]
            ends = [
                run_packets(buffer=30, rates=[1, 1], policy=way, streams=streams, until=79, sample=1).samples[-1][1]
                for way in ways
            ]
            apart = max(abs(a - b) for a, b in zip(*ends, strict=True))
            check(apart <= 2, f"{alpha}, {factor}: {ends}")
            number += 1
    return Agrees(number, "switches, within two packets")
