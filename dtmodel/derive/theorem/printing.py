"""Theorems as text, LaTeX and HTML, with conditions solved for a symbol, and r for R - C where that is shorter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from dtmodel.base.mathtext import array_of, block_of, html_of, symbol_of
from dtmodel.base.mathtext import text_of as plain_of
from dtmodel.derive.algebra.domain import Domain
from dtmodel.derive.algebra.writing import LATEX, Writer
from dtmodel.derive.search.cases import name_of, natural, solved_conditions
from dtmodel.derive.theorem.data import CaseData

_WIDE = 48
"""The symbols after which conditions in LaTeX continue on the next line."""


@dataclass(frozen=True)
class Printed:
    """A theorem as it is printed: for each case its conditions, and the text of each answer; then abbreviations.

    `head`: the order of symbols that may be exchanged, if there is one.

    >>> Printed(((("R > C",), ("B/r",)),), ("r = R - C",)).rows[0][1]
    ('B/r',)
    """

    rows: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    where: tuple[str, ...]
    head: tuple[str, ...] = ()


def printed(theorem: CaseData, symbol: str | None, *, latex: bool, every: bool = False) -> Printed:
    """Write cases with conditions solved for a symbol where possible, else for the natural one of each.

    The cases are those of one order of symbols that may be exchanged, or all (`every`).
    """
    one = theorem if every else theorem.ordered or theorem
    writer, never = Writer(one.domain, latex=latex), r"\infty" if latex else "never"
    symbols = [*([symbol] if symbol else []), *natural(theorem.domain)]
    rows, where = list[tuple[list[str], list[str]]](), list[str]()
    for case in one.cases:
        inside = case.example or None
        answers = [never if a is None else writer.ratio(a, inside) for a in case.answers.values()]
        rows.append((solved_conditions(writer, case.when, symbols, inside), answers))
    for name, difference in _differences(theorem.domain, latex=latex):
        shorter = [(_put(when, difference, name), _put(answers, difference, name)) for when, answers in rows]
        if _length(shorter) + len(f"{name} = {difference}") < _length(rows):
            rows, where = shorter, [*where, f"{name} = {difference}"]
    head = () if one is theorem else (_order(theorem, latex=latex),)
    return Printed(tuple((tuple(when), tuple(answers)) for when, answers in rows), tuple(where), head)


def _order(theorem: CaseData, *, latex: bool) -> str:
    """Write the order of the symbols of classes that are alike, in which the cases are printed."""
    beside = "for any other order, rename these symbols"
    if latex:
        return f" {LATEX['<=']} ".join(map(symbol_of, theorem.alike)) + rf";\ \text{{{beside}}}"
    return f"{' <= '.join(theorem.alike)}; {beside}"


def _differences(domain: Domain, *, latex: bool) -> Iterator[tuple[str, str]]:
    """Yield the papers' names of rates above C, such as r for R - C, with the difference that each stands for."""
    taken = {slack.symbol.lower() for slack in domain.slacks if not slack.symbol.startswith("R")}
    for slack in domain.slacks:
        name = slack.symbol.replace("R", "r", 1)
        if slack.symbol.startswith("R") and slack.bound is not None and slack.bound.text.isidentifier():
            show = symbol_of if latex else str
            yield from () if name in taken else [(show(name), f"{show(slack.symbol)} - {show(slack.bound.text)}")]


def _put(texts: Sequence[str], difference: str, name: str) -> list[str]:
    for group, inner in (
        (f"({difference})", name),
        (rf"\left({difference}\right)", name),
        (f"{{{difference}}}", f"{{{name}}}"),
    ):
        texts = [text.replace(group, inner) for text in texts]
    return list(texts)


def _length(rows: Sequence[tuple[list[str], list[str]]]) -> int:
    return sum(len(text) for row in rows for texts in row for text in texts)


def text_of(theorem: CaseData, symbol: str | None) -> str:
    """Return a theorem in plain text, as `DerivedTheorem.text` documents."""
    shown = printed(theorem, symbol, latex=False)
    lines = [f"Let {each}." for each in shown.head]
    for when, answers in shown.rows:
        lines.append(f"If {' and '.join(when)}:" if when else "Always:")
        lines += [f"  {key} = {answer}" for key, answer in zip(theorem.keys, answers, strict=True)]
    lines += [f"with {each}" for each in shown.where]
    return "\n".join(lines if theorem.complete else [*lines, f"Not complete: {'; '.join(theorem.open)}"])


def equations(theorem: CaseData, symbol: str | None) -> list[str]:
    """Return an equation in LaTeX for each answer, before them an order of symbols, and after them abbreviations."""
    shown = printed(theorem, symbol, latex=True)
    found = []
    for place, key in enumerate(theorem.keys):
        rows = [f"{answers[place]} & {_conditions(when)}" if when else answers[place] for when, answers in shown.rows]
        body = r" \\ ".join(rows)
        cases = rf"\begin{{cases}} {body} \end{{cases}}" if "&" in body else body
        found.append(f"{name_of(key)} = {cases}")
    return [*shown.head, *found, *shown.where]


def _conditions(when: Sequence[str]) -> str:
    """Write conditions behind "if", on several lines if they are wide."""
    lines = [""]
    for each in when:
        wide = lines[-1] and _width(lines[-1] + each) > _WIDE
        lines = [*lines, each] if wide else [*lines[:-1], rf"{lines[-1]},\ {each}" if lines[-1] else each]
    return r"\text{if } " + r", \\ & ".join(lines)


def _width(latex: str) -> int:
    """Return the approximate number of printed symbols."""
    return len(re.sub(r"\\left|\\right|[{} ]", "", re.sub(r"\\(?!left|right)[A-Za-z]+", "x", latex)))


def latex_of(theorem: CaseData, symbol: str | None) -> str:
    """Return a theorem in LaTeX, as `DerivedTheorem.latex` documents."""
    found = equations(theorem, symbol)
    return array_of(found) if len(found) > 1 else "".join(found)


def html_for(theorem: CaseData) -> str:
    """Return a table in HTML: a row for each case."""
    shown = printed(theorem, None, latex=True)
    names = [escape(plain_of(f"${name_of(key)}$")) for key in theorem.keys]  # axe-core reads no text in mathematics
    heads = "".join(f"<th>{name}</th>" for name in (re.sub(r"_(\w+)", r"<sub>\1</sub>", name) for name in names))
    rows = [f"<tr>{heads}</tr>"]
    for when, answers in shown.rows:
        cells = [html_of(f"${answer}$", display=True) for answer in answers]
        rows.append(_row([*cells, "<br/>".join(html_of(f"if ${each}$") for each in when)]))
    notes = "".join(f"<p>with {html_of(f'${each}$')}</p>" for each in shown.where)
    left = "" if theorem.complete else f"<p>Not complete: {escape('; '.join(theorem.open))}</p>"
    head = "".join(f"<p>Let {html_of(f'${each}$')}.</p>" for each in shown.head)
    return block_of(head, f"<table>{''.join(rows)}</table>", notes, left)


def _row(cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
