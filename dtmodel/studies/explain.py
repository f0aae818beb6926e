"""Sampled counters under DT, explained: the threshold could have caused the drops, must have, or cannot.

The model. Queue i has a reserve r_i, a weight alpha_i and an output of rate C_i that sends whenever the queue holds
bytes. The queues share B: F = B - sum(max(q_j - r_j, 0)) is free, and the threshold is T_i = r_i + alpha_i F. A queue
grows only up to its threshold. Arrivals are any: streams, and bursts at an instant. The threshold drops a byte only if
q_i >= T_i. The counters count from an instant when all queues were empty, so that q_i = in - out - dropped, and
``watermark`` is the greatest length since then.

The margin is T_i - q_i. Over all motions that give the samples at both ends of an interval, and over all instants, its
least and its greatest value decide: the threshold *could* have caused the drops of queue i if the least margin is at
most 0 (its dropped bytes arrive as a burst then), it *must* have if the greatest is at most 0 as well, and it *cannot*
if the least is positive or if there is no such motion.

The question is finite. At m instants the motion must reach something: a margin, or a watermark that has risen. Between
two of them, let each queue receive at once, at the end, as much as it lacks of the same length. This lazy motion is
nowhere longer, and it is one of DT: if the queues grow in the order of falling shared length / alpha, each finds at
least as much free buffer as at its last growth in the original. So m + 1 phases of linear inequalities with cases hold
all motions, and z3 decides them in rational numbers.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

from dtmodel.base import budgets, units
from dtmodel.base.errors import MISSING, InputError, ProverError
from dtmodel.base.extras import need
from dtmodel.studies.linear_cases import Cases, value_of
from dtmodel.switches.chips import Reading
from dtmodel.switches.chips import chip as reading_of
from dtmodel.switches.profile import read_buffer_profile, size_of

__all__ = ["explain"]

NOT_COVERED = (
    "several queues of one port", "policies other than DT (static limits, alpha 0, limits of whole ports)",
    "lossless queues and pauses", "counters that start while a queue holds bytes", "watermarks that were cleared",
    "limits on the rate of arrivals", "rounding to cells", "queues of the pool without counters (taken as empty)",
    "queues of different slices (taken as one slice)",
)  # fmt: skip
Visit: TypeAlias = tuple[int, str, Fraction]
"""A queue by its number, and the relation of its margin at some instant to a number."""
_COLUMNS = ("time", "port", "queue", "in", "out", "dropped", "watermark")


@dataclass(frozen=True)
class _Queue:
    """A queue with its limits: reserve r, weight alpha, rate C."""

    port: str
    index: str
    reserve: Fraction
    alpha: Fraction
    rate: Fraction


@dataclass(frozen=True)
class _Sample:
    """One row: time, the counters, the length, and the watermark, if there is one."""

    where: str
    time: Fraction
    arrived: Fraction
    out: Fraction
    dropped: Fraction
    watermark: Fraction | None

    @property
    def length(self) -> Fraction:
        return self.arrived - self.out - self.dropped


@dataclass(frozen=True)
class _Span:
    """One queue in one interval: lengths at both ends, bytes out and dropped, and the watermark's meaning."""

    queue: _Queue
    start: Fraction
    end: Fraction
    out: Fraction
    dropped: Fraction
    most: Fraction | None
    reached: bool
    row: str

    @classmethod
    def between(cls, queue: _Queue, old: _Sample, new: _Sample) -> "_Span":
        top = new.watermark
        rose = None not in (top, old.watermark) and top not in (old.watermark, new.length)
        out, dropped = new.out - old.out, new.dropped - old.dropped
        return cls(queue, old.length, new.length, out, dropped, top, rose, new.where)

    def impossible(self, time: Fraction) -> str | None:
        """Return the inequality of an output that the counters contradict; None if they contradict none."""
        could, name = self.queue.rate * time, f"port {self.queue.port} ({self.row})"
        if self.out > could:
            return f"{name} sent {_b(self.out)}, more than rate x time = {_b(could)}"
        if self.out < min(could, self.start):
            return f"{name} sent {_b(self.out)}, less than its output sends from {_b(self.start)} in {_b(could)}"
        return None

    def document(self) -> dict[str, Any]:
        """Return the numbers of the queue in the interval, as a certificate has them."""
        numbers = {"reserve": self.queue.reserve, "alpha": self.queue.alpha, "rate": self.queue.rate,
                   "start": self.start, "end": self.end, "out": self.out, "most": self.most}  # fmt: skip
        names = {"port": self.queue.port, "queue": self.queue.index, "reached": self.reached}
        return names | {name: None if x is None else units.plain(x) for name, x in numbers.items()}

    @property
    def longest(self) -> Fraction:
        """A length that the queue cannot exceed in the interval: start + admitted = end + out, or the watermark."""
        return min(self.end + self.out, self.end + self.out if self.most is None else self.most)


