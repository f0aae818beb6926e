"""Statements with LaTeX between dollar signs: as Unicode text for terminals, as MathML for HTML."""

from __future__ import annotations

import html
import re
from functools import cache

__all__ = ["html_text", "plain_text"]

_RELATIONS = {
    "geq": "≥", "ge": "≥", "leq": "≤", "le": "≤", "neq": "≠", "ne": "≠", "lt": "<", "gt": ">", "approx": "≈",
    "to": "→", "rightarrow": "→", "Rightarrow": "⇒", "implies": "⇒", "iff": "⇔", "in": "∈", "times": "×",
    "ll": "≪", "gg": "≫", "propto": "∝", "equiv": "≡", "land": "∧", "lor": "∨",
}  # fmt: skip
_RELATION = re.compile(r"\\(" + "|".join(_RELATIONS) + r")(?![A-Za-z])")
_MATH = re.compile(r"\$([^$]+)\$")


def plain_text(text: str) -> str:
    r"""Write a statement for a terminal.

    Examples
    --------
    >>> plain_text(r"the threshold is $\alpha F \geq 0$")
    'the threshold is α F ≥ 0'
    """
    return " ".join(_MATH.sub(lambda match: _unicode(match[1]), text).split())


def html_text(text: str) -> str:
    """Write a statement in HTML, its mathematics as MathML and `code` between backquotes.

    Examples
    --------
    >>> html_text("$x$ < 2").endswith("</math> &lt; 2")
    True
    """
    parts = _MATH.split(text)
    written = [_mathml(part) if index % 2 else _prose(part) for index, part in enumerate(parts)]
    return "".join(written)


def _prose(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


@cache
def _unicode(latex: str) -> str:
    from pylatexenc.latex2text import LatexNodes2Text

    prepared = re.sub(r"\\(?:d|t)frac", r"\\frac", latex)
    prepared = re.sub(r"\\(?:left|right|big|Big|bigl|bigr|Bigl|Bigr)(?![a-zA-Z])", "", prepared)
    prepared = re.sub(r"\\operatorname\*?", "", prepared)
    prepared = re.sub(r"\\(min|max|lim|log|ln|sup|inf) *(?=[A-Za-z]|\\[A-Za-z])", r"\\\1{} ", prepared)
    prepared = re.sub(r"\^\{?((?:\\prime *)+)\}?", lambda match: "'" * match[1].count("prime"), prepared)
    prepared = re.sub(r"([_^])\{([^{}]*[-+ ][^{}]*)\}", r"\1{(\2)}", prepared)
    prepared = _RELATION.sub(lambda match: f" {_RELATIONS[match[1]]} ", prepared)
    prepared = re.sub(r"(\\[A-Za-z]+) +(?=[^\\s{])", r"\1{} ", _fractions(prepared))
    text = str(LatexNodes2Text(math_mode="text", keep_comments=True).latex_to_text(prepared))
    return " ".join(text.split())


def _fractions(latex: str) -> str:
    """Write each fraction of a and b as (a)/(b), leaving out parentheses around single symbols and numbers."""
    group = r"\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}"
    pattern = re.compile(r"\\frac\s*" + group + r"\s*" + group)
    while pattern.search(latex):
        latex = pattern.sub(lambda match: f"{_wrapped(match[1])}/{_wrapped(match[2])}", latex, count=1)
    return latex


def _wrapped(part: str) -> str:
    return part if re.fullmatch(r"\s*(\w+|\\[A-Za-z]+|\w_\w)\s*", part) else f"({part})"


@cache
def _mathml(latex: str) -> str:
    from latex2mathml.converter import convert

    return str(convert(latex))
