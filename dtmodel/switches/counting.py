r"""Numbers of packets that a hardware test of a buffer configuration measures, and the side that refuses first.

The output of the test is blocked and the buffer is empty. A packet takes k = ceil((packet + overhead) / cell) cells. A
group of packets (ingress) or a queue (egress) owns r cells and shares the S' cells of one slice of its pool; U of them
are taken, V by other groups of its port. It admits cells until the next one would lie beyond its own threshold, its
port's or the pool: the counts of this module are the least number of stored cells at which that holds, or follow from
it (`dtmodel.switches.formulas`). `Path.stored` is the closed form; the tests hold it against a walk cell by cell.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Any

from dtmodel.base import budgets, units
from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError, one_of
from dtmodel.base.units import Quantity
from dtmodel.switches import formulas
from dtmodel.switches.chips import Reading
from dtmodel.switches.profile import BufferProfile, Profile

_SPEED_400G = re.compile(r"pg_lossless_400000_")


@dataclass(frozen=True)
class Path:
    """The limits between a group or queue and its pool's slice, in cells; `nested`: alpha times its port's room."""

    own: int
    pool: int
    alpha: Fraction | None = None
    cap: int | None = None
    port: tuple[Fraction | None, int | None] = (None, None)
    nested: bool = False

    def stored(self, taken: int = 0, beside: int = 0) -> int:
        """Return the shared cells at the first refusal; others hold `taken`, on this port `beside` of them."""
        room, (weight, most) = self.pool - taken, self.port
        bounds = [room]
        if self.cap is not None:
            bounds.append(self.cap)
        if weight is not None:
            bounds.append(int(formulas.added_by_port(weight, self.pool, taken, beside)))
        if most is not None:
            bounds.append(most - beside)
        if self.alpha is not None:
            bounds.append(self._by_alpha(taken, beside))
        return max(0, min(bounds))

    def _by_alpha(self, taken: int, beside: int) -> int:
        alpha, (weight, most) = self.alpha or Fraction(0), self.port
        if self.nested and weight is not None:
            found = formulas.stored_at_pause_of_port(0, alpha, weight, self.pool, taken, beside)
        elif self.nested and most is not None:
            found = formulas.stored_at_pause(0, alpha, most, beside)
        else:
            found = formulas.stored_at_pause(0, alpha, self.pool, taken)
        return int(found)

    @property
    def weight(self) -> Fraction | None:
        """The weight w of the group alone on its port; None if no weight limits it."""
        weights = [weight for weight in (self.alpha, self.port[0]) if weight is not None]
        if self.nested and len(weights) == 2:
            return weights[0] * weights[1] / (1 + weights[0])
        return min(weights, default=None)

    def together(self, groups: int) -> int:
        """Return the shared cells in each of so many groups of different ports that fill at once."""
        weight = self.weight
        bounds = [self.pool // groups, *(cap for cap in (self.cap, self.port[1]) if cap is not None)]
        bounds += [] if weight is None else [int(formulas.stored_together(0, weight, self.pool, groups))]
        return min(bounds)


def path_of(reading: Reading, queue: str, side: str) -> Path:
    """Return the limits of a queue of one side, as a chip reads them."""
    config = reading.config
    profile = config.profile_of(queue, side)
    pool, port = reading.shared(config.pools[profile.pool], side), reading.port_weight(queue, side)
    return Path(reading.own(profile), pool, *reading.weight(profile), port, reading.chip.ports == "nested")


@dataclass(frozen=True)
class Question:
    """The settings of a count: the `reading` of the chip, in cells, and k, the `cells` of one packet.

    `group` pauses and `queue` drops; None if the file has none. `fill`, `groups`: groups are filled one after another
    ("sequence") or at once ("together"), and their number. `descriptors`: the most packets of the chip. `overhead`: the
    bytes that the chip stores beside a packet.
    """

    reading: Reading
    cells: int
    group: str | None
    queue: str | None
    fill: str = "sequence"
    groups: int = 1
    descriptors: int | None = None
    packet: Fraction = Fraction(0)
    overhead: Fraction = Fraction(0)

    @property
    def profile(self) -> Profile | None:
        """The profile of the group; None if the file has no lossless group."""
        found = None if self.group is None else self.reading.config.profile_of(self.group)
        return found if found is not None and found.lossless else None

    def packets(self, cells: int) -> int:
        """Return the number of packets that so many cells store."""
        most = cells // self.cells
        return most if self.descriptors is None else min(most, self.descriptors)

    def of_port(self) -> list[Profile]:
        """Return the profiles of the lossless groups of the group's port."""
        config, port = self.reading.config, str(self.group).rpartition("|")[0]
        each = [config.profiles[name] for queue, name in config.ingress.items() if queue.rpartition("|")[0] == port]
        return [profile for profile in each if profile.lossless]


