"""Reads the runs of packet algorithms in English: the port, the algorithm and its reading, and the events.

It has its own table of readings, so that a statement that calls one reading by the words of another is noticed.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from english_reader import Setting, split
from english_scenes import _M, Scenes, _whole
from mathematics_reader import UnreadableError

_ELAPSED = "L2BM's recorder (a departure stores its time and subtracts the elapsed time of all packets"
_READINGS: Mapping[str, Mapping[str, str]] = {
    "losspass": {
        "corrected LossPass": "intended", "LossPass as printed": "literal",
        r"LossPass as printed but for $\leq$ in line 4 of Algorithm 1": "mend-line4",
        "LossPass as printed but for line 10 only if nothing was enqueued": "mend-line10",
        r"LossPass as printed but for $\leq$ in line 4 of Algorithm 1 and line 10 only if nothing was enqueued": (
            "mend-lines-4-10"
        ),
        "corrected LossPass, and line 12 only if small packets stay out of the reserve": "limited",
        "corrected LossPass, and the head of the large queue as victim": "head",
        "tail drop with a queue for each class": "droptail-2q",
        "tail drop with one queue (the oldest packet first)": "droptail",
    },
    "l2bm": {
        "L2BM's recorder as printed": "literal",
        "L2BM's recorder (its mean is less by the time since the last arrival)": "current",
        f"{_ELAPSED})": "clocked", f"{_ELAPSED}, and the time until the packet is due)": "stamped",
        f"{_ELAPSED}, and the total is 0 whenever the queue empties)": "reset",
        f"{_ELAPSED}, and its clock stands still during pauses)": "pause-aware",
    },
    "edt_packets": {
        "as drawn": "circuit", "a dropped packet resets C1": "arrivals", "C1's pulse resets C2": "c1-resets-c2",
        "TM1 never stops": "free-running", "C2 may be negative": "signed",
    },
    "admit": {"the port has room": "port", "the port has room and its queue is within its threshold": "recheck"},
    "tie_break": {"the lowest": "low", "the highest": "high"},
    "victims": {
        "is as printed": "printed", "considers only the queues that line 3 accepts": "eligible",
        "takes only unused threshold of queues that line 3 accepts": "unused",
    },
}  # fmt: skip
_BEGINNINGS = {
    "losspass": r"[Aa] port with \$(?P<buffer>[^$]*)\$ bytes?(?:, of which \$(?P<reserve_large>[^$]*)\$ are reserved "
    r"for large packets,|, of which none are reserved,)? runs (?P<reading>.*?(?:LossPass|tail drop).*?),? on "
    r"(?P<events>.*)",
    "dynaq": r"[Aa] port with \$(?P<buffer>[^$]*)\$ bytes? and (?:\$[^$]*\$ )?queues of weights \$(?P<weights>[^$]*)\$ "
    r"runs DynaQ(?:, (?:whose line 2 (?P<victims>.*?))?(?: and )?(?:whose satisfaction thresholds are the "
    r"shares of \$(?P<bdp>[^$]*)\$ bytes? by weight)?,)? on (?P<events>.*); a packet that Algorithm 1 passes is "
    r"admitted if (?P<admit>.*); ties in line 2 go to the queue of (?P<tie_break>.*?) index"
    r"(?:; claims last \$(?P<patience>[^$]*)\$ departures)?(?P<left>, with .*)?",
    "l2bm": r"(?P<reading>L2BM's recorder.*?) sees (?P<events>.*)",
    "edt_packets": r"EDT's counters, C2 in (?:bytes|packets), and timers \((?P<reading>.*)\) at "
    r"(?P<ports>one port|\$[^$]*\$ ports) of a switch with \$(?P<buffer>[^$]*)\$ "
    r"(?:bytes?|(?P<count>packets)) see (?P<events>.*)",
    "pfc": r"[Aa] switch with PFC and pools of \$(?P<in>[^$]*)\$ bytes? and \$(?P<out>[^$]*)\$ bytes? for ingress and "
    r"egress sees (?P<events>[^;]*); (?P<ingress>.*); (?P<egress>.*)",
}
_MEMBERS = {
    "the control parameter": "alpha", "a reserve of": "reserved", "a headroom of": "headroom",
    "a distance for resuming of": "resume_below",
}  # fmt: skip
_DEFAULTS = {
    "losspass": {"reading": '"intended"'}, "l2bm": {"reading": '"literal"'}, "edt_packets": {"reading": '"circuit"'},
    "dynaq": {"admit": '"port"', "tie_break": '"low"'},
}  # fmt: skip
_ORDER = re.compile(
    r"in order of time, at one instant (?:(arrivals|departures) first"
    r"|(either all arrivals or all departures first|all of the same kind first as in the run before)"
    rf"|those of kind {_M} first)"
)
_TICKS = re.compile(r"(.*), with a tick of the clock before its \$j\$-th event \(event \$2 j\$\)")
_INSTEAD = re.compile(rf"(.*?)(?:, | and |)a tick in place of event \$j\$ of {_M} if (.*)")
_PACKET = re.compile(
    rf"the arrival of a (?:(small|large) )?packet of {_M} bytes?(?: at queue {_M}| of class {_M}|)"
    rf"(?: at the time {_M})?"
)
_LETTER = re.compile(r"the arrival of a ((?:small|large| or )+ )?packet of (.*?) bytes?(?: (.*))?")
_PRINTED = re.compile(
    rf"the arrival of packet {_M} at {_M}, which makes its output queue {_M} long, of rate {_M}"
    rf"|the departure of packet {_M} at {_M}"
)
_SENT = re.compile(
    rf"a departure(?: (\(small packets first\))| from the (small|large) queue| from queue {_M})(?: at the time {_M})?"
)


@dataclass(frozen=True)
class PacketRun:
    """A run of a packet algorithm: its events and its settings, as texts; `words`: those of settings that vary."""

    algorithm: str
    events: str
    settings: Mapping[str, str]
    words: Mapping[str, list[str]]

    @property
    def implied(self) -> Mapping[str, str]:
        """The settings of the algorithm that a form may leave out, and their words."""
        return _DEFAULTS.get(self.algorithm, {})


class PacketScenes(Scenes):
    """Reads the runs of both kinds; those of packets into `packets`."""

    def __init__(self, english: Setting) -> None:
        self.packets: dict[str, PacketRun] = {}
        super().__init__(english)

    def _read(self, sentence: str) -> None:
        known = self.english
        if found := re.fullmatch(rf"Run {_M} is as run {_M}, but (?:with (.*?))?(?:(?:, |)on (.*))?\.", sentence):
            name, other = known.maths(found[1])[1:-1], self.packets[known.maths(found[2])[1:-1]]
            settings, events = self._otherwise(found[3] or "", other)
            events = self.events(found[4]) if found[4] else events
            self.packets[name] = PacketRun(other.algorithm, events, {**other.settings, **settings}, other.words)
            return
        where = re.match(rf"In run {_M} (?!of the fluid)", sentence)
        text = sentence[where.end() if where else 0 :].removesuffix(".")
        for algorithm, pattern in _BEGINNINGS.items():
            if run := re.fullmatch(pattern, text):
                name = known.maths(where[1])[1:-1] if where else known.runs[0]
                self.packets[name] = self._run(algorithm, run.groupdict())
                return
        super()._read(sentence)

    def _otherwise(self, text: str, other: PacketRun) -> tuple[dict[str, str], str]:
        """Read the settings and the ticks that a run has otherwise than another one."""
        events = other.events
        if found := _INSTEAD.fullmatch(text):
            text, word = found[1], self.value(found[2])
            instead = re.sub(r"\bj\b", "(j / 2)", self.english.clause(found[3]))
            old, new = "j % 2 == 1 else", f"j % 2 == 1 or {instead} else"
            if old not in events or f"else {word[1:-1]}[j / 2]" not in events:
                raise UnreadableError(text)
            events = events.replace(old, new)
        memory = re.match(rf"{_M} (?:bytes?|packets)(?:, | and |)", text)
        settings = {"buffer": self.value(memory[1])} if memory else {}
        return settings | self._settings(text[memory.end() :] if memory else text), events

    def _run(self, algorithm: str, said: dict[str, str]) -> PacketRun:
        events, _, left = said.pop("events").partition(", with $")
        if _TICKS.search(f"{events}") is None and ", with marks" in events:
            events, _, left = events.partition(", with ")
        else:
            left = f"${left}" if left else ""
        left = left or (said.pop("left", "") or "").removeprefix(", with ")
        settings, words = {**_DEFAULTS.get(algorithm, {})}, {}
        for key, text in said.items():
            if text and key in ("reading", "admit", "tie_break", "victims"):
                settings[key], own = self._choice(algorithm if key == "reading" else key, text)
                words |= {settings[key]: own} if own else {}
            elif text and key not in ("in", "out", "left"):
                settings[key] = self._setting(key, text)
        if algorithm == "pfc":
            settings["pools"] = f"[{self.value(said['in'])}, {self.value(said['out'])}]"
        return PacketRun(algorithm, self.events(events), settings | self._left(left), words)

    def _setting(self, key: str, text: str) -> str:
        if key == "count":
            return f'"{text}"'
        if key == "ports":
            return "1" if text == "one port" else self.value(text[1:-7])
        if key in ("ingress", "egress"):
            return self._ingress(text) if key == "ingress" else self._egress(text)
        return _whole(self.value(text)) if key == "weights" else self.value(text)

    def _choice(self, kind: str, text: str) -> tuple[str, list[str]]:
        if again := re.fullmatch(rf".*\(reading {_M}\)|reading {_M}|the word {_M}", text):
            name = self.value(next(filter(None, again.groups())))
            meant = self.english.meant.get(name[1:-1], [])
            if any(_READINGS[kind][told] != word for word, told in meant):
                raise UnreadableError(text)
            return name[1:-1] if meant else name, [word for word, _ in meant]
        if text in _READINGS[kind]:
            return f'"{_READINGS[kind][text]}"', []
        name, own = "", []
        for part in re.split(r"(?<=\"\}\$\)) or ", text):
            found = re.fullmatch(r"(.*) \(\$([^$]*?) = ([^$]*)\$\)", part)
            if not found or self.english.maths(found[3]) != f'("{_READINGS[kind][found[1]]}")':
                raise UnreadableError(text)
            name = self.english.maths(found[2])[1:-1]
            own.append(_READINGS[kind][found[1]])
        return name, own

    def _left(self, text: str) -> dict[str, str]:
        if not text.startswith("marks for packets with which "):
            return self._settings(text)
        parts = re.findall(rf"the (port|small queue|large queue) holds more than {_M} bytes?", text)
        members = [f"{place.split()[0]} = {self.value(most)}" for place, most in parts]
        return {"mark": f"record({', '.join(members)})"}

    def _ingress(self, text: str) -> str:
        if found := re.fullmatch(rf"the ingress queues are {_M}", text):
            return self.value(found[1])
        found = re.fullmatch(
            rf"ingress queue \$(\w+)\$ from {_M} to {_M} has (.*?)(?: and is lossless if {_M} is \"yes\")?", text
        )
        if not found:
            raise UnreadableError(text)
        members = [
            f"{_MEMBERS[word]} = {self.value(value)}"
            for word, value in re.findall(rf"((?:the|a) [a-z ]+) {_M}", found[4])
        ]
        lossless = [f"lossless = {self.value(found[5])}"] if found[5] else []
        ends = f"{self.value(found[2])} .. {self.value(found[3])}"
        return f"list({found[1]}, {ends}, record({', '.join([*members, *lossless])}))"

    def _egress(self, text: str) -> str:
        if found := re.fullmatch(r"the egress queue(s have| has) no limit", text):
            return "[None]" if found[1] == " has" else "[None, None]"
        if found := re.fullmatch(rf"the egress queues have the control parameters {_M}", text):
            return self.value(found[1])
        found = re.fullmatch(
            rf"egress queue \$(\w+)\$ has the control parameter {_M} if (.*), and no limit otherwise", text
        )
        if not found:
            raise UnreadableError(text)
        test = self.english.clause(found[3])
        return f"list({found[1]}, 1 .. 2, {self.value(found[2])} if {test} else None)"

    # Events.

    def events(self, text: str) -> str:
        """Read the events of a run."""
        text = text.removeprefix("these events: ").replace("those of kind", "\0").strip()
        if found := re.fullmatch(rf"the events of run {_M}", text):
            return self.packets[self.english.maths(found[1])[1:-1]].events
        said = ""
        for part in split(text.replace("\0", "those of kind"), ", then "):
            own, *suffixes = re.split(r", (?=in order of time|at the times |event \$\w+\$ at the time )", part)
            told = self._sequence(own)
            said = f"{said} + {told}" if said else told
            for suffix in suffixes:
                said = self._suffix(f"({said})", suffix)
        return said

    def _suffix(self, said: str, suffix: str) -> str:
        if times := re.fullmatch(rf"event \$(\w+)\$ at the time {_M}", suffix):
            return f"clocked({said}, list({times[1]}, 1 .. 1, {self.value(times[2])}))"
        if times := re.fullmatch(rf"at the times {_M}", suffix):
            return f"clocked({said}, {self.value(times[1])})"
        order = _ORDER.fullmatch(suffix)
        if not order:
            raise UnreadableError(suffix)
        first = {"arrivals": '"arrive"', "departures": '"depart"'}.get(order[1] or "", "")
        kind = self.value(order[3]) if order[3] else '"either arrive or depart"'
        return f"in_order({said}, {first or kind})"

    def _sequence(self, text: str) -> str:
        if found := _TICKS.fullmatch(text):
            word = self.events(found[1])[1:-1]
            return f'list(j, 1 .. 2 * len({word}), ["tick"] if j % 2 == 1 else {word}[j / 2])'
        if found := re.fullmatch(rf"for each \$(\w+)\$ from {_M} to {_M} (.*)", text):
            return f"list({found[1]}, {self.value(found[2])} .. {self.value(found[3])}, {self._event(found[4])})"
        if found := re.fullmatch(rf"{_M} times (.*)", text):
            return f"list(unused, 1 .. {self.value(found[1])}, {self._event(found[2])})"
        if found := re.fullmatch(rf"(?:the events )?{_M}", text):
            return self.value(found[1])
        return f"[{self._event(text)}]"

    def _event(self, text: str) -> str:
        first, *rest = split(text, ", and otherwise ")
        if rest:
            event, *test = split(first, " if ")
            condition = self.english.clause(" if ".join(test))
            return f"({self._event(event)} if {condition} else {self._event(', and otherwise '.join(rest))})"
        if found := _PACKET.fullmatch(text):
            word, size, queue, kind, time = found.groups()
            parts = [self.value(time)] if time else []
            place = f'"{word}"' if word else self.value(queue or kind)
            return f'["arrive", {", ".join([*parts, place, self.value(size)])}]'
        if found := _PRINTED.fullmatch(text):
            packet, time, length, rate, sent, at = found.groups()
            if sent:
                return f'["depart", {self.value(at)}, {self.value(sent)}]'
            record = f"record(queue_out = {self.value(length)}, rate = {self.value(rate)})"
            return f'["arrive", {self.value(time)}, {self.value(packet)}, {record}]'
        if found := re.fullmatch(rf"the arrival of {_M} bytes from ingress queue {_M} to egress queue {_M}", text):
            size, inwards, outwards = map(self.value, found.groups())
            return f'["arrive", {inwards}, {outwards}, {size}]'
        if found := re.fullmatch(rf"the (beginning|end) of a pause at {_M}", text):
            return f'["{"pause" if found[1] == "beginning" else "resume"}", {self.value(found[2])}]'
        if found := _SENT.fullmatch(text):
            small_first, word, queue, time = found.groups()
            place = '"any"' if small_first else f'"{word}"' if word else self.value(queue)
            return f'["depart", {f"{self.value(time)}, " if time else ""}{place}]'
        raise UnreadableError(text)

    # The events that a sequence is made of.

    def letters(self, text: str) -> Iterator[tuple[str, str, str]]:
        """Yield kind, place and size of the events in what is said of a sequence, "" where there is none."""
        if found := re.fullmatch(rf"each of them in {_M}", text):
            yield "in", self.value(found[1]), ""
            return
        for part in re.split(r" or (?=the arrival of|a departure)", text.removeprefix("each of them ")):
            if found := _LETTER.fullmatch(part):
                places = found[1].strip().split(" or ") if found[1] else [*self._places(found[3])]
                yield from (("arrive", place, size) for place in places for size in self._sizes(found[2]))
            elif part == "a departure (small packets first)":
                yield "depart", "any", ""
            elif part.startswith("a departure from "):
                for where in re.split(r" or from ", part.removeprefix("a departure from ")):
                    place, _, size = where.partition(", of ")
                    yield from (
                        ("depart", own, self.value(size.split("$")[1]) if size else "") for own in self._places(place)
                    )
            else:
                raise UnreadableError(part)

    def _sizes(self, text: str) -> list[str]:
        if found := re.fullmatch(rf"{_M} to {_M}", text):
            return [f"{self.value(found[1])} .. {self.value(found[2])}"]
        return [self.value(each) for each in re.findall(_M, text)]

    def _places(self, text: str) -> Iterator[str]:
        for part in re.split(r" or (?:at )?(?=queue|from )", text.removeprefix("at ")):
            if found := re.fullmatch(r"from ingress queue (.*) to egress queue (.*)", part):
                ends = [[self.value(each) for each in re.findall(_M, side)] for side in found.groups()]
                yield from (f"{inward}, {outward}" for inward in ends[0] for outward in ends[1])
            elif found := re.fullmatch(r"the (small|large) queue|any queue", part):
                yield found[1] or "any queue"
            else:
                yield from (self.value(each) for each in re.findall(_M, part))
