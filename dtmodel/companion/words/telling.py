"""The words in English: scenarios of runs, comparisons of observables, and events, for `dtmodel.ledger.statement`."""

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any

from dtmodel.base.mathtext import symbol_of
from dtmodel.companion.words.fields import named
from dtmodel.companion.words.packet_scenes import earlier, is_number, letters, packets, settings_of
from dtmodel.ledger.joins import listed, together
from dtmodel.ledger.teller import Teller
from dtmodel.ledger.trees import is_list, nodes_of, parts, same

__all__ = ["tell"]

_TITLES = {
    "complete": "complete sharing", "static": "a static partition", "weighted": "weighted dynamic thresholds",
    "pools": "dynamic thresholds in pools", "hierarchy": "dynamic thresholds in two levels",
}  # fmt: skip
_LAWS = {
    "abm": r"Each queue $i$ has the threshold $\text{alphas}_p \cdot \text{shares}_i$ times the free bytes, over the "
    "number of queues of its priority $p$.",
    "hierarchy": r"Each group $j$ of queues, by its number in $\text{ports}$, may hold $\text{port\_alphas}_j$ times "
    r"the free bytes, and each queue $i$ of it, at a port of its own, $\text{alphas}_i$ times what the group may hold "
    "beyond its bytes.",
    "pools": r"Each queue $i$ may hold $\text{reserves}_i$ bytes, and beyond them $\text{alphas}_i$ times what is free "
    r"beside all reserves, at most $\text{caps}_i$.",
    "static": r"Each queue $i$ may hold $\text{sizes}_i$ bytes.",
    "weighted": r"Each queue $i$ has the threshold $\text{weights}_i$ times the free bytes.",
}
"""The thresholds of policies whose parameters are lists."""
_MORE = {"<": "less than ", "<=": "at most ", ">": "more than ", ">=": "at least ", "==": ""}
_PASSAGES = (
    "the list of the packets $A$, each [arrival, size, class], that a port sends whole at the rate $c$ by round robin "
    "over classes: their start, end, queue_out (bytes of their class as they come, with themselves) and due, the "
    "arrival plus queue_out over $c$; no packet of a class starts in its pauses [class, begin, end], and bytes leave "
    "queue_out as they are sent (counter fluid), or at a packet's start or end (the default)"
)
_SORTED = (
    "the list $A$ of events in order of their times, their second parts; at one instant those of kind $w$ are first"
)
_EXCESS = (
    r"the excess $e(t)$ over their threshold of $n$ steady queues that are offered $b$, where $e(0) = 0$ and, with $S$ "
    r"the sum of all $\mathrm{lossless}(A_i, c, t)$ and $z = a S^\prime - (1 + a n) c$, $e^\prime$ is $z$ while "
    r"$e > 0$, $z + (1 + a n) b$ while $e < 0$ and, while $e = 0$, the first if it is positive, the second if it is "
    r"negative, and else $0$ ($b$: pairs of a time and the rate from then on, or never for a rate without limit, with "
    r"which $e \geq 0$)"
)
_GLOSSES: Mapping[str, tuple[str, str]] = {
    "drop": ("the time at which port $k$ first loses bytes, or never", "xk"),
    "full": ("the first time at which the buffer is full, or never", "x"),
    "free": ("the number of free bytes at $t$", "xt"),
    "Q": ("the length of queue $k$ at $t$", "xkt"),
    "T": ("the threshold of queue $k$ at $t$, or just after $t$ if it jumps then", "xkt"),
    "lost": ("the number of bytes that port $k$ has lost by $t$", "xkt"),
    "sent": ("the number of bytes that port $k$ has sent by $t$", "xkt"),
    "growth": ("the growth rate of queue $k$ just after $t$", "xkt"),
    "threshold_growth": ("the growth rate of the threshold of queue $k$ just after $t$", "xkt"),
    "free_growth": ("the growth rate of the free bytes just after $t$", "xt"),
    "instants": ("the list of the instants between which lengths and thresholds change at constant rates", "x"),
    "linear_until": ("a time soon after $t$, up to which lengths and thresholds change at constant rates", "xt"),
    "losing_rate": ("the rate at which port $k$ loses bytes just after $t$", "xkt"),
    "least_losing": ("the least length of queue $k$ while port $k$ loses bytes, or never", "xk"),
    "offered": ("the number of bytes that come to port $k$ by $t$", "xkt"),
    "integral": (
        "the number of bytes that come from $u$ to $v$ at the rate $R$: pairs of a time and the rate from then on",
        "Ruv",
    ),
    "roots": (
        r"the list, in order, of the times $t \geq b$ with $a \int_0^t R - c t = l$ (of an interval, its ends)",
        "Raclb",
    ),
    "exceeds": (r"the infimum of the times $t \geq b$ with $a \int_0^t R - c t > l$", "Raclb"),
    "rate_at": ("the rate $A$ at $t$", "At"),
    "lossless": (
        "the length at $t$ of a queue, empty at first, that is offered the rate $A$, drains at $c$ and loses nothing",
        "Act",
    ),
    "excess": (_EXCESS, "Acanbt"),
    "soon_after": (
        r"a time soon after $t$, up to which $\mathrm{excess}$ and $\mathrm{lossless}$ change at constant rates",
        "Acanbt",
    ),
    "apart": ("the greatest distance of the lengths of queue $k$ in the runs $x$ and $y$", "xyk"),
    "answered": ("the state after event $k$", "xk"), "before": ("the state before event $k$", "xk"),
    "after": ("the state after event $k$", "xk"),
    "held": ("the number of bytes of the packets in a list $q$", "q"),
    "decision": ("the word for the decision at event $k$", "xk"),
    "machine": ("the record of the state, the counters and the ends of the timers of port $i$ after event $k$", "xki"),
    "because": ("true if the decision at event $k$ is made in the line of the words $w$", "xkw"),
    "in_order": (_SORTED, "Aw"),
    "carried": ("the arrival rate of trains $p$ of packets, each [begin, number, size, rate]", "p"),
    "passages": (_PASSAGES, "Ac"),
    "packet_by_packet": (
        "the run of trains $p$ of packets until $u$ through a buffer $b$, at ports of rate $c$ with weights $w$",
        "pubcw",
    ),
}  # fmt: skip


