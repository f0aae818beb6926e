"""Runs of packet algorithms in English: the port, the algorithm and its reading, and the events."""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

from dtmodel.base.expressions import Expression, evaluate, free_names
from dtmodel.base.mathtext import latex_words, symbol_of
from dtmodel.ledger.joins import listed
from dtmodel.ledger.teller import Teller
from dtmodel.ledger.trees import parts, rewritten, same

__all__ = ["is_number", "letters", "packets"]

_LINE_4, _LINE_10 = r"$\leq$ in line 4 of Algorithm 1", "line 10 only if nothing was enqueued"
_MENDED = "corrected LossPass"
_MEANT = {
    _MENDED: f"Here {_MENDED} has {_LINE_4}, {_LINE_10} and line 15 only if the packet was.",
    "claims last": "Here a queue whose packet is refused, although the queue would hold at most its satisfaction "
    "threshold with it, has a claim until one of its packets is enqueued or so many departures (0: no claims) are past "
    "since the last such refusal; while it has, no other queue grows beyond its own satisfaction threshold.",
    "with PFC": "Here a packet is within the threshold if its ingress queue with it holds at most its reserve plus its "
    "control parameter times the free bytes of the ingress pool before it, and these suffice for what the packet takes "
    "beyond the reserve; otherwise a lossy queue drops it, and a lossless one pauses its sender and takes it into the "
    "headroom if that has room.",
    "no limit otherwise": "Here an egress queue with a control parameter drops a packet with which it would hold more "
    "than that times the free bytes of the egress pool before it, or that does not fit there.",
}
"""The meaning of words, which follows the first run whose sentence has them."""
_ELAPSED = "L2BM's recorder (a departure stores its time and subtracts the elapsed time of all packets"
_READINGS: Mapping[str, Mapping[str, str]] = {
    "losspass": {
        "intended": _MENDED, "literal": "LossPass as printed",
        "mend-line4": f"LossPass as printed but for {_LINE_4}",
        "mend-line10": f"LossPass as printed but for {_LINE_10}",
        "mend-lines-4-10": f"LossPass as printed but for {_LINE_4} and {_LINE_10}",
        "limited": f"{_MENDED}, and line 12 only if small packets stay out of the reserve",
        "head": f"{_MENDED}, and the head of the large queue as victim",
        "droptail-2q": "tail drop with a queue for each class",
        "droptail": "tail drop with one queue (the oldest packet first)",
    },
    "l2bm": {
        "literal": "L2BM's recorder as printed",
        "current": "L2BM's recorder (its mean is less by the time since the last arrival)",
        "clocked": f"{_ELAPSED})", "stamped": f"{_ELAPSED}, and the time until the packet is due)",
        "reset": f"{_ELAPSED}, and the total is 0 whenever the queue empties)",
        "pause-aware": f"{_ELAPSED}, and its clock stands still during pauses)",
    },
    "edt_packets": {
        "circuit": "as drawn", "arrivals": "a dropped packet resets C1", "c1-resets-c2": "C1's pulse resets C2",
        "free-running": "TM1 never stops", "signed": "C2 may be negative",
    },
}  # fmt: skip
_NAMES = {"losspass": "LossPass", "l2bm": "L2BM's recorder"}
_VICTIMS = {
    "printed": "is as printed",
    "eligible": "considers only the queues that line 3 accepts",
    "unused": "takes only unused threshold of queues that line 3 accepts",
}
_CHECKS = {"port": "the port has room", "recheck": "the port has room and its queue is within its threshold"}
_MEMBERS = {
    "alpha": "the control parameter", "reserved": "a reserve of", "headroom": "a headroom of",
    "resume_below": "a distance for resuming of",
}  # fmt: skip
_PLAIN = {"buffer", "alpha", "cn1", "cn2", "tm1", "tm2"}
_TIES = {"low": "the lowest", "high": "the highest"}