def explain(
    counters: str | Iterable[Mapping[str, Any]], config: Mapping[str, Any] | None = None, *, chip: str | None = None,
    side: str = "egress", memory: object = None, buffer: object = None, alpha: object = None, rate: object = None,
) -> dict[str, Any]:  # fmt: skip
    """Explain the drops between samples of counters: DT's threshold could, must or cannot have caused them.

    The answer has an entry for each interval with drops: the verdict, for each queue that dropped the margin T - q
    nearest to 0 that any motion reaches (positive: cannot; None if no motion gives the samples), the reason with its
    numbers, and a witness: arrivals (``seconds`` is 0 for a burst; bursts of one instant are in order) that give the
    samples while the threshold drops the bytes of all these queues; it is empty if the verdict is "cannot". The
    certificate refutes the opposite of each "cannot" and "must" (`dtmodel.studies.linear_cases`); a proof is None if it
    needs more than 500 cases.

    Parameters
    ----------
    counters : str or iterable of mappings
        A CSV file, or its rows: time, port, queue, in, out, dropped, watermark (bytes; cumulative). ``in`` contains
        the dropped bytes. A watermark may be absent.
    config : mapping, optional
        A buffer configuration, from which B, alpha, reserves and ``PORT.speed`` are read.
    chip, side, memory : optional
        The reading, the side of the switch, and the size of pools that have none.
    buffer, alpha, rate : optional
        B, alpha and the rate of every port; they replace those of the configuration.

    Examples
    --------
    >>> rows = [{"time": 0, "port": 0, "queue": 0, "in": 0, "out": 0, "dropped": 0, "watermark": 0},
    ...         {"time": 1, "port": 0, "queue": 0, "in": 9, "out": 1, "dropped": 4, "watermark": 4}]
    >>> found = explain(rows, buffer=10, alpha=1, rate=1)["intervals"][0]
    >>> found["verdict"], found["ports"][0]["margin"]
    ('cannot', '2')
    >>> explain(rows, buffer=8, alpha=1, rate=1)["intervals"][0]["verdict"]
    'could'
    """
    need("z3")
    samples = _samples(_rows(counters), counters if isinstance(counters, str) else "counters")
    given = {"buffer": buffer, "alpha": alpha, "rate": rate}
    size, queues, reading = _limits(list(samples), config, chip, side, memory, given)
    times, found = next(iter(samples.values())), []
    for number, (old, new) in enumerate(pairwise(times)):
        spans = [_Span.between(queue, *samples[queue.port, queue.index][number : number + 2]) for queue in queues]
        if any(span.dropped for span in spans):
            ends = {"from": units.plain(old.time), "to": units.plain(new.time)}
            found.append(ends | _interval(spans, size, new.time - old.time, old.time))
    proofs = [{"from": each["from"], "to": each["to"], **each.pop("certificate")} for each in found]
    certificate = {"kind": "samples", "buffer": units.plain(size),
                   "intervals": [proof for proof in proofs if proof["refutations"]]}  # fmt: skip
    return {"buffer": units.plain(size), "reading": reading, "intervals": found, "certificate": certificate,
            "not_covered": list(NOT_COVERED)}  # fmt: skip