def tell(vocabulary: Mapping[str, Callable[..., Any]], policies: Sequence[str] = ()) -> None:
    """Attach to each word how it is told in English; `policies` are the words of runs of the fluid model."""
    told: list[tuple[Iterable[str], Mapping[str, object]]] = [
        (policies, {"scene": _fluid, "implied": ("B", "C")}),
        (("losspass", "dynaq", "l2bm", "edt_packets", "pfc"), {"scene": packets}),
        (("passages", "packet_by_packet"), {"runs": True}),
        (("event",), {"letters": letters, "named": named}),
        *(([name], {"relation": partial(_observed, name)}) for name in _OBSERVABLES),
        *(([name], {"relation": partial(_same, name)}) for name in _SAME),
        *(([name], {"fact": partial(_fact, name)}) for name in _FACTS),
        *(([name], {"gloss": (text, *places)}) for name, (text, places) in _GLOSSES.items()),
    ]
    for names, attributes in told:
        for name, (key, value) in product(names, attributes.items()):
            setattr(vocabulary[name], key, value)


# Runs of the fluid model.


def _fluid(teller: Teller, name: str, call: ast.Call) -> str:
    settings, before = settings_of(call), earlier(teller, name)
    symbol, policy = teller.writer.symbol(name), ast.unparse(call.func)
    run = f"In run ${symbol}$ of the fluid model a" if len(teller.runs) > 1 else "In the fluid model a"
    memory, rate = (settings.pop(key, ast.Name(key)) for key in ("B", "C"))
    switch = f"{run} switch with {teller.first(memory)} bytes and ports of rate {teller.first(rate)}"
    said = _parameters(teller, {key: each for key, each in settings.items() if key not in ("until", "argument 1")})
    title = _TITLES.get(policy, policy.removesuffix("_fluid").upper())
    told = any(same(other.func, call.func) for _, other in before) and "follows" not in settings
    law = f" {_LAWS[policy]}" if policy in _LAWS and not told else ""
    if "follows" in settings:
        law = law.replace("what the group may hold beyond its bytes", "the free bytes")
    for other, its in before:
        if _switch(its) == _switch(call):
            like = teller.writer.symbol(other)
            return f"In run ${symbol}$ the same comes to the same queues as in run ${like}$ under {title}{said}.{law}"
    groups = _groups(teller, call.args[0])
    calls = [node for group in groups for node in nodes_of(group) if isinstance(node, ast.Call) and node.keywords]
    rated = any(ast.unparse(node.func) == "queue" for node in calls)
    return f"{switch}{', if no other rate is given,' * rated} runs {title}{said}.{law} {_offered(teller, groups)}"