def packets(teller: Teller, name: str, call: ast.Call) -> str:
    """Tell a run of a packet algorithm."""
    algorithm, settings = ast.unparse(call.func), settings_of(call)
    if like := _alike(teller, name, call):
        return _as_before(teller, name, call, *like)
    events = _seen(teller, name, call)
    text = _SCENES[algorithm](teller, settings, events)
    left = listed([_other(teller, key, value) for key, value in settings.items()])
    told = f"{text}, with {left}." if left else f"{text}."
    meant = [said for word, said in _MEANT.items() if word in told and not any(word in each for each in teller.scenes)]
    told = " ".join([told, *meant])
    own = f"a{told[1:]}" if told.startswith("A ") else told
    return told if len(teller.runs) == 1 else f"In run ${teller.writer.symbol(name)}$ {own}"


def _seen(teller: Teller, name: str, call: ast.Call) -> str:
    """Tell the events of a run, those of an earlier one by its name."""
    own = call.args[0]
    if isinstance(own, ast.Name) and own.id in teller.domains:
        return teller.math(own)
    for other, run in earlier(teller, name):
        if run.args and same(run.args[0], own):
            return f"the events of run ${teller.writer.symbol(other)}$"
    events = _events(teller, own, ast.unparse(call.func))
    return f"these events: {events}" if events.startswith("for each") else events


def earlier(teller: Teller, name: str) -> list[tuple[str, ast.Call]]:
    """Return the runs before a run, each with its call."""
    runs = [(other, teller.formal.values[other].tree) for other in teller.runs[: teller.runs.index(name)]]
    return [(other, call) for other, call in runs if isinstance(call, ast.Call)]


def settings_of(call: ast.Call) -> dict[str, ast.expr]:
    """Return the settings of a run by name; those without one by their place after the queues or events."""
    unnamed = {f"argument {place}": each for place, each in enumerate(call.args[1:], 1)}
    return {str(each.arg): each.value for each in call.keywords} | unnamed


def _alike(teller: Teller, name: str, call: ast.Call) -> tuple[ast.Call, str, list[str]] | None:
    """Return the first earlier run with the settings of a run but for at most two numbers, and these."""
    own = settings_of(call)
    for other, run in earlier(teller, name):
        known = settings_of(run)
        changed = [key for key, value in own.items() if not same(value, known.get(key))]
        if same(run.func, call.func) and known.keys() == own.keys() and len(changed) < 3 and {*changed} <= _PLAIN:
            return run, other, changed
    return None


def _as_before(teller: Teller, name: str, call: ast.Call, run: ast.Call, other: str, keys: Sequence[str]) -> str:
    """Tell a run by what it has otherwise than an earlier one: numbers, and ticks or other events."""
    settings = settings_of(call)
    changed = [_memory(teller, settings) if key == "buffer" else _other(teller, key, settings[key]) for key in keys]
    ticks = _ticks(teller, run, call)
    told = [f"with {listed([*changed, *ticks])}"] if changed or ticks else []
    told += [] if ticks else [f"on {_seen(teller, name, call)}"]
    symbols = [teller.writer.symbol(each) for each in (name, other)]
    return "Run ${}$ is as run ${}$, but {}.".format(*symbols, ", ".join(told))


def _ticks(teller: Teller, run: ast.expr, other: ast.expr) -> list[str]:
    """Tell the ticks in place of events of a sequence, if two runs differ in them alone."""
    pairs = []
    for each in (run, other):
        match each:
            case ast.Call(args=[ast.Call(func=ast.Name(id="clocked"), args=[events, times])]):
                found = _TICKED.fullmatch(ast.unparse(node := teller.placed(events)))
                pairs.append((found, node, ast.dump(teller.placed(times))) if found else None)
    match pairs:
        case [(first, _, begin), (second, ast.Call(args=[ast.Name(id=index), _, body]), end)]:
            if begin == end and first[2] == second[2] and not first[3] and second[3]:
                return [f"a tick in place of event $j$ of ${second[2]}$ if {_silent(teller, index, body)}"]
    return []


def _other(teller: Teller, key: str, value: ast.expr) -> str:
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "record":
        places = {"port": "the port holds", "small": "the small queue holds", "large": "the large queue holds"}
        said = [f"{places[str(each.arg)]} more than {_bytes(teller, each.value)}" for each in value.keywords]
        return f"marks for packets with which {' or '.join(said)}"
    return teller.first(value, symbol_of(key))


