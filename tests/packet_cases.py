"""Inputs of the packet engines that have no document: switches under every policy, PFC, schemes beside schedulers.

Functions of a ``random.Random``, as in `dtmodel.strategies`: Hypothesis or a seed drives them.
"""

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from dtmodel.packet import pfc
from dtmodel.strategies import policy_generator
from dtmodel.strategies.draws import chance, fraction

ZERO, ONE = Fraction(0), Fraction(1)
SIZES = (ONE, ONE, 2 * ONE, ONE / 2, 3 * ONE)
READINGS = ("circuit", "arrivals", "c1-resets-c2", "free-running", "signed")
SWITCH_POLICIES = ("dt", "lqd", "complete", "static", "weighted", "pools")
SCHEMES = ("best-effort", "quotas", "pmsb", "dynaq")
SCHEDULERS = ("strict", "weighted", "deficit", "priority")


@dataclass(frozen=True)
class SwitchCase:
    buffer: Fraction
    rates: list[Fraction]
    alphas: list[Fraction]
    streams: list[list[tuple[Fraction, Fraction]]]
    initial: list[list[Fraction]]
    until: Fraction
    packets: bool
    policy: dict[str, Any]
    edt: dict[str, Any]


def switch(random: Random) -> SwitchCase:
    """Draw arrivals that meet departures, at several ports at once."""
    count, buffer = random.choice((2, 1, 3, 4)), Fraction(random.choice((4, 6, 8, 12)))
    streams = []
    for _ in range(count):
        now, rows = ZERO, []
        for _ in range(random.randint(0, 12)):
            now += random.choice((ZERO, ONE, 2 * ONE, ONE / 2))
            rows.append((now, random.choice(SIZES)))
        streams.append(rows)
    name = random.choice(SWITCH_POLICIES)
    policy = {"name": "lqd"} if name == "lqd" else policy_generator.draw_policy(random, name, count, buffer)
    timers = (None, ONE, 2 * ONE, ONE / 2)
    edt = {
        "cn1": random.randint(1, 3),
        "cn2": random.choice((ONE, 2 * ONE, 3 * ONE, ONE / 2)),
        "tm1": random.choice(timers),
        "tm2": random.choice(timers),
        "reading": random.choice(READINGS),
    }
    return SwitchCase(
        buffer,
        [random.choice((ONE, 2 * ONE, ONE / 2)) for _ in range(count)],
        [random.choice((ONE, 2 * ONE, ONE / 2, 8 * ONE)) for _ in range(count)],
        streams,
        [[ONE] * random.randint(0, 1) for _ in range(count)] if chance(random, 3) else [],
        Fraction(random.choice((8, 4, 16))),
        chance(random, 2),
        policy,
        edt,
    )


def _ingress(random: Random) -> pfc.Ingress:
    lossless = chance(random, 2)
    cap = random.choice((None, None, 2 * ONE, 3 * ONE))
    alpha, reserved = random.choice((ONE, 2 * ONE, 8 * ONE, ONE / 2)), Fraction(random.randint(0, 2))
    if not lossless:
        return pfc.Ingress(alpha, reserved=reserved, cap=cap)
    headroom, resume = fraction(random, 3, 0, (1, 2)), fraction(random, 2, 1, (1, 2))
    return pfc.Ingress(alpha, lossless=True, reserved=reserved, headroom=headroom, resume_below=resume, cap=cap)


def priority_flow_control(random: Random) -> tuple[pfc.Pools, list[pfc.PfcEvent]]:
    """Draw a switch with one to three ingress queues, and its arrivals and departures."""
    ingress = {name: _ingress(random) for name in "abc"[: random.randint(1, 3)]}
    egress = {name: pfc.Egress(random.choice((None, ONE, ONE / 2, 8 * ONE))) for name in "xy"}
    cell = random.choice((None, None, ONE, 2 * ONE))
    pools = pfc.Pools(Fraction(random.randint(2, 9)), Fraction(random.randint(2, 20)), ingress, egress, cell)
    events: list[pfc.PfcEvent] = []
    for _ in range(random.randint(0, 20)):
        if random.randint(0, 2):
            size = fraction(random, 2, 1, (2, 1))
            events.append(("arrive", random.choice(list(ingress)), random.choice("xy"), size))
        else:
            events.append(("depart", random.choice("xy")))
    return pools, events


@dataclass(frozen=True)
class ServiceCase:
    buffer: int
    weights: tuple[int, ...]
    limits: tuple[int, ...]
    scheme: str
    scheduler: str
    arrivals: list[tuple[Fraction, int, Fraction]]
    until: Fraction


def service(random: Random) -> ServiceCase:
    """Draw a port with service queues, a scheme and a scheduler."""
    count = random.choice((2, 1, 3))
    now, arrivals = ZERO, []
    for _ in range(random.randint(0, 20)):
        now += random.choice((ZERO, ZERO, ONE, ONE / 2))
        arrivals.append((now, random.randrange(count), random.choice(SIZES[:4])))
    return ServiceCase(
        random.choice((4, 6, 10)),
        tuple(random.randint(1, 3) for _ in range(count)),
        tuple(random.randint(1, 3) for _ in range(count)),
        random.choice(SCHEMES),
        random.choice(SCHEDULERS[: 4 if count > 1 else 3]),
        arrivals,
        Fraction(random.choice((8, 4, 16))),
    )