def ask(
    reading: Reading, *, packet: Quantity, cell: Quantity | None = None, group: str | int | None = None,
    queue: str | None = None, fill: str = "sequence", groups: int | None = None, overhead: Quantity = 0,
    descriptors: int | None = None,
) -> Question:  # fmt: skip
    """Return the question about a configuration as a chip reads it, with the settings of `counts`."""
    config = reading.config
    size = units.whole_bytes(reading.chip.cell if cell is None else cell, "cell")
    stored = units.whole_bytes(packet, "packet"), units.bytes_(overhead, "overhead")
    cells = formulas.cells_of_packet(*stored, size)
    chosen = _group(config, group)
    lossless = sum(config.profiles[name].lossless for name in config.ingress.values())
    number = units.count(max(lossless, 1) if groups is None else groups, "groups", least=1)
    budgets.keep_within("events", number, "groups")
    most = None if descriptors is None else units.count(descriptors, "descriptors", least=1)
    choice(fill, "fill", ("sequence", "together"))
    return Question(replace(reading, cell=size), int(cells), chosen, _queue(config, queue, chosen), fill,
                    number, most, *stored)  # fmt: skip


def _group(config: BufferProfile, group: str | int | None) -> str | None:
    if group is None:
        found = [queue for queue, name in config.ingress.items() if config.profiles[name].lossless]
        return next(iter(found or config.ingress), None)
    name = str(group)
    fits = [queue for queue in config.ingress if name in (queue, queue.rpartition("|")[2])]
    if not fits:
        indices = dict.fromkeys(queue.rpartition("|")[2] for queue in config.ingress)
        raise InputError("group", group, one_of(indices, group) if indices else "a group; this file has no BUFFER_PG")
    return fits[0]


def _queue(config: BufferProfile, queue: str | None, group: str | None) -> str | None:
    """Return the egress queue that is asked for; by default the first lossy one, if it can be on the group's port."""
    if queue is not None:
        config.profile_of(queue, "egress")
        return queue
    lossless = {q.rpartition("|")[2] for q, name in config.ingress.items() if config.profiles[name].lossless}
    port = str(group).rpartition("|")[0]

    def rank(each: str) -> tuple[bool, bool]:
        where, _, index = each.rpartition("|")
        return index in lossless or "lossless" in config.egress[each], where != port

    return min(config.egress, key=rank, default=None)


def group_of(config: BufferProfile, queue: str) -> str | None:
    """Return the lossy ingress group that the packets of an egress queue come through."""
    port, _, index = queue.rpartition("|")
    lossy = [q for q, name in config.ingress.items() if not config.profiles[name].lossless]
    return min(lossy, key=lambda q: (q.rpartition("|")[0] != port, q.rpartition("|")[2] != index), default=None)


def pauses(question: Question) -> list[int]:
    """Return the packets in each group when it pauses: filled one after another, or all at once."""
    path, k = path_of(question.reading, str(question.group), "ingress"), question.cells
    if question.fill == "together":
        return [question.packets(path.own + path.together(question.groups))] * question.groups
    return list(_one_after_another(question, path, len(question.of_port()), k))


def _one_after_another(question: Question, path: Path, per_port: int, k: int) -> Iterator[int]:
    taken = beside = 0
    for index in range(question.groups):
        if index % per_port == 0:
            beside = 0
        packets = question.packets(path.own + path.stored(taken, beside))
        shared = max(0, packets * k - path.own)
        taken, beside = taken + shared, beside + shared
        yield packets