def _losspass(teller: Teller, settings: dict[str, ast.expr], events: str) -> str:
    port = f"A port with {_bytes(teller, settings.pop('buffer'))}"
    reserve = settings.pop("reserve_large", None)
    reading = _reading(teller, settings, "losspass")
    if reserve and not is_number(reserve, 0):
        port += f", of which {teller.first(reserve)} are reserved for large packets,"
    elif "LossPass" in reading:
        port += ", of which none are reserved,"
    return f"{port} runs {reading}, on {events}"


def _dynaq(teller: Teller, settings: dict[str, ast.expr], events: str) -> str:
    port = f"A port with {_bytes(teller, settings.pop('buffer'))} and {_weights(teller, settings)}"
    own = [f"whose line 2 {_choice(teller, settings, 'victims', _VICTIMS)}"] if "victims" in settings else []
    if "bdp" in settings:
        own += [f"whose satisfaction thresholds are the shares of {_bytes(teller, settings.pop('bdp'))} by weight"]
    checks = _choice(teller, settings, "admit", _CHECKS)
    ties = _choice(teller, settings, "tie_break", _TIES)
    patience = settings.pop("patience", None)
    claims = f"; claims last {teller.math(patience)} departures" if patience else ""
    told = f"a packet that Algorithm 1 passes is admitted if {checks}; ties in line 2 go to the queue of {ties} index"
    return f"{port} runs DynaQ{f', {listed(own)},' if own else ''} on {events}; {told}{claims}"


def _weights(teller: Teller, settings: dict[str, ast.expr]) -> str:
    weights = settings.pop("weights")
    if isinstance(weights, ast.Name) and weights.id in teller.domains:
        known, index = teller.domains[weights.id], teller.writer.unused()
        many = teller.math(known.length.tree) if known.length else ""
        return f"{many} queues of weights ${teller.writer.element(weights.id, index)}$"
    return f"queues of weights {teller.math(weights)}"


def _l2bm(teller: Teller, settings: dict[str, ast.expr], events: str) -> str:
    return f"{_reading(teller, settings, 'l2bm')} sees {events}"


def _edt(teller: Teller, settings: dict[str, ast.expr], events: str) -> str:
    memory, ports = _memory(teller, settings), settings.pop("ports")
    many = "one port" if is_number(ports, 1) else f"{teller.first(ports)} ports"
    reading = _choice(teller, settings, "reading", _READINGS["edt_packets"], "reading ${}$")
    unit = "packets" if memory.endswith("packets") else "bytes"
    return f"EDT's counters, C2 in {unit}, and timers ({reading}) at {many} of a switch with {memory} see {events}"


def _pfc(teller: Teller, settings: dict[str, ast.expr], events: str) -> str:
    pools, ingress, egress = (settings.pop(f"argument {place}") for place in (1, 2, 3))
    sizes = pools.elts if isinstance(pools, ast.List) else []
    shared = " and ".join(_bytes(teller, each) for each in sizes) if len(sizes) == 2 else teller.math(pools)
    queues = f"{_ingress(teller, ingress)}; {_egress(teller, egress)}"
    return f"A switch with PFC and pools of {shared} for ingress and egress sees {events}; {queues}"


def _ingress(teller: Teller, node: ast.expr) -> str:
    match node:
        case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=index), ast.BinOp(left=low, right=high), body]):
            if isinstance(body, ast.Call):
                ends = _ends(teller, low, high)
                with teller.writer.inner(index) as symbol:
                    members = {name: teller.math(value) for name, value in settings_of(body).items()}
                    kind = members.pop("lossless", "")
                    had = listed([f"{_MEMBERS.get(name, name)} {value}" for name, value in members.items()])
                    lossless = f' and is lossless if {kind} is "yes"' if kind else ""
                    return f"ingress queue ${symbol}$ from {ends} has {had}{lossless}"
    return f"the ingress queues are {teller.math(node)}"


def _egress(teller: Teller, node: ast.expr) -> str:
    match node:
        case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=index), _, ast.IfExp(test=test, body=body)]):
            with teller.writer.inner(index) as symbol:
                limit = f"the control parameter {teller.math(body)} if {teller.said(test)}, and no limit otherwise"
                return f"egress queue ${symbol}$ has {limit}"
        case ast.List(elts=items) if all(isinstance(each, ast.Constant) and each.value is None for each in items):
            return f"the egress queue{' has' if len(items) == 1 else 's have'} no limit"
    return f"the egress queues have the control parameters {teller.math(node)}"


