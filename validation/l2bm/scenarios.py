"""Fluid scenarios and pools for L2BM, and what is run on them."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from dtmodel.base.units import plain
from dtmodel.ledger import Counterexample, Witness
from dtmodel.packet.pfc import Egress, Ingress, PfcEvent, PfcStep, Pools, run_pools


def ends_otherwise(
    trace: dict[str, Any], happens: dict[str, Any], claimed: dict[str, Any], says: str = ""
) -> Counterexample:
    """Refute by a trace: what of its final state is so, and what is claimed."""
    return Counterexample(Witness("trace", trace, {"final": happens}, {"final": claimed}, says))


def scenario(
    weights: tuple[Fraction, ...], steady: int, burst: str = "0", until: str = "1", sample: tuple[str, ...] = ("1",)
) -> dict[str, Any]:
    """A switch of buffer 60 and rate 1: the first `steady` queues on their thresholds, the others hit by one burst."""
    queues: list[dict[str, Any]] = []
    for index, weight in enumerate(weights):
        held = index < steady
        queue = {"alpha": plain(weight), "arrivals": [["0", "4" if held else burst]]}
        queues.append({**queue, "initial": "steady"} if held else queue)
    return {
        "switch": {"ports": len(weights), "buffer": "60", "rate": "1"},
        "policy": {"name": "dt", "alpha": "1"},
        "queues": queues,
        "until": until,
        "sample": list(sample),
    }


ONE = Fraction(1)

SWITCH = Pools(
    2 * ONE,
    4 * ONE,
    {"lossy": Ingress(ONE, reserved=ONE), "lossless": Ingress(ONE, lossless=True, headroom=ONE, resume_below=ONE / 2)},
    {"a": Egress(), "b": Egress(ONE)},
)


def runs(length: int = 4) -> Iterator[tuple[tuple[PfcEvent, ...], list[PfcStep]]]:
    """Every list of exactly `length` events (prefixes included in the steps), and its steps."""
    arrivals: list[PfcEvent] = [
        ("arrive", source, target, ONE) for source in SWITCH.ingress for target in SWITCH.egress
    ]
    for events in product([*arrivals, ("depart", "a"), ("depart", "b")], repeat=length):
        yield events, run_pools(SWITCH, events)
