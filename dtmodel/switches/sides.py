"""Packets that both sides of a switch count: flows from an ingress group to an egress queue, and their refusals.

A packet of k cells takes cells of its group and of its queue. A side admits it if it would admit its last cell. If only
the ingress refuses a packet of a lossless group, the group pauses, and the packet goes into its headroom, which may be
its own, that of its port, and a part of the shared headroom. `filled` blocks all outputs and sends packets until each
flow has lost one; since no packet leaves, the first refusal is found by bisection. `BothSides` admits packets in
`dtmodel.packet.engine.run_packets`, where each port of the engine is one flow; with several flows to one queue each
must be blocked (rate 0), since a queue of several groups sends in the order of arrival.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, final

from dtmodel.base import budgets
from dtmodel.base.errors import InputError
from dtmodel.policies.admission import Admission
from dtmodel.policies.forest import Forest, Node
from dtmodel.switches.chips import Reading
from dtmodel.switches.counting import Question, headroom
from dtmodel.switches.profile import BufferProfile


class Held(NamedTuple):
    """The cells of each flow, and the part of those of each group that lies in its headroom."""

    taken: tuple[int, ...]
    beyond: tuple[int, ...]


@dataclass(frozen=True)
class Sides:
    """The limits on both sides for some flows (numbers of group and queue), in cells.

    `headroom`: sets of groups with the cells of headroom that they share. `cells`, `descriptors`: the cells of one
    packet, and the most packets of the chip.
    """

    groups: tuple[str, ...]
    queues: tuple[str, ...]
    flows: tuple[tuple[int, int], ...]
    ingress: Forest
    egress: Forest
    headroom: tuple[tuple[frozenset[int], int], ...]
    cells: int
    descriptors: int | None = None

    @property
    def empty(self) -> Held:
        """The state without packets."""
        return Held((0,) * len(self.flows), (0,) * len(self.groups))

    def decision(self, flow: int, held: Held) -> tuple[str, str]:
        """Return the place of a flow's next packet ("shared", "headroom" or "drop") and the limits that refuse it."""
        if self.descriptors is not None and sum(held.taken) // self.cells >= self.descriptors:
            return "drop", "descriptors"
        group, queue = self.flows[flow]
        inside, outside = [-cells for cells in held.beyond], [0] * len(self.queues)
        for (g, q), cells in zip(self.flows, held.taken, strict=True):
            inside[g] += cells
            outside[q] += cells
        entry, leaving = self._refusing(self.ingress, group, inside), self._refusing(self.egress, queue, outside)
        rooms = [most - sum(held.beyond[g] for g in members) for members, most in self.headroom if group in members]
        fits = min(rooms, default=0) >= self.cells
        if not leaving and (not entry or fits):
            return ("headroom", f"ingress {entry}") if entry else ("shared", "")
        refusing = [f"ingress {'headroom' if rooms else entry}"] if entry and not fits else []
        return "drop", " and ".join([*refusing, *([f"egress {leaving}"] if leaving else [])])

    def _refusing(self, forest: Forest, index: int, lengths: list[int]) -> str:
        """Return the level that refuses the last cell of a packet; an empty text if none does."""
        lengths[index] += self.cells - 1
        node = forest.refusing(index, forest.levels(lengths))
        if node is None or node >= forest.first_queue:
            return "" if node is None else "group" if forest is self.ingress else "queue"
        return "pool" if forest.nodes[node].parent is None else "port"

    def after(self, held: Held, flows: Sequence[int], rounds: int, place: str) -> Held:
        """Return the state after `rounds` packets of each of some flows."""
        taken, beyond = list(held.taken), list(held.beyond)
        for flow in flows:
            taken[flow] += rounds * self.cells
            beyond[self.flows[flow][0]] += rounds * self.cells * (place == "headroom")
        return Held(tuple(taken), tuple(beyond))