def _bytes(teller: Teller, value: ast.expr) -> str:
    return _plural(f"{teller.first(value)} bytes")


def _memory(teller: Teller, settings: dict[str, ast.expr]) -> str:
    unit = settings.pop("count", None)
    counted = str(unit.value) if isinstance(unit, ast.Constant) else teller.math(unit) if unit else "bytes"
    return _bytes(teller, settings.pop("buffer")).replace("bytes", counted)


def _plural(text: str) -> str:
    return text.replace("$1$ bytes", "$1$ byte")


def _reading(teller: Teller, settings: dict[str, ast.expr], algorithm: str) -> str:
    return _choice(teller, settings, "reading", _READINGS[algorithm], f"{_NAMES[algorithm]} (reading ${{}}$)")


def _choice(teller: Teller, settings: dict[str, ast.expr], key: str, said: Mapping[str, str], again: str = "") -> str:
    """Take a setting, by default the first, and tell its meaning; of a variable each, or `again` in later runs.

    The readings of EDT are clauses: those of a variable stand in a sentence before the runs.
    """
    if key not in settings:
        return next(iter(said.values()))
    value = settings.pop(key)
    if isinstance(constant := teller.resolved(value), ast.Constant) and constant.value in said:
        return said[str(constant.value)]
    known = teller.domains.get(value.id) if isinstance(value, ast.Name) else None
    if known and known.length is None and known.words and set(known.words) <= set(said):
        symbol = teller.writer.symbol(known.name)
        words = [rf"\text{{{latex_words(chr(34) + word + chr(34))}}}" for word in known.words]
        meant = [*zip(words, map(said.__getitem__, known.words), strict=True)]
        new, apart = known.name not in teller.told, said is _READINGS["edt_packets"]
        teller.told.add(known.name)
        if apart and new:
            teller.scenes.append(f"Let ${symbol}$ be {' or '.join(f'${word}$ ({text})' for word, text in meant)}.")
        if again and (apart or not new):
            return again.format(symbol)
        return " or ".join(f"{text} (${symbol} = {word}$)" for word, text in meant)
    return f"the word {teller.math(value)}"


# Events.


_TICKED = re.compile(
    r"list\((\w+), 1 \| 2 \* events of (\w+)\(\2\), \['tick'\] if \1 % 2 == 1( or .*)? else \2\[\1 / 2\]\)"
)


def _events(teller: Teller, node: ast.expr, algorithm: str) -> str:
    node = teller.placed(node)
    known = teller.domains.get(node.id) if isinstance(node, ast.Name) else None
    if known and known.letters and known.length:
        return teller.math(node)
    match node:
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return f"{_events(teller, left, algorithm)}, then {_events(teller, right, algorithm)}"
        case ast.List(elts=items) if items and all(told := [_one(teller, each, algorithm) for each in items]):
            return ", then ".join(told)
        case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=index), ast.BinOp(left=low, right=high), body]):
            if _one(teller, body, algorithm):
                if is_number(low, 1) and index not in parts(body).names:
                    return f"{teller.first(high)} times {_one(teller, body, algorithm)}"
                ends = _ends(teller, low, high)
                with teller.writer.inner(index) as symbol:
                    return f"for each ${symbol}$ from {ends} {_one(teller, body, algorithm)}"
            if (ticked := _TICKED.fullmatch(ast.unparse(node))) and not ticked[3]:
                sequence = _events(teller, ast.Name(ticked[2]), algorithm)
                return f"{sequence}, with a tick of the clock before its $j$-th event (event $2 j$)"
        case ast.Call(func=ast.Name(id="clocked"), args=[events, times]):
            return f"{_events(teller, events, algorithm)}, {_times(teller, times)}"
        case ast.Call(func=ast.Name(id="in_order"), args=[events, first]):
            return f"{_events(teller, events, algorithm)}, {_order(teller, first)}"
    return f"the events {teller.math(node)}"


def _times(teller: Teller, times: ast.expr) -> str:
    match teller.placed(times):
        case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=index), ast.BinOp(left=low), body]):
            if is_number(low, 1):
                with teller.writer.inner(index) as symbol:
                    return f"event ${symbol}$ at the time {teller.math(body)}"
    return f"at the times {teller.math(times)}"


