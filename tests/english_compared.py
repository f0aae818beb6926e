"""Compares runs of packet algorithms, and the events of sequences, with those that a reader finds in a statement."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from canonical import Form
from english_packets import PacketRun

from dtmodel.base.expressions import evaluate, free_names, parse
from dtmodel.ledger.formal import Variable
from dtmodel.ledger.trees import parts

EITHER = "either arrive or depart"
WORDS = ("small", "large", "any", "any queue", "")


def of_packets(form: Form, call: ast.Call, run: PacketRun, domains: Mapping[str, Variable]) -> Iterator[str]:
    """Yield what is told otherwise of a run: algorithm, events, settings and the readings of a word."""
    own = {str(each.arg): form.of(each.value) for each in call.keywords}
    own |= {key: form.of(each) for key, each in zip(("pools", "ingress", "egress"), call.args[1:], strict=False)}
    said = {key: form.of(_tree(text)) for key, text in run.settings.items()}
    nothing = form.of(ast.Constant(0))
    implied = {key: said[key] for key, word in run.implied.items() if key in said and said[key] == form.of(_tree(word))}
    implied |= {"reserve_large": nothing} if own.get("reserve_large") == nothing else {}
    if ast.unparse(call.func) != run.algorithm:
        yield "algorithm"
    if implied | own != implied | said:
        yield "settings"
    if [*events(form, call.args[0], domains)] != [*events(form, _tree(run.events), domains)]:
        yield "events"
    yield from (f"words of {name}" for name, words in run.words.items() if [*domains[name].words] != words)


def events(form: Form, node: Any, domains: Mapping[str, Variable]) -> Iterator[Any]:
    """Yield events, one after the other, however their list is put together."""
    match node:
        case ast.Name(id=name) if name in form.values:
            yield from events(form, form.values[name], domains)
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            yield from (each for side in (left, right) for each in events(form, side, domains))
        case ast.List(elts=items):
            yield from map(form.of, items)
        case ast.Call(func=ast.Name(id="clocked" | "in_order" as word), args=[inside, other]):
            known = domains.get(ast.unparse(other))
            other = _one_for_each(form.values.get(ast.unparse(other), other)) if word == "clocked" else other
            either = known is not None and known.words == ("arrive", "depart")
            told = form.of(ast.Constant(EITHER) if either else other)
            yield word, tuple(events(form, inside, domains)), told
        case _:
            yield form.of(node)


def _one_for_each(times: ast.expr) -> ast.expr:
    """Leave the number of times out, of which there are as many as events."""
    match times:
        case ast.Call(func=func, args=[index, ast.BinOp(left=ast.Constant(value=1) as low, op=op), body]):
            return ast.Call(func, [index, ast.BinOp(low, op, low), body], [])
    return times


def letters(form: Form, node: ast.expr) -> Iterator[tuple[object, ...]]:
    """Yield the kinds of events that a sequence is made of: kind, places and sizes."""
    match node:
        case ast.Name(id=name) if name in form.values:
            yield from letters(form, form.values[name])
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            yield from (each for side in (left, right) for each in letters(form, side))
        case ast.List(elts=[ast.Constant(value=str(kind)), *own]):
            yield (kind, *(_part(form, each) for each in own))
        case ast.List(elts=items):
            yield from (each for item in items for each in letters(form, item))
        case ast.Call(args=[ast.Name(id=index), domain, ast.List(elts=[ast.Constant(value=str(kind)), *own])]) if all(
            ast.unparse(each) == index or index not in parts(each).names for each in own
        ):
            ends: Sequence[object] = ("any queue", form.of(domain))
            yield (
                kind,
                *(ends[place] if ast.unparse(each) == index else _part(form, each) for place, each in enumerate(own)),
            )
        case _:
            raise TypeError(ast.unparse(node))


def letters_of(form: Form, variable: Variable) -> set[tuple[object, ...]]:
    """Return the kinds of events that a sequence is made of; those of an alphabet without variables one by one."""
    if not variable.letters:
        return set()
    if free_names(variable.letters):
        return {*letters(form, variable.letters.tree)}
    return {*letters(form, _written(evaluate(variable.letters, {})))}


def told_letters(form: Form, said: Iterator[tuple[str, str, str]]) -> set[tuple[object, ...]]:
    """Return the kinds of events that are read in a text, as `letters` yields them."""
    found = set()
    for kind, place, size in said:
        where = [place] if place in WORDS else [form.of(_tree(each)) for each in place.split(", ")]
        found.add((kind, *where, *([form.of(_tree(size))] if size else [])))
    return found


def _part(form: Form, node: ast.expr) -> object:
    word = node.value if isinstance(node, ast.Constant) else None
    return word if isinstance(word, str) else form.of(node)


def _written(value: Any) -> ast.expr:
    return ast.List([_written(each) for each in value]) if isinstance(value, list) else ast.Constant(value)


def _tree(said: str) -> Any:
    return parse(said).tree
