"""The meaning of symbols in sentences of claims without a form, which stands behind the sentence."""

import re
from collections.abc import Iterable, Mapping

from dtmodel.base.mathtext import symbol_of
from dtmodel.ledger.joins import listed

_OMITTED = re.compile(
    r"\\(?:text|mathrm|operatorname|mathit)\{[^{}]*\}|\^(?:\{[A-Za-z]+\}|[A-Za-z]\b)|\\mu\s*(?=\\text)|\\(?!(?:alpha|beta|gamma"
    r"|delta|tau|lambda|mu|rho|sigma|theta|epsilon|varepsilon|eta|phi)(?![A-Za-z]))[A-Za-z]+|\bO(?=\()"
)
_SYMBOL = re.compile(r"(?:\\[A-Za-z]+|(?<![A-Za-z\\])[A-Za-z]+)(?:_(?:\{[^{}]*\}|\w))?")
_MICROSECONDS = r"$\mu$s"
_INDICES = ("i", "j", "k", "t", r"\varepsilon")
"""Indices, times and small numbers, which need no meaning."""
_NOUNS = (
    "rate rates services threshold thresholds reserve slope weight weights size queue time times difference "
    "differences length lengths arrivals number mean deviation duration packet window speedup factor"
)
"""Words before a formula that say of what it is the symbol."""
_COUNTED = "bytes packets queues ports steady services lines constant bursts"
"""Words behind a formula that say of what it is the number."""


def notation(sentence: str, meanings: Mapping[str, str]) -> str:
    r"""Write the meaning of each symbol that a sentence uses and does not introduce; empty if there is none.

    `meanings`: by name, with ``[]`` after that of a list, ``#`` its index; that of words begins with a verb.

    >>> notation(r"At most $2 B$ bytes wait in queue $i$ if $w_i > 1$.", {"B": "the buffer", "w[]": "the weight of #"})
    'Here $B$ is the buffer and $w_i$ the weight of $i$.'
    >>> notation("A buffer of $B$ bytes is full.", {"B": "the buffer"})
    ''
    """
    known = {_key(name): text for name, text in meanings.items() if " " not in name}
    said = [f"${symbol}$ {text}" for symbol in unintroduced(sentence) if (text := _meaning(symbol, known))]
    here = f"Here {listed(said).replace('$ ', '$ is ', 1)}." if said else ""
    for name, text in meanings.items():
        here += f" Here {name} {text}." if " " in name and name in sentence + here else ""
    return here.strip()


def foreign(names: Iterable[str], sentence: str) -> list[str]:
    """Return the names, as in a glossary, of which a sentence has no symbol."""
    own = {key for symbol in symbols(sentence) for key in (_plain(symbol), f"{_plain(symbol).partition('_')[0]}_#")}
    return [name for name in names if _key(name) not in own]


def unintroduced(sentence: str) -> list[str]:
    """Return the symbols of a sentence that it does not introduce by a noun, as in "a rate $R$" or "$N$ ports"."""
    return [symbol for symbol in symbols(sentence) if not _introduces(sentence.split("$"), symbol)]


def symbols(sentence: str) -> list[str]:
    r"""Return the symbols in the formulas of a sentence, but for indices, in the order of the text.

    >>> symbols(r"A rate $R_i \leq C$ of $\alpha$, for $25\,\mu\text{s}$ and $\max\{q, 2\}$")
    ['R_i', 'C', '\\alpha', 'q']
    """
    formulas = sentence.replace(_MICROSECONDS, "").split("$")[1::2]
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
        return alone is not None and bool(
            named or re.match(r"( is|,| has) (the|a|one)\b", after) or (number and noun and noun[1] in _COUNTED.split())
        )
    return False


def _meaning(symbol: str, known: Mapping[str, str]) -> str:
    base, _, index = _plain(symbol).partition("_")
    listed_meaning = known.get(f"{base}_#", "") if re.fullmatch("[a-z]", index) else ""
    return known.get(_plain(symbol)) or listed_meaning.replace("#", f"${index}$")


def _key(name: str) -> str:
    return _plain(symbol_of(name.removesuffix("[]"))) + "_#" * name.endswith("[]")


def _plain(symbol: str) -> str:
    return re.sub(r"\\(?:text|mathrm)|[{}\\ ]", "", symbol)
