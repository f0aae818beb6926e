"""Names for the parts of events and of states of packet algorithms, with which statements are written.

``before(x, k).thresholds[i]`` becomes the threshold of queue i just before event k, ``E[k][3]`` the size of the packet
of event k. `named` rewrites the trees of a form that is printed; the form that runs does not change.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from dtmodel.base.expressions import Expression
from dtmodel.companion.words.fluid import Phrase
from dtmodel.companion.words.packet_scenes import is_number, settings_of
from dtmodel.ledger.clauses import Clauses
from dtmodel.ledger.formal import Formal
from dtmodel.ledger.trees import nodes_of, rewritten

__all__ = ["named"]

_STATES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "dynaq": {
        "thresholds": ("T", "the threshold of queue $i$"), "queues": ("Q", "the length of queue $i$"),
        "victim": (r"\mathrm{victim}", "the queue that gives some of its threshold, or none,"),
        "packet": (r"\mathrm{packet}", "the number of the packet of event $k$, counted from 0 by arrival,"),
        "claims": (r"\mathrm{claim}", "the number of departures until the claim of queue $i$ expires"),
    },
    "losspass": {
        "small": (r"\mathrm{small}", "the list of small packets, each its number and size,"),
        "large": (r"\mathrm{large}", "the list of large packets, each its number and size,"),
        "held small": ("Q_{s}", "the number of bytes of small packets"),
        "held large": ("Q_{l}", "the number of bytes of large packets"),
        "len small": ("N_{s}", "the number of small packets"), "len large": ("N_{l}", "the number of large packets"),
        "tail": (r"\mathrm{last}", "the size of the last packet of the large queue"),
        "packet": (r"\mathrm{packet}", "the number of the packet of event $k$, counted from 0 by arrival,"),
        "marked": (r"\mathrm{marked}", "the list of the numbers of marked packets, from 0 by arrival,"),
        "victim": (r"\mathrm{victim}", "the number of the packet that is evicted, or none,"),
        "reason": (r"\mathrm{reason}", "the reason of the decision"),
    },
    "l2bm": {
        "total": (r"\mathrm{total}", "the recorder's total"), "mean": (r"\mathrm{mean}", "the recorder's mean"),
        "packets": (r"\mathrm{packets}", "the recorder's number of packets"),
        "updated": (r"\mathrm{updated}", "the time that the recorder stores, of its last update,"),
    },
    "edt_packets": {
        "queue": ("Q", "the length of queue $i$"), "state": (r"\mathrm{state}", "the state of port $i$"),
        "c1": (r"\mathrm{C1}", "the counter C1 of port $i$"), "c2": (r"\mathrm{C2}", "the counter C2 of port $i$"),
        "tm1": (r"\mathrm{TM1}", "the time at which TM1 of port $i$ expires, or none if it stands,"),
        "tm2": (r"\mathrm{TM2}", "the time at which TM2 of port $i$ expires, or none if it stands,"),
        "queues": (r"\mathrm{sizes}", "the list of the packet sizes of queue $i$"),
    },
    "pfc": {
        "ingress": ("I", "the length of ingress queue $i$"), "egress": ("O", "the length of egress queue $i$"),
        "paused": (r"\mathrm{paused}", "the list of the paused ingress queues"),
        "stored": (r"\mathrm{stored}", "the number of stored bytes"),
        "headroom": ("H", "the part of ingress queue $i$ in its headroom, which is freed first,"),
    },
}  # fmt: skip
"""The letter and the meaning of the parts of states, by algorithm."""
_INDEXED = {part for known in _STATES.values() for part, (_, meaning) in known.items() if "$i$" in meaning}
_EVENTS: Mapping[str, tuple[str, ...]] = {
    "losspass": ("kind", "class", "size"), "dynaq": ("kind", "queue", "size"), "edt_packets": ("kind", "queue", "size"),
    "l2bm": ("kind", "time", "packet", "record"), "pfc": ("kind", "ingress", "egress", "size"),
}  # fmt: skip
_MEANINGS = {
    "kind": "the kind of event $k$",
    "class": "the class of the packet of event $k$", "queue": "the queue of event $k$",
    "size": "the size of the packet of event $k$", "time": "the time of event $k$",
    "packet": "the number of the packet of event $k$",
    "record": "the record of event $k$: the length of the output queue, and its rate",
    "ingress": "the ingress queue of event $k$ (the egress queue of a departure)",
    "egress": "the egress queue of the packet of event $k$",
}  # fmt: skip
_KINDS = {
    "arrive": "is an arrival", "depart": "is a departure", "small": "concerns small packets",
    "large": "concerns large packets", "any": "serves small packets first",
}  # fmt: skip
_DECISIONS = {
    "drop": "dropped", "enqueue": "enqueued", "evict": "enqueued after an eviction", "depart": "sent",
    "evict+drop": "dropped after an eviction", "headroom": "put into the headroom",
}  # fmt: skip
_SEVERAL = {
    ("evict", "evict+drop"): "event {0} evicts a packet", ("drop", "evict+drop"): "the packet of event {0} is dropped",
    ("enqueue", "evict"): "the packet of event {0} is enqueued",
    ("drop", "evict", "evict+drop"): "a packet is lost at event {0}",
}  # fmt: skip
_DENIED = {
    "is": "is not", "finds": "does not find", "concerns": "does not concern", "serves": "does not serve",
    "evicts": "does not evict",
}  # fmt: skip
_REASONS = {
    "line": "is decided by a line of Algorithm 1", "line 3": "is decided by line 3 of Algorithm 1",
    "the port": "is decided by the room of the port", "recheck": "is decided by the threshold after lines 6 and 7",
    "line 1 is false": "finds line 1 of Algorithm 1 false", "the buffer overflows": "finds the buffer too full",
}  # fmt: skip
_OVER = {"sum": "the sum", "min": "the least", "max": "the largest"}
_EMPTY = {
    "queues": "queue {1} is {0}empty", "queue": "queue {1} is {0}empty",
    "held small": "the small queue is {0}empty", "len small": "the small queue is {0}empty",
    "held large": "the large queue is {0}empty", "len large": "the large queue is {0}empty",
}  # fmt: skip


@dataclass(frozen=True)
class Field:
    """A part of events or states, told as a word is: phrase, gloss, relation, fact; `member`: a part of a list."""

    phrase: Phrase
    gloss: tuple[str, ...] | None = None
    relation: Callable[..., str] | None = None
    fact: Callable[..., str] | None = None
    member: str = ""


def named(formal: Formal) -> tuple[Formal, Mapping[str, Field]]:
    """Return a form with names for the parts of events and states, and these names with their meaning."""
    naming = _Naming(formal)
    if not (naming.algorithms or naming.events):
        return formal, {}
    occasion = formal.occasion and (*formal.occasion[:2], naming.of(formal.occasion[2]))
    return replace(
        formal,
        values={name: naming.of(value) for name, value in formal.values.items()},
        sequences={name: (index, naming.of(body)) for name, (index, body) in formal.sequences.items()},
        hypotheses=tuple(replace(each, relation=naming.of(each.relation)) for each in formal.hypotheses),
        conclusions=tuple(map(naming.of, formal.conclusions)),
        occasion=occasion,
    ), naming.fields


class _Naming:
    """Replaces parts of events and states by calls of named fields."""

    def __init__(self, formal: Formal) -> None:
        trees = {name: value.tree for name, value in formal.values.items()}
        calls = {name: tree for name, tree in trees.items()
                 if isinstance(tree, ast.Call) and ast.unparse(tree.func) in _STATES}  # fmt: skip
        self.algorithms = {name: ast.unparse(call.func) for name, call in calls.items()}
        self.evictions = {name: _evictions(calls[name]) for name, word in self.algorithms.items() if word == "losspass"}
        self.parts = _EVENTS[next(iter(self.algorithms.values()), "dynaq")]
        self.events = {each.name for each in formal.variables if each.letters}
        self.events |= {node.id for call in calls.values() for node in nodes_of(call.args[0])
                        if isinstance(node, ast.Name) and node.id in trees}  # fmt: skip
        self.several = len({ast.dump(call.args[0]) for call in calls.values()}) > 1
        ticked = any("'tick'" in ast.unparse(tree) for tree in trees.values())
        self.of_e = " of E" if ticked else ""  # the run has other events, a tick of the clock before each of E
        own = {name: call.args[0] for name, call in calls.items() if self.several}
        self.of_run = {events.id: f" of run ${name}$" for name, events in own.items()
                       if isinstance(events, ast.Name) and events.id in trees}  # fmt: skip
        self.fields: dict[str, Field] = {}

    def of(self, expression: Expression) -> Expression:
        """Rewrite an expression with named fields."""
        return Expression(expression.text, rewritten(expression.tree, self._named))

    def _named(self, node: ast.AST) -> ast.expr | None:
        told = self._compared(node) or self._called(node) or self._read(node)
        if told is None and isinstance(node, ast.Subscript) and (step := self._step(node)):
            k, part, runs = step
            of_e = self.of_run.get(ast.unparse(getattr(node.value, "value", node)), self.of_e)
            field = _event(part, of_e, several=bool(runs))
            return self._call(f"{part} of event{' in a run' * len(runs)}", field, [k, *runs])
        return told

    def _compared(self, node: ast.AST) -> ast.expr | None:
        """Tell the kind of an event or a decision that is compared with a word, or an event with another."""
        if not isinstance(node, ast.Compare):
            return None
        match node.left, node.ops, node.comparators:
            case left, [ast.Eq() | ast.NotEq() as sign], [ast.Constant(value=str(word))]:
                return self._worded(left, word, sign)
            case left, [ast.In() | ast.NotIn() as sign], [ast.List(elts=words)]:
                several = tuple(str(word.value) for word in words if isinstance(word, ast.Constant))
                if several in _SEVERAL and (call := self._decision(left)):
                    return self._truth(" or ".join(several), _SEVERAL[several], call, sign)
            case ast.Constant(value=str(word)), [ast.In() | ast.NotIn() as sign], [ast.Attribute(attr="reason") as of]:
                if isinstance(of.value, ast.Call) and ast.unparse(of.value.func) == "answered":
                    said = f"the reason of the decision at event {{0}} names {word.rstrip(':')}"
                    return self._truth(f"names {word}", said, of.value.args, sign)
            case ast.Subscript(value=ast.Name(id=name), slice=step), [ast.Eq() | ast.NotEq() as sign], [value]:
                if name in self.events and (told := _one_event(value)):
                    return self._truth(told[0], f"event {{0}} is {told[0]}", [None, step], sign, told[1])
        return None

    def _worded(self, left: ast.expr, word: str, sign: ast.cmpop) -> ast.expr | None:
        none: list[ast.expr | None] = [None]
        if word in _KINDS and (step := self._step(left)):
            said, run = f"event {{0}}{self.of_e} {_KINDS[word]}", step[2][:1] or none
            return self._truth(f"{word} kind", said, [*run, step[0]], sign)
        if word in _DECISIONS and (call := self._decision(left)):
            own = ast.unparse(call[0])
            alone = " without an eviction" if self.evictions.get(own, {}).get(word) else ""
            if word == "enqueue" and self.algorithms.get(own) == "pfc":
                alone = " outside the headroom"
            said = f"the packet of event {{0}} is {_DECISIONS[word]}{alone}"
            return self._truth(f"{word} decision", said, call, sign)
        return None

    def _called(self, node: ast.AST) -> ast.expr | None:
        """Tell a call: of a word about events, or of a sum, an extreme or a length over a state."""
        match node:
            case ast.Call(args=[*_, ast.Compare(comparators=[ast.Attribute(value=ast.Call(args=call))])]) if (
                _STORED.fullmatch(ast.unparse(node))
            ):
                return self._truth("stored", "the packet of event {0} is in the buffer just after it", call, ast.Eq())
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if name in self.events:
                length = Field(Phrase("|{0}|"), (f"the number of events{self.of_e}", name), member="event")
                self.fields[f"events of {name}"] = length
                return ast.Call(ast.Name(f"events of {name}"), [ast.Name(name)], [])
            case ast.Call(func=ast.Name(id="because"), args=[*call, ast.Constant(value=str(word))]) if word in _REASONS:
                return self._truth(f"because {word}", f"event {{0}} {_REASONS[word]}", call, ast.Eq())
            case ast.Call(
                func=ast.Name(id="sum" | "min" | "max" | "held" | "len" as word), args=[ast.Attribute() as of]
            ):
                return self._state(of.value, f"{word} {of.attr}", [])
        return None

    def _read(self, node: ast.AST) -> ast.expr | None:
        """Tell a part of a state."""
        match node:
            case ast.Subscript(
                value=ast.Subscript(value=ast.Attribute(value=state) as part, slice=last), slice=ast.Constant(value=2)
            ) if ast.unparse(last) == f"len({ast.unparse(part)})":
                return self._state(state, "tail", [])
            case ast.Attribute(value=ast.Subscript(value=ast.Attribute(value=state, attr="ports"), slice=i), attr=attr):
                return self._state(state, attr, [i])
            case ast.Subscript(value=ast.Attribute(value=state, attr=attr), slice=i) if attr in _INDEXED:
                return self._state(state, attr, [i])
            case ast.Attribute(value=state, attr=attr):
                return self._state(state, attr, [])
        return None

    def _decision(self, node: ast.expr) -> list[ast.expr] | None:
        """Read ``decision(x, k)`` or ``x[k].decision`` as the run and the step."""
        match node:
            case ast.Call(func=ast.Name(id="decision"), args=[run, step]):
                return [run, step]
            case ast.Attribute(value=ast.Subscript(value=ast.Name(id=name) as run, slice=step), attr="decision"):
                return [run, step] if name in self.algorithms else None
        return None

    def _truth(
        self, key: str, said: str, call: Sequence[ast.expr | None], sign: ast.cmpop, more: Sequence[ast.expr] = ()
    ) -> ast.expr:
        """Return a relation in words about a step of a run."""
        run, step = call
        runs = [run] if run is not None and (len(self.algorithms) > 1 or not isinstance(run, ast.Name)) else []
        key, said = (f"{key} in a run", f"{said} in run {{1}}") if runs else (key, said)
        relation = self._call(key, _truth(said), [each for each in (step, *runs, *more) if each])
        return relation if isinstance(sign, ast.Eq | ast.In) else ast.UnaryOp(ast.Not(), relation)

    def _step(self, node: ast.expr) -> tuple[ast.expr, str, list[ast.expr]] | None:
        """Read ``E[k][n]`` or ``event(x, k)[n]`` as the step, the name of its part, and the run if events differ."""
        match node:
            case ast.Subscript(value=event, slice=ast.Constant(value=int() as place)):
                match event:
                    case ast.Subscript(value=ast.Name(id=name), slice=k) if name in self.events:
                        return (k, self.parts[place - 1], []) if place <= len(self.parts) else None
                    case ast.Call(func=ast.Name(id="event"), args=[run, k]):
                        parts = [part for part in self.parts if part != "time"]
                        return k, (parts[0], "time", *parts[1:])[place - 1], [run] if self.several else []
        return None

    def _state(self, state: ast.expr, part: str, more: Sequence[ast.expr]) -> ast.expr | None:
        match state:
            case ast.Call(func=ast.Name(id="before" | "after" | "answered" as word), args=[ast.Name(id=run), step]):
                when = "before" if word == "before" else "after"
            case ast.Subscript(value=ast.Name(id=run), slice=step):
                when = "after"
            case _:
                return None
        known = _STATES.get(self.algorithms.get(run, ""), {})
        letter, meaning = known.get(part, ("", ""))
        over, _, own = part.partition(" ")
        if not letter and own in known and "$i$" in known[own][1]:
            letter, meaning = rf"\{over} {known[own][0]}", f"{_OVER[over]} over all queues $i$ of {known[own][1]}"
        if not letter:
            return None
        runs = [ast.Name(run)] if len(self.algorithms) > 1 else []
        key = f"{part} {when}{' of a queue' if more else ''}{' and run' if runs else ''}"
        field = _part_of_state(part, letter, meaning, when, indexed=bool(more), several=bool(runs))
        return self._call(key, field, [step, *more, *runs])

    def _call(self, key: str, field: Field, args: Sequence[ast.expr]) -> ast.expr:
        self.fields[key] = field
        return ast.Call(ast.Name(key), [rewritten(each, self._named) for each in args], [])


_STORED = re.compile(r"some\((\w+), after\((.*)\)\.small \+ after\(\2\)\.large, \1\[1\] == answered\(\2\)\.packet\)")


def _one_event(node: ast.expr) -> tuple[str, list[ast.expr]] | None:
    """Tell an event that is written as a list, and return its size."""
    match node:
        case ast.List(elts=[ast.Constant(value="depart"), ast.Constant(value="small" | "large" as word)]):
            return f"a departure from the {word} queue", []
        case ast.List(elts=[ast.Constant(value="arrive"), ast.Constant(value="small" | "large" as word), size]):
            return f"the arrival of a {word} packet of {{1}} bytes", [size]
    return None


def _evictions(run: ast.Call) -> Mapping[str, bool]:
    """Return the decisions of LossPass beside which there is one with an eviction, in the reading of a run."""
    word = settings_of(run).get("reading", ast.Constant("intended"))
    reading = word.value if isinstance(word, ast.Constant) else ""
    tail = reading in ("droptail", "droptail-2q")
    return {"enqueue": not tail, "drop": not tail and reading not in ("intended", "limited", "head")}


def _event(part: str, of_e: str, *, several: bool) -> Field:
    run, inside = ("^{{{1}}}", " in run $x$") if several else ("", of_e)
    gloss = (f"{_MEANINGS[part]}{inside}", "k", *(["x"] if several else []))
    return Field(Phrase(rf"\mathrm{{{{{part}}}}}{run}_{{{{{{0}}}}}}"), gloss)


def _truth(said: str) -> Field:
    denied = re.sub(rf"\b({'|'.join(_DENIED)})\b", lambda match: _DENIED[match[1]], said, count=1)
    pieces = re.sub(r"(\{\d\})", r"} \1 \\text{", said)

    def fact(teller: Clauses, no: bool, *args: ast.expr) -> str:
        return (denied if no else said).format(*map(teller.math, args))

    template = re.sub(r"\{(?!\d\})|(?<!\{\d)\}", r"\g<0>\g<0>", rf"\text{{{pieces}}}").replace(r"\text{{}}", "")
    return Field(Phrase(template), fact=fact)


def _part_of_state(part: str, letter: str, meaning: str, when: str, *, indexed: bool, several: bool) -> Field:
    places = ["k", *(["i"] if indexed else []), *(["x"] if several else [])]
    sign, inside = "-" if when == "before" else "+", " in run $x$" if several else ""
    base, _, index = letter.replace("{", "{{").replace("}", "}}").partition("_{{")
    below = ", ".join(filter(None, [index.removesuffix("}}"), "{1}" if indexed else ""]))
    above = f"^{{{{{{{len(places) - 1}}}}}}}" if several else ""
    template = f"{base}{above}{f'_{{{{{below}}}}}' if below else ''}({{0:atom}}^{{{{{sign}}}}})"
    says_empty = part in _EMPTY and ("{1}" in _EMPTY[part]) <= indexed
    listed = "$i$" in meaning and " over " not in meaning and not indexed
    told = f"the list over all queues $i$ of {meaning}" if listed else meaning

    def relation(teller: Clauses, order: str, other: ast.expr, step: ast.expr, *more: ast.expr) -> str:
        if not says_empty or order not in ("==", ">", "!=") or not is_number(other, 0):
            return ""
        run = f" in run {teller.math(more[-1])}" if several else ""
        said = _EMPTY[part].format("" if order == "==" else "not ", *(teller.math(each) for each in more))
        return f"{said} just {when} event {teller.math(step)}{run}"

    return Field(Phrase(template), (f"{told} just {when} event $k${inside}", *places), relation=relation)
