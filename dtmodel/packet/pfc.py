"""Priority flow control over one shared memory: virtual ingress and egress pools, pause and resume, headroom.

Each packet is stored once and counted twice: in its ingress queue (the port and priority it came by) and in its egress
queue (where it waits). A packet uses its ingress queue's reserve first, then the shared pool up to the threshold
alpha F, where F is the free part of the pool, if it fits into F. Beyond that, a lossy packet is dropped, and a lossless
packet goes into the queue's headroom while a pause is sent upstream. The threshold limits all bytes of the queue,
headroom included. A packet lies either in the headroom or outside it, and headroom is freed first. After every event,
traffic resumes into the empty queues and into those at least `resume_below` bytes below their pausing thresholds.

Sources: L2BM paper, Section II-A. Headroom: IEEE 802.1Qbb (now part of 802.1Q), and Cisco, "Priority Flow Control:
Build Reliable Layer 2 Infrastructure": twice the cable, the sender's reaction, and the largest frame at either end.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from dtmodel.base.errors import InputError, one_of
from dtmodel.base.units import plain
from dtmodel.policies.formulas import pause_headroom

__all__ = ["Link", "pfc_headroom"]

PAUSE_FRAME = Fraction(64)
"""The size of a pause frame in bytes."""


@dataclass(frozen=True)
class Link:
    """A link into a lossless queue.

    - `rate`: C in bytes per second.
    - `propagation`, `reaction`: in seconds: one way on the cable, and from the arrival of the pause until the sender
      starts no further frame.
    - `sender_frame`, `receiver_frame`, `pause_frame`: in bytes: the largest frame that each end may just have started,
      and the pause frame.

    >>> rate, delay, frame = Fraction(8), Fraction(1), Fraction(2)
    >>> link = Link(rate, propagation=delay, reaction=delay, sender_frame=frame, receiver_frame=frame)
    >>> str(pfc_headroom(link))
    '92'
    """

    rate: Fraction
    propagation: Fraction
    reaction: Fraction
    sender_frame: Fraction
    receiver_frame: Fraction
    pause_frame: Fraction = PAUSE_FRAME

    def __post_init__(self) -> None:
        if self.rate <= 0:
            raise InputError("link.rate", plain(self.rate), "a rate greater than 0")
        for name in ("propagation", "reaction", "sender_frame", "receiver_frame", "pause_frame"):
            if getattr(self, name) < 0:
                raise InputError(f"link.{name}", plain(getattr(self, name)), "at least 0")


def pfc_headroom(link: Link) -> Fraction:
    """Return 2 C p + C r + M_s + M_r + F: the bytes that can still arrive over `link` after the pause is decided.

    >>> us = Fraction(1, 10**6)
    >>> cable = Link(Fraction(3_125_000_000), us, 2 * us, Fraction(1500), Fraction(1500))  # 25 Gbps, 1 us
    >>> str(pfc_headroom(cable))
    '15564'
    """
    frames = (link.sender_frame, link.receiver_frame, link.pause_frame)
    return Fraction(pause_headroom(link.rate, link.propagation, link.reaction, *frames))


def arrived_after(link: Link, sender_started: Fraction, receiver_started: Fraction) -> Fraction:
    """Return the bytes that arrive after the receiver decides to pause at time 0, from a sender that is never idle.

    The arguments are ages of current frames: the sender's when the pause takes effect, the receiver's at time 0.
    """
    sent_pause = link.receiver_frame / link.rate - receiver_started + link.pause_frame / link.rate
    stops = sent_pause + link.propagation + link.reaction + link.sender_frame / link.rate - sender_started
    return link.rate * (stops + link.propagation)  # sent until `stops`, and on the wire at time 0


@dataclass(frozen=True)
class Ingress:
    """An ingress queue (port and priority) with weight `alpha` in the shared pool, in which `cap` bounds it.

    A `lossless` queue pauses its sender and uses `headroom`, beyond the pool, instead of dropping; traffic resumes
    `resume_below` bytes below the threshold. `reserved` bytes come before the pool.
    """

    alpha: Fraction
    lossless: bool = False
    reserved: Fraction = Fraction(0)
    headroom: Fraction = Fraction(0)
    resume_below: Fraction = Fraction(0)
    cap: Fraction | None = None


@dataclass(frozen=True)
class Egress:
    """An egress queue; `alpha` is its weight in the egress pool, None if the pool does not limit it."""

    alpha: Fraction | None = None


@dataclass(frozen=True)
class Pools:
    """The two shared pools of a switch, in bytes, and its queues by name; `cell` is a unit of memory or None.

    Raises `InputError` for a size or weight that is not positive, or a lossless queue that resumes at its threshold.
    """

    ingress_pool: Fraction
    egress_pool: Fraction
    ingress: Mapping[str, Ingress]
    egress: Mapping[str, Egress]
    cell: Fraction | None = None

    def __post_init__(self) -> None:
        if self.cell is not None and self.cell <= 0:
            raise InputError("cell", plain(self.cell), "a size greater than 0, or none")
        for name, size in (("ingress_pool", self.ingress_pool), ("egress_pool", self.egress_pool)):
            if size <= 0:
                raise InputError(name, plain(size), "a size greater than 0")
        for name, queue in self.ingress.items():
            if queue.alpha <= 0:
                raise InputError(f"ingress.{name}.alpha", plain(queue.alpha), "a number greater than 0")
            if min(queue.reserved, queue.headroom) < 0 or (queue.cap is not None and queue.cap < 0):
                raise InputError(f"ingress.{name}", "a negative size", "sizes of at least 0")
            if queue.headroom and not queue.lossless:
                raise InputError(f"ingress.{name}.headroom", plain(queue.headroom), "0 for a lossy queue")
            if queue.lossless and queue.resume_below <= 0:
                accepted = "a distance greater than 0, so that traffic resumes below the pausing threshold"
                raise InputError(f"ingress.{name}.resume_below", plain(queue.resume_below), accepted)
        for name, leaving in self.egress.items():
            if leaving.alpha is not None and leaving.alpha <= 0:
                raise InputError(f"egress.{name}.alpha", plain(leaving.alpha), "a number greater than 0, or none")


PfcEvent = tuple[str, ...] | tuple[str, str, str, Fraction]
"""``("arrive", ingress, egress, size)`` or ``("depart", egress)``."""


@dataclass(frozen=True)
class PfcStep:
    """The result of one event.

    - `decision`: ``enqueue``, ``headroom`` (enqueued beyond the threshold), ``drop``, ``depart`` or ``idle``.
    - `paused` (frozenset of str): the ingress queues that are paused afterwards.
    - `ingress`, `egress`: the counters afterwards, in bytes.
    - `headroom`, `stored`: the bytes of each ingress queue in its headroom, and those in the memory.
    """

    decision: str
    paused: frozenset[str]
    ingress: Mapping[str, Fraction]
    egress: Mapping[str, Fraction]
    headroom: Mapping[str, Fraction]
    stored: Fraction


@dataclass
class _State:
    pools: Pools
    ingress: dict[str, Fraction]
    egress: dict[str, Fraction]
    beyond: dict[str, Fraction]  # bytes of each ingress queue that lie in its headroom
    waiting: dict[str, list[tuple[str, Fraction]]]
    paused: set[str] = field(default_factory=set)

    def shared(self, name: str, more: Fraction = Fraction(0)) -> Fraction:
        """Return the bytes of a queue, made `more` longer, in the shared pool: without reserve and headroom."""
        return max(Fraction(0), self.ingress[name] + more - self.beyond[name] - self.pools.ingress[name].reserved)

    def free(self) -> Fraction:
        return self.pools.ingress_pool - sum(map(self.shared, self.ingress), Fraction(0))

    def threshold(self, name: str) -> Fraction:
        queue = self.pools.ingress[name]
        dynamic = queue.alpha * self.free()
        return queue.reserved + (dynamic if queue.cap is None else min(dynamic, queue.cap))


def run_pools(pools: Pools, events: Iterable[PfcEvent]) -> list[PfcStep]:
    """Execute arrivals and departures on a switch with `pools`; `InputError` for an unknown queue or event."""
    return list(pool_steps(pools, events))


def pool_steps(pools: Pools, events: Iterable[PfcEvent]) -> Iterator[PfcStep]:
    """Execute events lazily, as `run_pools` does, so that the next event may depend on the steps so far."""
    zeros, out = dict.fromkeys(pools.ingress, Fraction(0)), dict.fromkeys(pools.egress, Fraction(0))
    state = _State(pools, dict(zeros), out, dict(zeros), {name: [] for name in pools.egress})
    return (_step(state, event, f"events[{index}]") for index, event in enumerate(events))


def _step(state: _State, event: PfcEvent, field_name: str) -> PfcStep:
    if len(event) == 4 and event[0] == "arrive":
        decision = _arrive(state, str(event[1]), str(event[2]), Fraction(event[3]), field_name)
    elif len(event) == 2 and event[0] == "depart":
        decision = _depart(state, _known(event[1], state.pools.egress, f"{field_name}[1]"))
    else:
        raise InputError(field_name, event, '("arrive", ingress, egress, size) or ("depart", egress)')
    _resume(state)
    stored = sum((size for queue in state.waiting.values() for _, size in queue), Fraction(0))
    return PfcStep(decision, frozenset(state.paused), {**state.ingress}, {**state.egress}, {**state.beyond}, stored)


def _arrive(state: _State, source: str, target: str, size: Fraction, field_name: str) -> str:
    queue = state.pools.ingress[_known(source, state.pools.ingress, f"{field_name}[1]")]
    leaving = state.pools.egress[_known(target, state.pools.egress, f"{field_name}[2]")]
    if size <= 0:
        raise InputError(f"{field_name}[3]", plain(size), "a size greater than 0")
    if state.pools.cell is not None:
        size = state.pools.cell * ceil(size / state.pools.cell)
    if leaving.alpha is not None:
        free = state.pools.egress_pool - sum(state.egress.values(), Fraction(0))
        if state.egress[target] + size > leaving.alpha * free or size > free:
            return "drop"
    overdraws = state.shared(source, size) - state.shared(source) > state.free()
    beyond = overdraws or state.ingress[source] + size > state.threshold(source)
    if beyond and queue.lossless:
        state.paused.add(source)
    if beyond and state.beyond[source] + size > queue.headroom:
        return "drop"
    state.ingress[source] += size
    state.egress[target] += size
    state.waiting[target].append((source, size))
    state.beyond[source] += size if beyond else 0
    return "headroom" if beyond else "enqueue"


def _depart(state: _State, target: str) -> str:
    if not state.waiting[target]:
        return "idle"
    source, size = state.waiting[target].pop(0)
    state.egress[target] -= size
    state.ingress[source] -= size
    state.beyond[source] -= min(size, state.beyond[source])  # headroom is given back first
    return "depart"


def _resume(state: _State) -> None:
    for name in sorted(state.paused):
        if state.ingress[name] <= max(Fraction(0), state.threshold(name) - state.pools.ingress[name].resume_below):
            state.paused.discard(name)


def _known(name: object, names: Mapping[str, object], field_name: str) -> str:
    if not isinstance(name, str) or name not in names:
        raise InputError(field_name, name, one_of(names, name))
    return name