def sides_of(question: Question, flows: Sequence[str]) -> Sides:
    """Return the limits of flows such as ``"Ethernet0|3 to Ethernet8"``, as a chip reads its configuration.

    Left is a group, the index of groups of all other ports, or "all"; right is a queue, or a port (with that index).
    """
    pairs = [pair for text in flows for pair in _named(question.reading.config, text)]
    budgets.keep_within("events", len(pairs), "flow")
    groups, queues = (tuple(dict.fromkeys(names)) for names in zip(*pairs, strict=True))
    return Sides(
        groups, queues, tuple((groups.index(group), queues.index(queue)) for group, queue in pairs),
        tree_of(question.reading, groups, "ingress"), tree_of(question.reading, queues, "egress"),
        tuple(_headrooms(question, groups)), question.cells, question.descriptors,
    )  # fmt: skip


def _named(config: BufferProfile, text: str) -> list[tuple[str, str]]:
    left, _, right = (part.strip() for part in str(text).partition(" to "))
    port = right if right not in config.egress else right.rpartition("|")[0]
    several = [group for group in config.ingress if left in ("all", group.rpartition("|")[2])]
    from_ = [group for group in several if group.rpartition("|")[0] != port] or [g for g in config.ingress if g == left]
    pairs = [(group, right if right in config.egress else f"{right}|{group.rpartition('|')[2]}") for group in from_]
    found = [pair for pair in pairs if pair[1] in config.egress]
    if not found:
        groups, queues = (", ".join([*names][:4]) for names in (config.ingress, config.egress))
        has = f"this file has the groups {groups} and the queues {queues}"
        raise InputError("flow", text, f'a group or "all", " to ", and a queue or port: {has}')
    return found


def tree_of(reading: Reading, queues: Sequence[str], side: str) -> Forest:
    """Return the tree of pools, limited ports and queues of one side, in cells."""
    config, nodes, places = reading.config, list[Node](), dict[tuple[str, ...], int]()
    profiles = [config.profile_of(queue, side) for queue in queues]
    for name in dict.fromkeys(profile.pool for profile in profiles):
        places[(name,)] = len(nodes)
        nodes.append(Node(None, None, 0, reading.shared(config.pools[name], side)))
    parents = []
    for queue, profile in zip(queues, profiles, strict=True):
        limits, key = reading.port_weight(queue, side), (profile.pool, queue.rpartition("|")[0])
        if key not in places:
            places[key] = places[key[:1]] if limits == (None, None) else len(nodes)
            nodes += [] if limits == (None, None) else [Node(places[key[:1]], limits[0], 0, limits[1])]
        parents.append(places[key])
    for profile, parent in zip(profiles, parents, strict=True):
        alpha, cap = reading.weight(profile)
        most = nodes[places[(profile.pool,)]].cap + 1 if alpha is None and cap is None else cap
        nodes.append(Node(parent, alpha, reading.own(profile), most))
    return Forest(nodes, (1,) * len(nodes), len(queues), reading.chip.ports == "nested")


def _headrooms(question: Question, groups: Sequence[str]) -> Iterator[tuple[frozenset[int], int]]:
    """Yield the sets of lossless groups that share cells of headroom, and these cells."""
    config, chip = question.reading.config, question.reading.chip
    profiles = {number: config.profile_of(group) for number, group in enumerate(groups)}
    lossless = {number: profile for number, profile in profiles.items() if profile.lossless}
    for number, profile in lossless.items():
        pool, port = config.pools[profile.pool], groups[number].rpartition("|")[0]
        shares = pool.headroom and chip.headroom_of == "port"
        members = [other for other in lossless if shares and groups[other].rpartition("|")[0] == port]
        yield frozenset(members or [number]), headroom(replace(question, group=groups[number]), profile)
        if pool.headroom:
            of_pool = [other for other, each in lossless.items() if each.pool == pool.name]
            yield frozenset(of_pool), question.reading.headroom_pool(pool)