def _switch(run: ast.Call) -> list[str]:
    """Return the queues, and the settings of the buffer and the rates, of a run."""
    return [ast.dump(run.args[0]), *(ast.dump(each) for each in run.keywords if each.arg in ("B", "C"))]


def _parameters(teller: Teller, values: Mapping[str, ast.expr]) -> str:
    unending = [f"${symbol_of(key)}$" for key, value in values.items() if _is_never(value)]
    said = [teller.first(value, symbol_of(key)) for key, value in values.items() if not _is_never(value)]
    said = alike if len(alike := together(said)) == 1 else said
    told = [*said, *([f"{listed(unending)} that {'do' if unending[1:] else 'does'} not expire"] if unending else [])]
    return f" with {listed(told)}" if told else ""


def _offered(teller: Teller, groups: Sequence[ast.expr]) -> str:
    if not groups:
        return "Nothing arrives."
    text = f"{'; '.join(_group(teller, group) for group in groups)}, and nothing else arrives."
    return text[:1].upper() + text[1:]


def _groups(teller: Teller, node: ast.expr) -> list[ast.expr]:
    node = teller.placed(node)
    if isinstance(node, ast.List):
        return [each for item in node.elts for each in _groups(teller, item)]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_groups(teller, node.left), *_groups(teller, node.right)]
    return [node]


def _group(teller: Teller, node: ast.expr) -> str:
    match node:
        case ast.Call(func=ast.Name(id=name), args=args) if name in _GROUPS:
            return _GROUPS[name](teller, *args, **{str(each.arg): each.value for each in node.keywords})
        case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=index), ast.BinOp(left=one, right=count), body]):
            if isinstance(body, ast.Call) and ast.unparse(body.func) in _GROUPS:
                low, high = teller.raw(one), teller.first(count, counts=True)
                teller.many = count if is_number(one, 1) else None
                with teller.writer.inner(index) as symbol:
                    return f"for each ${symbol}$ from ${low}$ to {high}, {_group(teller, body)}"
    return f"the queues are {teller.math(node)}"


def _bursts(teller: Teller, count: ast.expr, rate: ast.expr, duration: ast.expr | None = None) -> str:
    return f"from time $0$ on {_burst(teller, rate, count)} {_lasting(teller, duration)}"


def _burst(teller: Teller, rate: ast.expr, count: ast.expr) -> str:
    return f"a burst of rate {teller.first(rate)} comes to {_ports(teller, count)}"


def _ports(teller: Teller, count: ast.expr) -> str:
    teller.many = count
    return "an empty port" if is_number(count, 1) else f"each of {teller.first(count, counts=True)} empty ports"


def _lasting(teller: Teller, end: ast.expr | None, until: str = "") -> str:
    return f"and lasts {until}{teller.first(end)}" if end and not _is_never(end) else "and never ends"


def _each_burst(teller: Teller, rates: ast.expr, durations: ast.expr | None = None) -> str:
    return f"from time $0$ on {_bursts_of(teller, teller.placed(rates))} {_durations(teller, durations)}"


def _bursts_of(teller: Teller, rates: ast.expr) -> str:
    match rates:
        case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=index), ast.BinOp(left=low, right=high), body]):
            if is_number(low, 1) and index not in parts(body).names:
                return _burst(teller, body, high)
        case ast.Name(id=name) if name in teller.domains and (length := teller.domains[name].length):
            teller.many = length.tree
            rate, many = teller.bounds_of(name), teller.first(length.tree, counts=True)
            return f"a burst of rate {rate} comes to each of {many} empty ports ${teller.index}$"
    return f"a burst of the rate number ${teller.index}$ of {teller.math(rates)} comes to empty port ${teller.index}$"


