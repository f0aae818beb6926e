"""Statements of theorems as objects: mathematics in Jupyter, text in a terminal, a citation on request."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from html import escape
from typing import Any, NoReturn, final

from dtmodel.errors import InputError
from dtmodel.mathtext import html_of, pieces, text_of

__all__ = ["Case", "Statement", "Symbol", "least", "tex", "tex_of"]


@dataclass(frozen=True)
class Symbol:
    """One symbol of a statement.

    Attributes
    ----------
    latex : str
        The symbol in LaTeX, without dollar signs.
    meaning : str
        What it stands for.
    unit : str
        Its unit; empty for a number.
    """

    latex: str
    meaning: str
    unit: str = ""


@dataclass(frozen=True)
class Case:
    """A case of a statement: a condition and what follows from it, in words with LaTeX between dollar signs.

    Attributes
    ----------
    condition : str
        When the case applies; empty if always.
    conclusions : tuple of str
        What holds then.
    equations : str
        The numbers that the document gives to these conclusions, such as ``"(2), (5)"``.
    """

    condition: str
    conclusions: tuple[str, ...]
    equations: str = ""


def _without_a_formula(*_: Any, **values: Any) -> NoReturn:
    """Refuse to evaluate a statement that has no formula to compute."""
    raise InputError("evaluate", ", ".join(values) or "nothing", "a statement that has a formula to evaluate")


def least(*values: Any) -> Any:
    """Return the least of numbers, or SymPy's minimum where one of them is a symbol.

    Examples
    --------
    >>> from sympy.abc import x
    >>> least(2, 1), least(x, 2)
    (1, Min(2, x))
    """
    if all(isinstance(value, int | Fraction) for value in values):
        return min(values)
    import sympy

    return sympy.Min(*values)


def tex_of(formula: Callable[..., Any], *names: str) -> str:
    r"""Print as LaTeX what a formula computes on positive symbols of these names, in the order in which it does so.

    Examples
    --------
    >>> tex_of(lambda alpha, B, N: alpha * B / (1 + alpha * N), "alpha", "B", "N")
    '\\frac{\\alpha B}{1 + \\alpha N}'
    """
    import sympy

    symbols = [sympy.Symbol(name, positive=True) for name in names]
    with sympy.evaluate(False):
        return str(sympy.latex(formula(*symbols), order="none"))


def tex(expression: Any, names: Mapping[Any, str] | None = None) -> str:
    """Print a SymPy expression as LaTeX; `names` says how symbols are written that stand for more than a letter.

    Examples
    --------
    >>> from sympy.abc import r, t
    >>> tex(r * t, {r: "(R - C)"})
    '(R - C) t'
    """
    import sympy

    return str(sympy.latex(expression, symbol_names=dict(names or {})))


@final
@dataclass(frozen=True, repr=False)
class Statement:
    """A theorem or definition of a document, or one of our own, in words and mathematics.

    Parameters
    ----------
    id : str
        The claim's id in the ledger.
    title : str
        A short name.
    symbols : tuple of Symbol
        The symbols with their meaning and unit.
    assumptions : tuple of str
        What is assumed; LaTeX between dollar signs.
    conclusions : tuple of str
        What holds in every case.
    cases : tuple of Case
        What holds in each case, if there are cases.
    source : str
        Document, section and equation numbers.
    bibtex : str
        The BibTeX entry of the document.
    evaluate : callable
        Computes what the statement says, exactly, and raises an `InputError` outside its assumptions.

    Examples
    --------
    >>> buffer = Symbol("B", "the buffer", "bytes")
    >>> print(Statement("x.y", "A law", (buffer,), ("$B > 0$",), ("$B = B$",), source="here", bibtex="@misc{here}"))
    A law [x.y]
      source: here
      symbols
        B: the buffer (bytes)
      assumptions
        - B > 0
      then
        - B = B
    """

    id: str
    title: str
    symbols: tuple[Symbol, ...] = ()
    assumptions: tuple[str, ...] = ()
    conclusions: tuple[str, ...] = ()
    cases: tuple[Case, ...] = ()
    source: str = ""
    bibtex: str = field(kw_only=True)
    evaluate: Callable[..., Any] = field(default=_without_a_formula, kw_only=True)

    def citation(self) -> str:
        """Return the BibTeX entry of the document that the statement comes from."""
        return self.bibtex

    def __repr__(self) -> str:
        return f"<{self.title} [{self.id}]>"

    def __str__(self) -> str:
        return "\n".join(_text_lines(self))

    def _repr_html_(self) -> str:
        heading = f"<strong>{escape(self.title)}</strong> <code>{escape(self.id)}</code>"
        rows = "".join(
            f"<tr><td>{html_of(f'${s.latex}$')}</td><td>{html_of(s.meaning)}</td><td>{escape(s.unit)}</td></tr>"
            for s in self.symbols
        )
        table = f"<table><tr><th>symbol</th><th>meaning</th><th>unit</th></tr>{rows}</table>" if rows else ""
        parts = [f"<p>{heading}<br/><em>{escape(self.source)}</em></p>", table]
        parts += [f"<p>{html_of(label)}</p>{_html_list(items)}" for label, items in _sections(self)]
        return f"<div>{''.join(parts)}</div>"

    def _repr_latex_(self) -> str:
        lines = [rf"\textbf{{{_escaped(self.title)}}}"]
        for label, items in _sections(self):
            lines += [_latex_line(label), *(r"\quad " + _latex_line(item) for item in items)]
        return "$$\\begin{array}{l}\n" + " \\\\\n".join(lines) + "\n\\end{array}$$"


def _sections(statement: Statement) -> Iterator[tuple[str, tuple[str, ...]]]:
    if statement.assumptions:
        yield "assumptions", statement.assumptions
    if statement.conclusions:
        yield "then", statement.conclusions
    for case in statement.cases:
        where = f"if {case.condition}" if case.condition else "always"
        yield f"{where} {case.equations}".rstrip(), case.conclusions


def _text_lines(statement: Statement) -> Iterator[str]:
    yield f"{statement.title} [{statement.id}]"
    if statement.source:
        yield f"  source: {statement.source}"
    if statement.symbols:
        yield "  symbols"
    for symbol in statement.symbols:
        unit = f" ({symbol.unit})" if symbol.unit else ""
        yield f"    {text_of(f'${symbol.latex}$')}: {text_of(symbol.meaning)}{unit}"
    for label, items in _sections(statement):
        yield f"  {text_of(label)}"
        yield from (f"    - {text_of(item)}" for item in items)


def _html_list(items: tuple[str, ...]) -> str:
    return "<ul>" + "".join(f"<li>{html_of(item)}</li>" for item in items) + "</ul>"


def _latex_line(text: str) -> str:
    return "".join(piece if is_math else rf"\text{{{_escaped(piece)}}}" for piece, is_math in pieces(text))


def _escaped(words: str) -> str:
    return re.sub(r"([&%#_])", r"\\\1", words)