def _silent(teller: Teller, index: str, body: ast.expr) -> str:
    """Tell which events $j$ of a sequence have a tick in their place."""
    test = body.test.values[1] if isinstance(body, ast.IfExp) and isinstance(body.test, ast.BoolOp) else body
    half = f"{index} / 2"
    with teller.writer.inner("j"):
        own = rewritten(test, lambda node: ast.Name("j") if ast.unparse(node) == half else None)
        return teller.said(own, top=True)


def _order(teller: Teller, first: ast.expr) -> str:
    match first:
        case ast.Constant(value="arrive" | "depart" as kind):
            return f"in order of time, at one instant {'arrivals' if kind == 'arrive' else 'departures'} first"
    known = teller.domains.get(first.id) if isinstance(first, ast.Name) else None
    if known and known.words == ("arrive", "depart"):
        again = known.name in teller.told
        teller.told.add(known.name)
        if again:
            return "in order of time, at one instant all of the same kind first as in the run before"
        return "in order of time, at one instant either all arrivals or all departures first"
    return f"in order of time, at one instant those of kind {teller.math(first)} first"


def _ends(teller: Teller, low: ast.expr, high: ast.expr) -> str:
    return f"{teller.math(low)} to {teller.math(high)}"


def _one(teller: Teller, node: ast.expr, algorithm: str) -> str:
    """Tell one event of a sequence; empty if it has another shape."""
    match (algorithm, node):
        case ("l2bm", ast.List(elts=[ast.Constant(value="arrive"), time, number, ast.Call(keywords=[length, rate])])):
            behind = f"which makes its output queue {teller.math(length.value)} long, of rate {teller.math(rate.value)}"
            return f"the arrival of packet {teller.math(number)} at {teller.math(time)}, {behind}"
        case ("l2bm", ast.List(elts=[ast.Constant(value="depart"), time, number])):
            return f"the departure of packet {teller.math(number)} at {teller.math(time)}"
        case ("l2bm", ast.List(elts=[ast.Constant(value="pause" | "resume" as kind), time])):
            return f"the {'beginning' if kind == 'pause' else 'end'} of a pause at {teller.math(time)}"
        case ("edt_packets", ast.List(elts=[kind, time, *rest])) if len(rest) > ("arrive" in ast.unparse(kind)):
            return f"{_one(teller, ast.List([kind, *rest]), algorithm)} at the time {teller.math(time)}"
        case ("pfc", ast.List(elts=[ast.Constant(value="arrive"), *ends, size])):
            inwards, outwards = map(teller.math, ends)
            return f"the arrival of {teller.math(size)} bytes from ingress queue {inwards} to egress queue {outwards}"
        case (_, ast.IfExp(test=test, body=body, orelse=orelse)):
            first, second = (_one(teller, each, algorithm) for each in (body, orelse))
            return first and second and f"{first} if {teller.said(test)}, and otherwise {second}"
        case ("losspass" | "dynaq" | "edt_packets", ast.List()) if _letter(node):
            what, where, amount = _words(teller, node)
            event = f"the arrival {_of([where], [amount])}" if what == "arrive" else _departures([where])
            return event.replace(" at queue ", " of class ") if algorithm == "losspass" else event
    return ""


def _letter(node: ast.expr) -> tuple[str, ast.expr, ast.expr | None] | None:
    """Read an event as its kind, the class or queue, and the size."""
    match node:
        case ast.List(elts=[ast.Constant(value="arrive"), place, size]):
            return "arrive", place, size
        case ast.List(elts=[ast.Constant(value="depart"), place, *size]) if len(size) < 2:
            return "depart", place, size[0] if size else None
    return None


def letters(teller: Teller, node: ast.expr) -> str:
    """Tell the events that a sequence is made of: arrivals by places and sizes, and departures by places."""
    if not free_names(Expression("", node)):
        events = evaluate(Expression("", node), {})
        if told := _between(events):
            return told
        node = _constants(events)
    places: dict[str, list[str]] = {}
    for kind, place, size in _all_letters(teller, node):
        if not kind:
            return f"each of them in {teller.math(node)}"
        leaves = f"{place}, of {_plural(f'{size} bytes')}" if size else place
        places.setdefault(place if kind == "arrive" else "", []).append(size if kind == "arrive" else leaves)
    leaving = places.pop("", [])
    sizes: dict[tuple[str, ...], list[str]] = {}
    for place, own in places.items():
        sizes.setdefault(tuple(own), []).append(place)
    said = [f"the arrival {_of(own_places, own)}" for own, own_places in sizes.items()]
    return "each of them " + " or ".join([*said, *([_departures(leaving)] if leaving else [])])


