r"""Words with LaTeX between dollar signs: as text for a terminal, as HTML with MathML (by latex2mathml) for a page."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from html import escape, unescape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MATH = re.compile(r"\$([^$]+)\$")
_TOKEN = re.compile(r"\\(?:[A-Za-z]+\*?|.)|\s+|.", re.DOTALL)

_BEGIN, _END = "\x01", "\x02"
"""Marks around an inserted number; no formula contains them."""
_UNDERSCORE = "\x03"
"""A mark for an underscore that does not begin an index."""
_FACTORS = re.compile(
    rf"(?<=[\w)}}{_END}])\s+(?={_BEGIN})|(?<=[){_END}])(?={_BEGIN})|(?<={_END})\s*(?=[\w({{]|\\(?:frac|left|lceil)\b)"
)
_NO_FACTOR = re.compile(r"(\\(?:leq|geq|ge|le|neq|in|cdot|lceil|lfloor|times|log_2)) \\cdot ")

_RELATIONS = frozenset("≤≥≠≈→⇒⇔∈×≪≫∝≡∧∨")
_FUNCTIONS = frozenset({"min", "max", "sup", "inf", "lim", "log", "ln", "exp", "sin", "cos", "tan", "arg", "gcd", "Pr"})
_WORDS = frozenset({"text", "textbf", "textit", "texttt", "mathrm", "mathbf", "mathit", "mathtt", "mathsf", "mathcal",
                    "operatorname", "operatorname*", "mbox"})  # fmt: skip
_IGNORED = frozenset({"left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "bigg", "Bigg", "limits",
                      "displaystyle", "textstyle", "!"})  # fmt: skip
_SPACES = frozenset({",", ";", ":", " ", "quad", "qquad", "\\", "\n"})
_LETTERS = {"neq": "≠", "ne": "≠", "prime": "'", "bmod": " mod ", "pmod": " mod ", "dots": "…", "ldots": "…",
            "cdots": "…", "varepsilon": "ε", "varphi": "φ", "lt": "<", "gt": ">"}  # fmt: skip

_GREEK = frozenset({
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "kappa", "lambda", "mu", "nu", "xi", "rho",
    "sigma", "tau", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Sigma", "Phi", "Psi",
    "Omega",
})  # fmt: skip
_FACTOR = re.compile(r"\s*(?:[\w({]|\\(?:frac|left|mathrm|lceil|lfloor|sum|int|" + "|".join(sorted(_GREEK)) + r")\b)")
"""A factor after a fraction, which plain text would show as a part of the denominator."""
_OF_THE_PAPERS = {
    "cn1": "c_{n1}", "cn2": "c_{n2}", "tm1": r"\mathrm{TM}_{1}", "tm2": r"\mathrm{TM}_{2}", "lam": r"\lambda",
}  # fmt: skip
"""The symbols of EDT's parameters in its paper, and the letter whose name Python keeps for itself."""