def headroom(question: Question, profile: Profile) -> int:
    """Return the cells that the group admits after its pause."""
    reading, pool = question.reading, question.reading.config.pools[profile.pool]
    if not pool.headroom:
        return max(0, floor(profile.headroom / reading.cell) - lost_headroom(question, profile))
    own = floor(profile.headroom / reading.cell)
    if reading.chip.headroom_of == "port":
        own = sum(ceil(each.headroom / reading.cell) for each in question.of_port()) - 1
    return max(0, min(own, reading.headroom_pool(pool)))


def lost_headroom(question: Question, profile: Profile) -> int:
    """Return the cells of a group's own headroom that take no packet."""
    more = question.reading.chip.lost_headroom_400g if _SPEED_400G.match(profile.name) else 0
    return question.reading.chip.lost_headroom + more


def hysteresis(question: Question, profile: Profile) -> int:
    """Return y: the cells of a profile's size beyond xon and xoff, if the size contains its headroom."""
    cell = question.reading.cell
    if not question.reading.holds_headroom(profile):
        return 0
    return int(formulas.beyond_marks(profile.reserved, profile.xon or Fraction(0), profile.headroom, cell))


def dismissals(question: Question, profile: Profile, pause: int) -> tuple[int | None, int | None]:
    """Return the packets that leave until the pause ends: with a frozen threshold, and with one that follows."""
    cell, k = question.reading.cell, question.cells
    if question.reading.chip.resume == "xon" or profile.xon_offset is None:
        if profile.xon is None:
            return None, None
        left = max(0, pause * k - hysteresis(question, profile) - max(ceil(profile.xon / cell) - 1, 0))
        return left // k, left // k
    offset = ceil(profile.xon_offset / cell)
    weight = path_of(question.reading, str(question.group), "ingress").weight
    following = offset if weight is None else formulas.fall_to_resume(Fraction(offset), weight)
    return offset // k, int(following) // k


def egress_drop(question: Question) -> tuple[int, str] | None:
    """Return the number of the first packet dropped for a lossy queue, and the side that refuses it."""
    if question.queue is None:
        return None
    reading, config = question.reading, question.reading.config
    group = group_of(config, question.queue)
    sides = [("queue", path_of(reading, question.queue, "egress"))]
    sides += [] if group is None else [("group", path_of(reading, group, "ingress"))]
    stored, side = min(((path.own + path.stored(), side) for side, path in sides), key=lambda each: each[0])
    return question.packets(stored) + 1, side


def headroom_pool(question: Question, profile: Profile) -> dict[str, int] | None:
    """Return the numbers of a test that fills the shared headroom pool, group after group."""
    reading, pool = question.reading, question.reading.config.pools[profile.pool]
    cells, full = reading.headroom_pool(pool), floor(profile.headroom / reading.cell)
    if not cells or not full:
        return None
    groups = int(formulas.headroom_groups(Fraction(cells), full))
    path = path_of(reading, str(question.group), "ingress")
    return {
        "groups": groups, "trig_pfc": question.packets(path.own + path.together(groups)),
        "full": question.packets(full), "partial": question.packets(formulas.headroom_partial(cells, groups, full)),
        "cells": cells,
    }  # fmt: skip


def tester_counts(question: Question) -> dict[str, Any]:
    """Return the counts in the shape of ``dtmodel params profile --json``."""
    profile, dropped = question.profile, egress_drop(question)
    found: dict[str, Any] = dict.fromkeys(("fill_min", "trig_pfc", "trig_ingr_drp", "dismiss_pfc"))
    found |= {"trig_egr_drp": dropped and dropped[0], "hysteresis": None, "trig_pfc_multi": [], "hdrm_pool": None}
    if profile is not None:
        path = path_of(question.reading, str(question.group), "ingress")
        pause = question.packets(path.own + path.stored())
        ends = [left for left in dismissals(question, profile, pause) if left is not None]
        found |= {
            "fill_min": question.packets(path.own), "trig_pfc": pause,
            "trig_ingr_drp": formulas.dropped_packet(pause, headroom(question, profile) // question.cells),
            "dismiss_pfc": max(ends, default=None),
            "hysteresis": hysteresis(question, profile) // question.cells,
            "trig_pfc_multi": pauses(question), "hdrm_pool": headroom_pool(question, profile),
        }  # fmt: skip
    refused = {"trig_egr_drp": dropped[1]} if dropped else {}
    return {"counts": found, "refused_by": refused, "reading": question.reading.chip.name}