def filled(sides: Sides, fill: str = "sequence") -> list[dict[str, Any]]:
    """Fill the flows until each pauses or drops, then those that paused until each drops; all outputs are blocked.

    `fill`: one flow after another ("sequence"), or a packet of each in turn ("together").
    """
    every = range(len(sides.flows))
    held, first = _until(sides, sides.empty, every, "shared", fill)
    _, last = _until(sides, held, [flow for flow in every if first[flow][1] == "headroom"], "headroom", fill)
    rows = []
    for flow, (group, queue) in enumerate(sides.flows):
        packets, place, by = first[flow]
        more, _, dropped_by = last.get(flow, (0, "", by))
        rows.append({
            "group": sides.groups[group], "queue": sides.queues[queue], "packets": packets,
            "event": "pause" if place == "headroom" else "drop", "refused_by": by, "headroom": more,
            "first_dropped": packets + more + 1, "dropped_by": dropped_by,
        })  # fmt: skip
    return rows


Stops = dict[int, tuple[int, str, str]]
"""Of each flow its packets in the place that it filled, and the place and the limits that its next packet meets."""


def _until(sides: Sides, held: Held, flows: Sequence[int], place: str, fill: str) -> tuple[Held, Stops]:
    """Send packets of some flows until the next one of each has another place than `place`."""
    forests, stops = (sides.ingress, sides.egress), Stops()
    most = sum(node.cap for forest in forests for node in forest.nodes if node.parent is None)
    most += sum(node.reserve for forest in forests for node in forest.nodes) + sum(room for _, room in sides.headroom)
    for flows_at_once in [list(flows)] if fill == "together" else [[flow] for flow in flows]:
        turn, rounds = flows_at_once, 0
        while turn:
            more = bisect_left(range(most), True, key=_ending(sides, held, turn, place))
            held, ended = _round(sides, sides.after(held, turn, more, place), turn, place)
            stops |= {flow: (rounds + more, *decision) for flow, decision in ended.items()}
            turn, rounds = [flow for flow in turn if flow not in ended], rounds + more + 1
    return held, stops


def _ending(sides: Sides, held: Held, turn: Sequence[int], place: str) -> Any:
    return lambda rounds: bool(_round(sides, sides.after(held, turn, rounds, place), turn, place)[1])


def _round(sides: Sides, held: Held, turn: Sequence[int], place: str) -> tuple[Held, dict[int, tuple[str, str]]]:
    """Send one packet of each flow; return the state, and the decisions on those that have another place."""
    ended = {}
    for flow in turn:
        decision = sides.decision(flow, held)
        if decision[0] == place:
            held = sides.after(held, [flow], 1, place)
        else:
            ended[flow] = decision
    return held, ended


@final
class BothSides(Admission):
    """Admission by both sides, with a flow as an engine's port; `refused`: time, flow, limits of dropped packets."""

    def __init__(self, sides: Sides) -> None:
        self.sides, self.beyond = sides, list(sides.empty.beyond)
        self.refused: list[tuple[Any, int, str]] = []
        self.decided = ("", "")

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        """Return True if both sides, or the egress and the headroom of the group, admit the packet."""
        del length, free, now
        self.decided = self.sides.decision(port, Held(tuple(self.lengths), tuple(self.beyond)))
        return self.decided[0] != "drop"

    def enqueued(self, port: int, size: Any, now: Any) -> None:
        """Count the cells of a packet that went into the headroom."""
        del size, now
        self.beyond[self.sides.flows[port][0]] += self.sides.cells * (self.decided[0] == "headroom")

    def dequeued(self, port: int, size: Any, now: Any) -> None:
        """Free the headroom of the group first."""
        del size, now
        group = self.sides.flows[port][0]
        self.beyond[group] -= min(self.sides.cells, self.beyond[group])

    def dropped(self, port: int, now: Any) -> None:
        """Note the limits that refuse a packet."""
        self.refused.append((now, port, self.decided[1]))