def _durations(teller: Teller, durations: ast.expr | None) -> str:
    node = teller.placed(durations) if durations else None
    if isinstance(node, ast.Name) and node.id in teller.domains and teller.domains[node.id].length:
        return f"and lasts {teller.bounds_of(node.id)} at port ${teller.index}$"
    if node and is_list(teller.resolved(node)):
        return f"and lasts the time number ${teller.index}$ of {teller.math(node)} at port ${teller.index}$"
    return _lasting(teller, node)


def _late(teller: Teller, count: ast.expr, rate: ast.expr, begin: ast.expr, end: ast.expr | None = None) -> str:
    until = _lasting(teller, end, "until ")
    return f"from time {teller.first(begin)} on {_burst(teller, rate, count)} {until}"


def _steady(teller: Teller, count: ast.expr, rate: ast.expr) -> str:
    many = "one" if is_number(count, 1) else teller.first(count, counts=True)
    offered = _steps(teller, rate) if is_list(teller.resolved(rate)) else f"{teller.first(rate)} for ever"
    if many == "one":
        return f"one steady queue, on its threshold at time $0$, is offered {offered}"
    return f"{many} steady queues, on their thresholds at time $0$, are offered {offered}"


def _flow(teller: Teller, count: ast.expr, rates: ast.expr) -> str:
    if is_number(count, 1):
        return f"an empty port is offered {_steps(teller, rates)}"
    return f"{teller.first(count, counts=True)} ports, empty at time $0$, are each offered {_steps(teller, rates)}"


def _steps(teller: Teller, rates: ast.expr) -> str:
    node = teller.placed(rates)
    if isinstance(node, ast.List) and all(isinstance(each, ast.List) and len(each.elts) == 2 for each in node.elts):
        pairs = [(each.elts[0], each.elts[1]) for each in node.elts if isinstance(each, ast.List)]
        return listed([f"{teller.first(rate)} from {teller.first(begin)} on" for begin, rate in pairs])
    return f"the rate {teller.math(node)}, given by pairs of a time and the rate from then on"


def _queue(teller: Teller, initial: ast.expr, *arrivals: ast.expr, rate: ast.expr | None = None) -> str:
    if isinstance(initial, ast.Constant) and initial.value == "steady":
        queue = "a steady queue, on its threshold at time $0$,"
    else:
        queue = "an empty queue" if is_number(initial, 0) else f"a queue of {teller.first(initial)} bytes at time $0$"
    at = f" at a port of rate {teller.first(rate)}" if rate else ""
    offered = _steps(teller, ast.List([*map(teller.placed, arrivals)])) if arrivals else "nothing"
    return f"{queue}{at} is offered {offered}"


_GROUPS: Mapping[str, Callable[..., str]] = {
    "bursts": _bursts, "each_burst": _each_burst, "late": _late, "steady": _steady, "flow": _flow, "queue": _queue,
}  # fmt: skip


# Observables.


def _in_run(teller: Teller, run: ast.expr) -> str:
    return f" in run {teller.math(run)}" if len(teller.runs) > 1 else ""


def _at(teller: Teller, time: ast.expr) -> str:
    time = teller.placed(time)
    if isinstance(time, ast.Call) and ast.unparse(time.func) == "drop":
        return f"when port {teller.math(time.args[1])}{_in_run(teller, time.args[0])} first loses bytes"
    if isinstance(time, ast.Call) and ast.unparse(time.func) == "full":
        return f"when the buffer{_in_run(teller, time.args[0])} is first full"
    return f"at {teller.math(time)}"


def _observed(name: str, teller: Teller, sign: str, value: ast.expr, run: ast.expr, *args: ast.expr) -> str:
    """Tell a comparison of an observable by the first of its templates that fits the value and the sign."""
    names, templates = _OBSERVABLES[name]
    given = dict(zip(names, args, strict=False))
    own = ast.Call(ast.Name("T"), [run, *args], [])
    kinds = {
        "never": _is_never(value), "0": is_number(value, 0), "T": ast.unparse(value) == ast.unparse(own),
        "-": isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub), "": True,
    }  # fmt: skip
    found = next((key for kind, fits in kinds.items() if fits and (key := f"{sign} {kind}") in templates), "")
    if not found and (sign not in _MORE or "" not in templates or kinds["never"]):
        return ""
    shown = value.operand if isinstance(value, ast.UnaryOp) and found.endswith("-") else value
    places = _places(teller, run, given)
    return templates[found].format(**places, value=teller.math(shown), more=_MORE.get(sign, ""))