_ATTRIBUTES = frozenset({
    "displaystyle", "scriptlevel", "mathvariant", "stretchy", "fence", "form", "separator",
    "largeop", "movablelimits", "symmetric", "accent", "accentunder", "minsize", "maxsize", "lspace", "rspace",
    "width", "height", "depth", "voffset", "linethickness", "notation", "columnalign", "columnlines", "columnspacing",
    "rowlines", "rowspacing",
})  # fmt: skip
"""The allowed attributes of MathML on a page: layout, but no links, styles, names or scripts."""


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text in order, with True for mathematics, and without dollar signs.

    >>> list(pieces("if $a < b$ then"))
    [('if ', False), ('a < b', True), (' then', False)]
    """
    for index, piece in enumerate(_MATH.split(text)):
        if piece:
            yield piece, index % 2 == 1


@cache
def symbol_of(name: str) -> str:
    r"""Write a plain name as LaTeX: Greek words as letters, the rest after the first letter or word as an index.

    >>> [symbol_of(name) for name in ("alpha", "t1", "R_b", "cn2", "rho_k", "t_over", "lost", "F_")]
    ['\\alpha', 't_{1}', 'R_{b}', 'c_{n2}', '\\rho_{k}', 't_{\\mathrm{over}}', '\\mathrm{lost}', '{F^{\\prime}}']
    """
    if name in _OF_THE_PAPERS:
        return _OF_THE_PAPERS[name]
    stem, _, index = name.partition("_")
    if not stem or name.endswith("_"):
        return rf"{{{symbol_of(name[:-1])}^{{\prime}}}}" if stem else _word_of(name)
    numbered = re.fullmatch(r"([A-Za-z]+)(\d+)", stem)
    if numbered:
        stem, index = numbered[1], numbered[2] + (f", {_word_of(index)}" if index else "")
        return f"{_word_of(stem)}_{{{index}}}"
    return f"{_word_of(stem)}_{{{_word_of(index)}}}" if index else _word_of(stem)


def text_of(text: str) -> str:
    r"""Write words and mathematics as one line of plain text.

    Fractions become ``a/b``, with parentheses around parts longer than a symbol; spaces within the mathematics are
    kept. LaTeX with unbalanced braces is unchanged.

    >>> text_of(r"if $R_{k-1} \leq \frac{\alpha B}{2}$")
    'if R_(k-1) ≤ (α B)/2'
    >>> text_of(r"$\frac{B}{2} x$"), text_of(r"$\frac{B}{2} + x$")
    ('(B/2) x', 'B/2 + x')
    """
    return " ".join("".join(_plain(piece) if maths else piece for piece, maths in pieces(text)).split())


def latex_of(text: str) -> str:
    r"""Write words and mathematics as one line of LaTeX, without dollar signs.

    >>> latex_of(r"at 50 % of $B$")
    '\\text{at 50 \\% of }B'
    """
    return "".join(piece if maths else rf"\text{{{latex_words(piece)}}}" for piece, maths in pieces(text))


def latex_words(words: str) -> str:
    """Escape words for LaTeX."""
    return re.sub(r"([&%#_{}])", r"\\\1", words.replace("\\", "/"))


def array_of(lines: Iterable[str]) -> str:
    """Put lines of LaTeX below each other."""
    return "\\begin{array}{l}\n" + " \\\\\n".join(lines) + "\n\\end{array}"


_STYLE = (
    ".dtmodel table{margin:0}"
    "div.dtmodel.dtmodel :is(th,td){text-align:left;vertical-align:top}"
    ".dtmodel tbody th[colspan]{padding-top:1em}"
    ".dtmodel mtd{text-align:left}"
    ".dtmodel math{padding-block:.15em}.dtmodel mfrac>*{padding-block:.15em}"
    ".dtmodel-formula{overflow-x:auto;padding-block:.2em}"
    ".dtmodel math:not([displaystyle=true]) :is(mfrac,msubsup) :is(msub,msup,msubsup) :is(msub,msup)>:nth-child(2)"
    "{math-depth:add(0)}"
)
"""Space around the bars of fractions, left-aligned cells despite the styles of notebooks, and three sizes as in TeX."""


def block_of(*parts: str) -> str:
    """Join parts of HTML in a block that looks alike in every notebook."""
    return f'<div class="dtmodel"><style>{_STYLE}</style>{"".join(parts)}</div>'


class MathDisplay(ABC):
    r"""A result that notebooks show as mathematics: in MathML, and in LaTeX where a notebook prefers it.

    >>> class Sum(MathDisplay):
    ...     def latex(self):
    ...         return "a + b"
    >>> Sum()._repr_latex_(), Sum()._repr_html_().count("<mi>")
    ('$\\displaystyle a + b$', 2)
    """

    @abstractmethod
    def latex(self) -> str:
        """Return the result in LaTeX, without dollar signs."""

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def _repr_html_(self) -> str:
        return block_of(f'<p class="dtmodel-formula">{html_of(f"${self.latex()}$", display=True)}</p>')


def paragraphs_of(terms: Iterable[tuple[str, str]]) -> str:
    """Write a paragraph for each term: its name, and a text of words and mathematics.

    >>> paragraphs_of([("note", "a < b")])
    '<p><strong>note:</strong> a &lt; b</p>'
    """
    return "".join(f"<p><strong>{escape(name)}:</strong> {html_of(text)}</p>" for name, text in terms)


def badge_of(verdict: str) -> str:
    """Write a verdict as a badge in HTML."""
    style = "border: 1px solid; border-radius: 8px; padding: 0 6px; font-size: 85%"
    return f'<span style="{style}">{escape(verdict)}</span>'


def with_numbers(latex: str, numbers: Mapping[str, str]) -> str:
    r"""Replace symbols in a formula by numbers, as text, with a dot wherever one of them is multiplied.

    `latex`: a formula, without dollar signs. `numbers`: the text of each replaced symbol, such as ``{r"\alpha": "1/2",
    "R_{min}": "2 Gbps"}``.

    >>> put = with_numbers(r"\frac{4 \alpha B}{2 + \alpha P} d", {r"\alpha": "1", "B": "1 MB", "P": "16"})
    >>> text_of(f"${put}$")
    '((4 · 1 · 1 MB)/(2 + 1 · 16)) d'
    """
    if not numbers:
        return latex
    names = "|".join(re.escape(name) for name in sorted(numbers, key=len, reverse=True))
    symbol = re.compile(rf"(?<![A-Za-z\\_])(?:{names})(?![A-Za-z_]|\^(?:\{{[A-Za-z]|\*))")
    put = symbol.sub(lambda match: f"{_BEGIN}{numbers[match[0]]}{_END}", latex)
    put = re.sub(rf"{_BEGIN}([^{_END}]*){_END}(?=\^)", rf"({_BEGIN}\1{_END})", put)
    dotted = _NO_FACTOR.sub(r"\1 ", _FACTORS.sub(r" \\cdot ", put))
    return dotted.replace(_BEGIN, r"\text{").replace(_END, "}")


def html_of(text: str, *, display: bool = False) -> str:
    """Write words and mathematics (large if `display`) as HTML, with MathML and `code`; without scripts and links."""
    return "".join(_mathml(piece, display=display) if maths else _prose(piece) for piece, maths in pieces(text))


def _prose(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


@cache
def _mathml(latex: str, *, display: bool = False) -> str:
    """Return the MathML of a formula; invalid LaTeX is shown as its source."""
    from xml.etree.ElementTree import tostring

    from latex2mathml.converter import convert_to_element

    try:
        root = convert_to_element(latex)
    except Exception:  # noqa: BLE001 - latex2mathml raises many kinds of errors for invalid LaTeX
        return f"<code>{escape(latex, quote=False)}</code>"
    if display:
        root.set("displaystyle", "true")
    for element in root.iter():
        _lower_primes(element)
        element.text = unescape(element.text) if element.text else element.text
        for name in set(element.attrib) - _ATTRIBUTES:
            del element.attrib[name]
    _unwrap(root)
    return str(tostring(root, encoding="unicode"))


def _unwrap(element: Element) -> None:
    """Take away rows that group nothing: those of one element, and the outermost one."""
    for child in element:
        _unwrap(child)
    element[:] = [child[0] if child.tag == "mrow" and len(child) == 1 else child for child in element]
    element[:] = _joined(element) if element.tag in ("math", "mrow") else element[:]
    if element.tag == "math" and [child.tag for child in element] == ["mrow"]:
        element[:] = element[0][:]


def _joined(letters: Iterable[Element]) -> list[Element]:
    """Join upright letters that follow each other to a word, which is one identifier and upright by default."""
    found: list[Element] = []
    for letter in letters:
        if found and all(each.tag == "mi" and each.get("mathvariant") == "normal" for each in (found[-1], letter)):
            found[-1].text = f"{found[-1].text}{letter.text}"
        else:
            found.append(letter)
    for each in found:
        if each.tag == "mi" and len(each.text or "") > 1:
            each.attrib.pop("mathvariant", None)
    return found


def _lower_primes(element: Element) -> None:
    """Put primes beside their base: the character is raised itself, and a superscript would raise it twice."""
    marks = unescape("".join(element[-1].itertext())) if element.tag in ("msup", "msubsup") else ""
    if not marks or marks.strip("′"):
        return
    *base, prime = element
    if element.tag == "msubsup":
        base = [element.makeelement("msub", {})]
        base[0].extend(element[:2])
    element.tag = "mrow"
    element[:] = [*base, prime]


@cache
def _plain(latex: str) -> str:
    try:
        return _Writer(latex).text()
    except (_UnbalancedError, RecursionError):
        return latex


class _UnbalancedError(Exception):
    """The braces do not match, or an argument is missing."""


class _Writer:
    """Writes one formula, token by token."""

    def __init__(self, latex: str) -> None:
        self.tokens = _TOKEN.findall(latex)
        self.next = 0

    def text(self) -> str:
        """Return the whole formula as text."""
        written = self._sequence()
        if self.next < len(self.tokens):
            raise _UnbalancedError
        return re.sub(r"(?<=[⌈⌊(]) | (?=[⌉⌋)])", "", " ".join(written.split())).replace(_UNDERSCORE, "_")

    def _sequence(self) -> str:
        """Write the items before the next closing brace, or the end."""
        written = ""
        while self.next < len(self.tokens) and self.tokens[self.next] != "}":
            loose = self.next > 0 and _ends_a_word(self.tokens[self.next - 1], written)
            part = self._item()
            written += " " + part if loose and part[:1].isalnum() else part
        return written

    def _item(self) -> str:
        part = self.tokens[self.next]
        self.next += 1
        if part == "{":
            written = self._sequence()
            self._expect("}")
            return written
        if part in "_^":
            return self._script(part)
        if part.startswith("\\"):
            return self._command(part[1:])
        return " " if part.isspace() or part in "~&" else part

    def _argument(self) -> str:
        while self.next < len(self.tokens) and self.tokens[self.next].isspace():
            self.next += 1
        if self.next == len(self.tokens) or self.tokens[self.next] == "}":
            raise _UnbalancedError
        return self._item().strip()

    def _expect(self, token: str) -> None:
        if self.next == len(self.tokens) or self.tokens[self.next] != token:
            raise _UnbalancedError
        self.next += 1

    def _script(self, sign: str) -> str:
        written = self._argument()
        if sign == "^" and written and not written.strip("'"):
            return written
        whole = r"\w+|." if sign == "_" else r"\d+|[A-Za-z]+|."
        return sign + (written if re.fullmatch(whole, written) else f"({written})")

    def _command(self, name: str) -> str:
        if name in ("frac", "dfrac", "tfrac"):
            over, under = self._argument(), self._argument()
            written = f"{_wrapped(over)}/{_wrapped(under)}"
            return f"({written})" if _FACTOR.match("".join(self.tokens[self.next : self.next + 2])) else written
        if name == "sqrt":
            return f"√{_wrapped(self._argument())}"
        if name in _WORDS:
            return self._words()
        if name in ("begin", "end"):
            self._words()
            return " "
        if name in _IGNORED:
            return ""
        if name in _SPACES:
            return " "
        if name == "_":
            return _UNDERSCORE
        return name if name in _FUNCTIONS else _symbol(name)

    def _words(self) -> str:
        """Write an argument literally, spaces included."""
        self._expect("{")
        start, depth = self.next, 1
        while depth:
            if self.next == len(self.tokens):
                raise _UnbalancedError
            depth += {"{": 1, "}": -1}.get(self.tokens[self.next], 0)
            self.next += 1
        return "".join(re.sub(r"^\\(?=[^A-Za-z])", "", token) for token in self.tokens[start : self.next - 1])


def _ends_a_word(token: str, written: str) -> bool:
    """Return True if a letter or digit right after the written text would be read as part of its last word."""
    function = token.removeprefix("\\") in _FUNCTIONS and token.startswith("\\")
    return function or bool(re.search(r"[_^](?:\w+|\([^()]*\))$", written))


@cache
def _symbol(name: str) -> str:
    """Write a symbol, a relation with spaces around it; an unknown command is unchanged."""
    from latex2mathml.symbols_parser import convert_symbol

    if not name[:1].isalpha():
        return name
    code = convert_symbol(f"\\{name}")
    letter = _LETTERS.get(name) or (chr(int(code, 16)) if code else f"\\{name}")
    return f" {letter} " if letter in _RELATIONS else letter


def _word_of(name: str) -> str:
    if name in _GREEK:
        return f"\\{name}"
    if len(name) == 1 or name.isdigit() or re.fullmatch(r"[a-z]\d+", name):
        return name
    return rf"\mathrm{{{latex_words(name)}}}"


def _wrapped(part: str) -> str:
    return part if re.fullmatch(r"\w+|\([^()]*\)|.", part) else f"({part})"