def _constants(value: Any) -> ast.expr:
    """Write the value of an alphabet without variables as a list."""
    return ast.List([_constants(each) for each in value]) if isinstance(value, list) else ast.Constant(value)


def _between(events: Sequence[Sequence[Any]]) -> str:
    """Tell arrivals from ingress to egress queues if all combinations of queues and sizes are there; else empty."""
    arrivals = [(tuple(event[1:3]), event[3]) for event in events if event[0] == "arrive" and len(event) == 4]
    leaving = [event[1] for event in events if event[0] == "depart" and len(event) == 2]
    pairs, lengths = (sorted(set(column)) for column in zip(*arrivals, strict=True)) if arrivals else ([], [])
    if not arrivals or len(arrivals) + len(leaving) != len(events) or set(arrivals) != set(product(pairs, lengths)):
        return ""
    ends = [sorted(set(column)) for column in zip(*pairs, strict=True)]
    ways = [ends] if set(pairs) == set(product(*ends)) else [[[inward], [outward]] for inward, outward in pairs]
    said = [[" or ".join(f"${each}$" for each in column) for column in way] for way in ways]
    ends_of = " or ".join(f"from ingress queue {inward} to egress queue {outward}" for inward, outward in said)
    sizes = " or ".join(f"${each}$" for each in lengths)
    arrival = f"the arrival of a packet of {_plural(f'{sizes} bytes')} {ends_of}"
    departure = f" or a departure from egress queue {' or '.join(f'${each}$' for each in leaving)}" if leaving else ""
    return f"each of them {arrival}{departure}"


def _of(places: Sequence[str], sizes: Sequence[str]) -> str:
    size = _plural(f"{' or '.join(sizes)} bytes")
    if all(place in ("small", "large") for place in places):
        return f"of a {' or '.join(places)} packet of {size}"
    return f"of a packet of {size} at {' or at '.join(places)}"


def _departures(places: Sequence[str]) -> str:
    sources = [f"the {place} queue" if place in ("small", "large") else place for place in places if place != "any"]
    first = ["a departure (small packets first)"] if "any" in places else []
    return " or ".join([*first, *([f"a departure from {' or from '.join(sources)}"] if sources else [])])


def _all_letters(teller: Teller, node: ast.expr) -> list[tuple[str, str, str]]:
    if _letter(node):
        return [_words(teller, node)]
    match node:
        case ast.List(elts=items):
            return [letter for item in items for letter in _all_letters(teller, item)]
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return [*_all_letters(teller, left), *_all_letters(teller, right)]
        case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=index), ast.BinOp(left=low, right=high), body]):
            kind, place, size = _letter(body) or ("", None, None)
            if isinstance(place, ast.Name) and place.id == index and is_number(low, 1):
                return [(kind, "any queue", teller.math(size) if size else "")]
            if isinstance(size, ast.Name) and size.id == index:
                return [(*_words(teller, body)[:2], _ends(teller, low, high))]
    return [("", "", "")]


def _words(teller: Teller, item: ast.expr) -> tuple[str, str, str]:
    kind, place, size = _letter(item) or ("", item, None)
    word = place.value if isinstance(place, ast.Constant) and isinstance(place.value, str) else ""
    return kind, word or f"queue {teller.math(place)}", teller.math(size) if size else ""


def is_number(node: ast.expr, number: int) -> bool:
    """True for a number that is written out."""
    return isinstance(node, ast.Constant) and not isinstance(node.value, str | bool) and node.value == number


_SCENES: Mapping[str, Callable[[Teller, dict[str, ast.expr], str], str]] = {
    "losspass": _losspass, "dynaq": _dynaq, "l2bm": _l2bm, "edt_packets": _edt, "pfc": _pfc,
}  # fmt: skip