def _places(teller: Teller, run: ast.expr, given: Mapping[str, ast.expr]) -> dict[str, str]:
    """Write the number of a port or event, and the time, of an observable."""
    in_run = _in_run(teller, run)
    when = _at(teller, given["t"]) if "t" in given else "when the run ends"
    moment = when.removeprefix("at ") if when.startswith("at ") else f"the time {when}"
    by = f"by {moment}" if when.startswith("at ") else when
    number = f"{teller.math(given['k'])}{in_run}" if "k" in given else ""
    return {"k": number, "when": when, "moment": moment, "by": by, "run": in_run}


def _fact(name: str, teller: Teller, denied: bool, run: ast.expr, *args: ast.expr) -> str:
    return _FACTS[name][denied].format(**_places(teller, run, dict(zip("kt", args, strict=True))))


def _same(name: str, teller: Teller, sign: str, value: ast.expr, run: ast.expr, *args: ast.expr) -> str:
    """Tell that a word has one value in two runs, or two; empty if it is compared with something else."""
    match value:
        case ast.Call(func=ast.Name(id=other), args=[second, *own]) if other == name and sign in ("==", "!="):
            if [ast.dump(each) for each in own] == [ast.dump(each) for each in args]:
                return _SAME[name][sign == "!="].format(*map(teller.math, (*args, run, second)))
    return ""


_SAME = {
    "decision": ("run {1} decides event {0} as run {2} does", "run {1} decides event {0} otherwise than run {2} does"),
    "machine": (
        "port {1} (state, counters, timers) is the same after event {0} in run {2} as in run {3}",
        "port {1} (state, counters, timers) is not the same after event {0} in run {2} as in run {3}",
    ),
}
"""Words that are compared between two runs: equal, and different."""
_OBSERVABLES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "drop": ("k", {
        "== never": "port {k} has lost nothing when the run ends", "< never": "port {k} loses bytes",
        "!= never": "port {k} loses bytes", "== ": "port {k} first loses bytes at {value}",
        "> ": "port {k} loses nothing until after {value}", ">= ": "port {k} loses nothing before {value}",
        "< ": "port {k} loses bytes before {value}", "<= ": "port {k} has begun to lose bytes by {value}",
    }),
    "full": ("", {
        "== never": "the buffer{run} has not been full when the run ends", "< never": "the buffer{run} becomes full",
        "!= never": "the buffer{run} becomes full", "== ": "the buffer{run} is full for the first time at {value}",
    }),
    "free": ("t", {
        "== 0": "the buffer{run} is full {when}", "> 0": "the buffer{run} is not full {when}",
        "": "{more}{value} bytes are free{run} {when}",
    }),
    "Q": ("kt", {
        "== 0": "queue {k} is empty {when}", "> 0": "queue {k} is not empty {when}",
        "== T": "queue {k} is on its threshold {when}", "> T": "queue {k} is above its threshold {when}",
        "< T": "queue {k} is below its threshold {when}", "": "queue {k} holds {more}{value} {when}",
    }),
    "T": ("kt", {"": "the threshold of queue {k} is {more}{value} {when}"}),
    "growth": ("kt", {
        "== 0": "queue {k} keeps its length just after {moment}", "> 0": "queue {k} grows just after {moment}",
        "< 0": "queue {k} shrinks just after {moment}",
        "== ": "queue {k} grows at the rate {value} just after {moment}",
        "== -": "queue {k} shrinks at the rate {value} just after {moment}",
    }),
    "lost": ("kt", {
        "== 0": "port {k} has lost nothing {by}", "> 0": "port {k} has lost bytes {by}",
        "": "port {k} has lost {more}{value} {by}",
    }),
}  # fmt: skip
_FACTS = {
    "losing": ("port {k} loses bytes just after {moment}", "port {k} loses nothing just after {moment}"),
    "uncontrolled": ("port {k} is uncontrolled just after {moment}", "port {k} is controlled just after {moment}"),
    "uncontrolled_before": (
        "port {k} is uncontrolled just before {moment}", "port {k} is controlled just before {moment}"
    ),
}  # fmt: skip


def _is_never(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "never"
