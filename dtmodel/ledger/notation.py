"""The meaning of symbols in sentences of claims without a form, which stands behind the sentence."""

import re
from collections.abc import Iterable, Mapping

from dtmodel.base.mathtext import symbol_of
from dtmodel.ledger.joins import listed

_OMITTED = re.compile(
    r"\\(?:text|mathrm|operatorname|mathit)\{[^{}]*\}|(?<![)\d])\^(?:\{[A-Za-z]+\}|[A-Za-z]\b)|\\mu\s*(?=\\text)|\\(?!(?:alpha|beta|gamma"
    r"|delta|tau|lambda|mu|rho|sigma|theta|epsilon|varepsilon|eta|phi)(?![A-Za-z]))[A-Za-z]+|\bO(?=\()"
)
_SYMBOL = re.compile(r"(?:\\[A-Za-z]+|(?<![A-Za-z\\])[A-Za-z]+)(?:_(?:\{[^{}]*\}|\w))?")
_INDICES = ("i", "j", "k", "t", r"\varepsilon")
"""Indices, times and small numbers, which need no meaning."""
_NOUNS = (
    "rate rates services threshold thresholds reserve slope weight weights size queue time times difference "
    "differences length lengths arrivals number mean deviation duration packet window speedup factor"
)
_COUNTED = "bytes packets queues ports steady services lines constant bursts"
"""Words before a formula that say of what it is the symbol, and behind it of what it is the number."""


def notation(sentence: str, meanings: Mapping[str, str], place: str = "") -> str:
    r"""Write the meaning of each symbol that a sentence uses and does not introduce; empty if there is none.

    `meanings`: by name, with ``[]`` after that of a list, ``#`` its index; that of words, and of the number of an
    equation, begins with a verb. `place`: the figure or section of a measurement; the first experiment of it is told.

    >>> notation(r"At most $2 B$ bytes wait in queue $i$ if $w_i > 1$.", {"B": "the buffer", "w[]": "the weight of #"})
    'Here $B$ is the buffer and $w_i$ the weight of $i$.'
    >>> notation("A buffer of $B$ bytes is full.", {"B": "the buffer"})
    ''
    >>> notation("Queue 2 is longer.", {"the experiment of Figure 3": "has two queues"}, "a paper, Figure 3")
    'Here the experiment of Figure 3 has two queues.'
    """
    known = {_key(name): text for name, text in meanings.items() if " " not in name}
    said = [f"${symbol}$ {text}" for symbol in unintroduced(sentence) if (text := _meaning(symbol, known))]
    here = f"Here {listed(said).replace('$ ', '$ is ', 1)}." if said else ""
    own = [name for name in meanings if (of := name.partition("the experiment of ")[2]) and _names_it(place, of)][:1]
    for name, text in meanings.items():
        if (" " in name or name.startswith("(")) and _names_it(" ".join([sentence, here, *own]), name):
            here += f" Here {name} {text}."
    return here.strip()


def _names_it(text: str, name: str) -> bool:
    return re.search(rf"{re.escape(name)}(?![.-]?\w)", text) is not None


def foreign(names: Iterable[str], sentence: str) -> list[str]:
    """Return the names, as in a glossary, of which a sentence has no symbol."""
    own = {key for symbol in symbols(sentence) for key in (_plain(symbol), f"{_plain(symbol).partition('_')[0]}_#")}
    return [name for name in names if _key(name) not in own]


def unintroduced(sentence: str) -> list[str]:
    """Return the symbols of a sentence that it does not introduce by a noun, as in "a rate $R$" or "$N$ ports"."""
    return [symbol for symbol in symbols(sentence) if not _introduces(sentence.split("$"), symbol)]


def symbols(sentence: str) -> list[str]:
    r"""Return the symbols in the formulas of a sentence, but for indices, in the order of the text."""
    formulas = sentence.replace(r"$\mu$s", "").split("$")[1::2]
    return list(dict.fromkeys(name for formula in formulas for name in _names(formula)))


def _names(formula: str) -> Iterable[str]:
    return [name for name in _SYMBOL.findall(_OMITTED.sub(" ", formula)) if name not in _INDICES]


def _introduces(parts: list[str], symbol: str) -> bool:
    for before, formula, after in zip(parts[0::2], parts[1::2], parts[2::2], strict=False):
        if symbol not in _names(formula):
            continue
        alone = re.fullmatch(re.escape(symbol) + r"(\^\S+)?(\(\w\))?(\s*(?:[=<>]|\\[gl]eq?)\s*(.+))?", formula)
        number = alone is not None and re.fullmatch(r"[\d./]*", alone[4] or "") is not None
        word, noun = re.search(r"([a-z]+) ?$", before.casefold()), re.match(r" ([a-z-]+)", after)
        named = word is not None and word[1] in _NOUNS.split()
        counted = noun is not None and noun[1] in _COUNTED.split() and (word is None or word[1] not in ("most", "than"))
        said = r"( is|,| has| be) (the|a|one)\b" if number else r" (is|be) (the|a|one)\b"
        return alone is not None and bool(named or re.match(said, after) or (number and counted))
    return False


def _meaning(symbol: str, known: Mapping[str, str]) -> str:
    base, _, index = _plain(symbol).partition("_")
    listed_meaning = known.get(f"{base}_#", "") if re.fullmatch("[a-z]", index) else ""
    return known.get(_plain(symbol)) or listed_meaning.replace("#", f"${index}$")


def _key(name: str) -> str:
    return _plain(symbol_of(name.removesuffix("[]"))) + "_#" * name.endswith("[]")


def _plain(symbol: str) -> str:
    return re.sub(r"\\(?:text|mathrm)|[{}\\ ]", "", symbol)