def _rows(counters: str | Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the rows of a CSV file, or those that are given."""
    if not isinstance(counters, str):
        return list(counters)
    try:
        with Path(counters).open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError("counters", counters, f"a CSV file in UTF-8 ({error})") from error


def _samples(rows: Sequence[Mapping[Any, Any]], name: str) -> dict[tuple[str, str], list[_Sample]]:
    """Read the samples of each queue; every queue has a row at every time."""
    budgets.keep_within("events", len(rows), name)
    samples: dict[tuple[str, str], list[_Sample]] = {}
    ports: dict[str, str] = {}
    for number, row in enumerate(rows, 2):
        where = f"{name}, row {number}"
        fields = {str(key).replace("bytes", "").strip(" _"): value for key, value in row.items()}
        for column in _COLUMNS[:-1]:
            if fields.get(column) in (None, ""):
                raise InputError(f"{where}: {column}", MISSING, f"a value in each column of {', '.join(_COLUMNS)}")
        key = (str(fields["port"]), str(fields["queue"]))
        if ports.setdefault(key[0], key[1]) != key[1]:
            raise InputError(f"{where}: queue", key[1], f"queue {ports[key[0]]} of port {key[0]}: one queue a port")
        made, earlier = _sample(fields, where), samples.setdefault(key, [])
        if earlier:
            _follows(earlier[-1], made)
        earlier.append(made)
    if not samples:
        raise InputError(name, "no rows", f"rows with the columns {', '.join(_COLUMNS)}")
    _complete(samples)
    return samples


def _sample(fields: Mapping[str, Any], where: str) -> _Sample:
    watermark = fields.get("watermark")
    arrived, out, lost = (size_of(fields[column], f"{where}: {column}") for column in ("in", "out", "dropped"))
    top = None if watermark in (None, "") else size_of(watermark, f"{where}: watermark")
    time = _short(units.seconds(fields["time"], f"{where}: time"), fields["time"], f"{where}: time")
    made = _Sample(where, time, arrived, out, lost, top)
    if made.length < 0:
        accepted = f"at least out + dropped = {units.plain(out + lost)}: counters that start at empty queues"
        raise InputError(f"{where}: in", fields["in"], accepted)
    if top is not None and top < made.length:
        raise InputError(f"{where}: watermark", watermark, f"at least in - out - dropped = {units.plain(made.length)}")
    return made


def _short(number: Fraction, given: object, field: str) -> Fraction:
    if max(number.as_integer_ratio()) >= 2**256:
        raise InputError(field, given, "a fraction of numbers below 2^256")
    return number


def _follows(old: _Sample, new: _Sample) -> None:
    """Check that time and counters of a queue never fall, and that no more is dropped than arrives."""
    if new.time <= old.time:
        raise InputError(f"{new.where}: time", units.plain(new.time), f"a time after {units.plain(old.time)}")
    for column, before, after in (
        ("in", old.arrived, new.arrived), ("out", old.out, new.out), ("dropped", old.dropped, new.dropped),
        ("watermark", old.watermark or Fraction(0), new.watermark),
    ):  # fmt: skip
        if after is not None and after < before:
            accepted = f"at least {units.plain(before)}, as in the row before: counters are cumulative"
            raise InputError(f"{new.where}: {column}", units.plain(after), accepted)
    if new.dropped - old.dropped > new.arrived - old.arrived:
        accepted = f"at most {units.plain(old.dropped + new.arrived - old.arrived)}: in contains the dropped bytes"
        raise InputError(f"{new.where}: dropped", units.plain(new.dropped), accepted)


def _complete(samples: Mapping[tuple[str, str], list[_Sample]]) -> None:
    """Check that every queue has a row at every time."""
    times = [sample.time for sample in next(iter(samples.values()))]
    for each in samples.values():
        if [sample.time for sample in each] != times:
            raise InputError(f"{each[-1].where}: time", units.plain(each[-1].time), "a row of each queue at every time")


def _limits(
    keys: Sequence[tuple[str, str]], config: Mapping[str, Any] | None, chip: str | None, side: str, memory: object,
    given: Mapping[str, object],
) -> tuple[Fraction, list[_Queue], str | None]:  # fmt: skip
    """Return B and the limits of each queue, and the name of the reading."""
    buffer, alpha, rate = given["buffer"], given["alpha"], given["rate"]
    size = None if buffer is None else size_of(buffer, "buffer", positive=True)
    weight = None if alpha is None else _short(units.number(alpha, "alpha", positive=True), alpha, "alpha")
    speed = None if rate is None else _short(units.rate(rate, "rate", positive=True), rate, "rate")
    if config is None:
        for name, value in (("buffer", size), ("alpha", weight), ("rate", speed)):
            if value is None:
                raise InputError(name, MISSING, "a value, or a buffer configuration: profile")
        alike = [_Queue(*key, Fraction(0), weight or Fraction(0), speed or Fraction(0)) for key in keys]
        return size or Fraction(0), alike, None
    total = None if memory is None else units.bytes_(memory, "memory", positive=True)
    reading = Reading(reading_of(chip), read_buffer_profile(config, total))
    queues = [_configured(reading, config, key, side, weight, speed) for key in keys]
    pools = {reading.config.profile_of(f"{port}|{index}", side).pool for port, index in keys}
    if len(pools) > 1:
        raise InputError("counters", ", ".join(sorted(pools)), "queues of one pool")
    shared = Fraction(reading.shared(reading.config.pools[pools.pop()], side))
    return shared if size is None else size, queues, reading.chip.name


def _configured(
    reading: Reading, config: Mapping[str, Any], key: tuple[str, str], side: str, alpha: Fraction | None,
    speed: Fraction | None,
) -> _Queue:  # fmt: skip
    profile = reading.config.profile_of("|".join(key), side)
    weight = alpha or reading.weight(profile)[0]
    if weight is None or profile.lossless:
        raise InputError(f"BUFFER_PROFILE.{profile.name}", "lossless" if profile.lossless else "a static limit",
                         "a lossy queue with a dynamic threshold: others are not covered")  # fmt: skip
    listed = config.get("PORT", {}).get(key[0], {}).get("speed")
    if speed is None and listed is None:
        raise InputError("rate", MISSING, f"a rate, or PORT.{key[0]}.speed in the configuration")
    rate = speed or units.number(listed, f"PORT.{key[0]}.speed", positive=True) * 125_000
    return _Queue(*key, Fraction(reading.own(profile)), weight, rate)


def _interval(spans: Sequence[_Span], size: Fraction, time: Fraction, start: Fraction) -> dict[str, Any]:
    """Decide one interval: all queues that dropped together, then each of them."""
    busy = [span for span in spans if span.start or span.end or span.out or span.dropped or span.reached]
    dropped = [index for index, span in enumerate(busy) if span.dropped]
    wrong = next(filter(None, (span.impossible(time) for span in busy)), None)
    motions = _Motions(busy, size, time)
    lines = [] if wrong else motions.witness(dropped, start)
    ports = [_port(motions, index, wrong, bool(lines)) for index in dropped]
    verdicts = {port["verdict"] for port in ports}
    certificate = {"queues": [span.document() for span in busy], "seconds": units.plain(time),
                   "refutations": _refutations(motions, dropped, ports, bool(lines))}  # fmt: skip
    if verdicts <= {"could", "must"} and not lines:
        reason = "each queue could reach its threshold, but no motion takes all of them there"
        return {"verdict": "cannot", "reason": reason, "ports": ports, "witness": [], "certificate": certificate}
    verdict = "cannot" if "cannot" in verdicts else "could" if "could" in verdicts else "must"
    reason = next(port["reason"] for port in ports if port["verdict"] == verdict)
    return {"verdict": verdict, "reason": reason, "ports": ports, "witness": lines, "certificate": certificate}


def _refutations(
    motions: "_Motions", dropped: Sequence[int], ports: Sequence[Mapping[str, Any]], could: bool
) -> list[dict[str, Any]]:
    """Return the certificates of all verdicts "cannot" and "must" of an interval, and of the queues together."""
    if any(port["margin"] is None for port in ports):
        return [motions.refutation("cannot", [])]
    signs = {"cannot": "<", "must": ">"}
    found = [
        motions.refutation(verdict, [(index, signs[verdict], Fraction(port["margin"]))])
        for index, port in zip(dropped, ports, strict=True)
        if (verdict := port["verdict"]) in signs
    ]
    together = not could and all(port["verdict"] != "cannot" for port in ports)
    return [*found, motions.refutation("cannot", [(i, "<=", Fraction(0)) for i in dropped])] if together else found


def _port(motions: "_Motions", index: int, wrong: str | None, could: bool) -> dict[str, Any]:
    """Decide one queue that dropped."""
    span = motions.spans[index]
    told = {"port": span.queue.port, "queue": span.queue.index, "dropped": units.plain(span.dropped)}
    if wrong or not (could or motions.exists()):
        reason = wrong or f"no arrivals give the samples of this interval under DT with B = {_b(motions.size)}"
        return told | {"verdict": "cannot", "margin": None, "reason": reason}
    margin, verdict = motions.nearest(index, could)
    reason = {
        "could": "it can have been at its threshold, and below it",
        "must": f"at every instant its length was at least its threshold + {_b(-margin)}",
        "cannot": f"at every instant its length was at most its threshold - {_b(margin)}",
    }[verdict]
    check = _bound(motions.spans, span, motions.size) if verdict == "cannot" else ""
    return told | {"verdict": verdict, "margin": units.plain(margin), "reason": reason + check}


def _bound(spans: Sequence[_Span], span: _Span, size: Fraction) -> str:
    """Return a check by hand, if the greatest lengths of all queues prove that the threshold was out of reach."""
    shared = sum((max(each.longest - each.queue.reserve, Fraction(0)) for each in spans), Fraction(0))
    threshold = span.queue.reserve + span.queue.alpha * max(size - shared, Fraction(0))
    longest = span.longest
    if longest >= threshold:
        return ""
    return f": it held at most {_b(longest)}, all queues shared at most {_b(shared)}, so T >= {_b(threshold)}"


def _b(value: Fraction) -> str:
    return f"{units.plain(value)} B"


class _Motions:
    """The motions of DT that give the samples at both ends of one interval, as linear inequalities with cases."""

    def __init__(self, spans: Sequence[_Span], size: Fraction, time: Fraction) -> None:
        self.spans, self.size, self.time = spans, size, time

    def nearest(self, index: int, could: bool) -> tuple[Fraction, str]:
        """Return the margin of a queue nearest to 0 over all motions and instants, and the verdict that it means."""
        import z3

        if not could and not self.reaching([(index, "<=", Fraction(0))])[0].model():
            return self._best(index, z3.Optimize.minimize), "cannot"
        ends = ([span.start for span in self.spans], [span.end for span in self.spans])
        below = any(self._margin(index, end) > 0 for end in ends)
        if below or self.reaching([(index, ">", Fraction(0))])[0].model():
            return Fraction(0), "could"
        return self._best(index, z3.Optimize.maximize), "must"

    def exists(self) -> bool:
        """Return True if a motion gives the samples."""
        return self.reaching([])[0].model() is not None

    def witness(self, dropped: Sequence[int], start: Fraction) -> list[dict[str, str]]:
        """Return arrivals with which the threshold drops the bytes of all these queues; empty if there are none."""
        cases, phases = self.reaching([(index, "<=", Fraction(0)) for index in dropped])
        if (model := cases.model()) is None:
            return []
        waits, states = [value_of(model, x) for x, _ in phases], [[value_of(model, x) for x in q] for _, q in phases]
        return [self._line(*piece) for piece in self._pieces(waits, states, set(dropped), start)]

    def refutation(self, verdict: str, visits: Sequence[Visit]) -> dict[str, Any]:
        """Return the certificate that no motion has margins such as those of `visits`."""
        told = [[index, relation, units.plain(bound)] for index, relation, bound in visits]
        return {"verdict": verdict, "visits": told, "proof": self.reaching(visits)[0].refutation()}

    def _best(self, index: int, seek: Any) -> Fraction:
        import z3

        gap, solver = z3.Real("gap0"), z3.Optimize()
        solver.add(*self.reaching([(index, "", Fraction(0))])[0].formulas())
        seek(solver, gap)
        if solver.check() != z3.sat:
            raise ProverError("z3 does not find the margin of an interval")
        return value_of(solver.model(), gap)

    def reaching(self, visits: Sequence[Visit]) -> tuple[Cases, list[tuple[Any, list[Any]]]]:
        """Return a lazy motion with these margins (of `visits`), as inequalities, and its phases: waits and lengths."""
        import z3

        raised, cases = [index for index, span in enumerate(self.spans) if span.reached], Cases()
        count, before = len(visits) + len(raised), [span.start for span in self.spans]
        idle: list[Any] = [span.out - span.queue.rate * self.time for span in self.spans]
        cases.facts += [(-sent, False) for sent in idle]
        phases = []
        for phase in range(count + 1):
            wait, lengths = z3.Real(f"wait{phase}"), [z3.Real(f"q{phase}_{i}") for i in range(len(self.spans))]
            after = [span.end for span in self.spans] if phase == count else lengths
            cases.facts.append((wait, False))
            kept = [x - span.queue.rate * wait for x, span in zip(before, self.spans, strict=True)]
            left = [cases.positive(x) for x in kept]
            idle = [i + most - x for i, most, x in zip(idle, left, kept, strict=True)]
            self._burst(cases, left, after)
            phases.append((wait, after))
            before = after
        late = sum(wait for wait, _ in phases) - self.time
        cases.facts += [(late, False), (-late, False), *((i, False) for i in idle)]
        self._instants(cases, [state for _, state in phases[:count]], visits, raised)
        return cases, phases

    def _instants(self, cases: Cases, states: Sequence[Any], visits: Sequence[Visit], raised: Sequence[int]) -> None:
        """Add the margins and the watermarks that are reached at some instant."""
        import z3

        for number, (i, relation, bound) in enumerate(visits):
            gap = z3.Real(f"gap{number}")
            beyond = gap - bound if relation == ">" else bound - gap
            cases.facts += [(beyond, relation != "<=")] if relation else []
            margins = [self._margin(i, state, cases) for state in states]
            cases.splits.append([[(gap - margin, False), (margin - gap, False)] for margin in margins])
        cases.splits += [[[(state[i] - self.spans[i].most, False)] for state in states] for i in raised]

    def _burst(self, cases: Cases, old: Sequence[Any], new: Sequence[Any]) -> None:
        """Add growth at one instant: each queue that grows ends at most at its threshold."""
        start, end = self._shared(old, cases), self._shared(new, cases)
        levels = [x * (1 / span.queue.alpha) for x, span in zip(end, self.spans, strict=True)]
        cases.facts.append((self.size - sum(end), False))
        for i, span in enumerate(self.spans):
            cases.facts += [(new[i] - old[i], False), *([] if span.most is None else [(span.most - new[i], False)])]
            room = self.size - end[i] - levels[i]
            for j in range(len(self.spans)):
                if j != i:
                    room = room - self._other(cases, start[j], end[j], levels[i] - levels[j])
            cases.splits.append([[(start[i] - end[i], False)], [(room, False)]])

    @staticmethod
    def _other(cases: Cases, start: Any, end: Any, higher: Any) -> Any:
        """Return at least the shared bytes of another queue at the last growth of a queue, which is `higher` if > 0."""
        import z3

        other = z3.Real(f"other{len(cases.splits)}")
        cases.facts.append((other - start, False))
        cases.splits.append([[(other - end, False)], [(higher, True)]])
        return other

    def _shared(self, lengths: Sequence[Any], cases: Cases) -> list[Any]:
        reserves = [span.queue.reserve for span in self.spans]
        return [cases.positive(q - r) if r else q for q, r in zip(lengths, reserves, strict=True)]

    def _margin(self, index: int, lengths: Sequence[Any], cases: Cases | None = None) -> Any:
        """Return the margin T - q of a queue, in numbers or in formulas."""
        queue, shared = self.spans[index].queue, self._shared(lengths, cases or Cases())
        return queue.reserve + queue.alpha * (self.size - sum(shared)) - lengths[index]

    def _pieces(
        self, waits: Sequence[Fraction], states: Sequence[Sequence[Fraction]], pending: set[int], now: Fraction
    ) -> Iterator[tuple[Fraction, int, Fraction, Fraction]]:
        """Yield the start, the queue, the bytes and the seconds of each piece of the arrivals."""
        lengths = [span.start for span in self.spans]
        unused = [span.queue.rate * self.time - span.out for span in self.spans]
        for wait, state in zip(waits, states, strict=True):
            for i, span in enumerate(self.spans):
                rate = span.queue.rate
                empty = max(rate * wait - lengths[i], Fraction(0))
                idle = min(empty, unused[i])
                unused[i] -= idle
                if empty > idle:
                    yield now + wait - empty / rate, i, empty - idle, empty / rate
                lengths[i] = max(lengths[i] - rate * wait, Fraction(0))
            now += wait
            levels = [x / span.queue.alpha for x, span in zip(self._shared(state, Cases()), self.spans, strict=True)]
            for i in sorted(range(len(lengths)), key=lambda i: -levels[i]):
                if state[i] > lengths[i]:
                    yield now, i, state[i] - lengths[i], Fraction(0)
            lengths = list(state)
            for i in sorted(pending):
                if self._margin(i, state) <= 0:
                    pending.remove(i)
                    yield now, i, self.spans[i].dropped, Fraction(0)

    def _line(self, time: Fraction, index: int, size: Fraction, seconds: Fraction) -> dict[str, str]:
        numbers = {"time": time, "bytes": size, "seconds": seconds}
        return {"port": self.spans[index].queue.port} | {name: units.plain(x) for name, x in numbers.items()}
