"""A ranking of texts by the words of a query: term frequencies (Okapi BM25) of word stems, with synonyms."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from math import log

_STOP = """
    a an and any are as at be but by can do does for from had has have how i if in into is it its me my no not of on or
    s so some than that the their them then there these this to under was we what when where which who why will with
    would you your
"""
"""Words that occur in every text."""
_COMMON = frozenset(_STOP.split())
_ENDINGS = re.compile(
    r"(?<=...)(?:at(?:ions?|es?|ed|ing)|ions?|ness|ments?|ings?|edly|ed|ies|ers?|ably|able|ly|es|(?<![su])s|y)$"
)
_SYNONYMS = (
    "drop loss lose lost discard", "fair unfair equal even", "delay latency sojourn wait", "burst incast",
    "misprint typo error mistake bug", "refuted false wrong counterexample disproved", "picture plot figure draw",
    "proof prove proved coq", "parameter setting configure choose", "buffer memory", "starve starvation exhaust",
    "synchronised together", "staggered different later", "throughput utilisation",
)  # fmt: skip
"""Words of one meaning in this field; a synonym counts half."""
_SHORT = {"thm": "theorem", "eq": "equation", "fig": "figure", "alg": "algorithm", "tab": "table", "fn": "footnote"}
"""The words behind the abbreviations in ids of claims."""
_SATURATION, _LENGTH = 1.2, 0.4
"""The constants k1 and b of BM25."""


@cache
def stem(word: str) -> str:
    """Return a word without its ending, so that forms of one word are equal."""
    short = _ENDINGS.sub("", word)
    if len(short) > 3 and short != word and short[-1] == short[-2] and short[-1] not in "ls":
        short = short[:-1]
    return short.rstrip("e") if len(short) > 3 else short


def terms(text: str) -> list[str]:
    """Return the stems of the words of a text, without the most common words; numbers stand alone."""
    latin = "".join(f" {unicodedata.name(c).split()[-1].lower()} " if "α" <= c <= "ω" else c for c in text.lower())
    return [stem(_SHORT.get(word, word)) for word in re.findall(r"[^\W\d_]+|\d+", latin) if word not in _COMMON]


@cache
def _synonyms() -> Mapping[str, frozenset[str]]:
    groups = [frozenset(terms(group)) for group in _SYNONYMS]
    return {word: group - {word} for group in groups for word in group}


def _weighted(query: str, known: Mapping[str, int]) -> Iterator[dict[str, float]]:
    """Yield for each word of a query the known stems that match it, or are spelt nearly so, with their weights."""
    for word in dict.fromkeys(terms(query)):
        near = [] if word in known or len(word) < 4 else get_close_matches(word, known, 2, 0.8)
        other = dict.fromkeys((*_synonyms().get(word, ()), *near), 0.5)
        yield {name: weight for name, weight in ({word: 1.0} | other).items() if name in known}


def ranked(query: str, counts: Sequence[Counter[str]]) -> list[tuple[float, int]]:
    """Return scores (BM25 times the fraction of words found) and indices of the texts that match, best first."""
    holding = Counter(word for count in counts for word in count)
    mean = sum(count.total() for count in counts) / max(1, len(counts))
    asked = list(_weighted(query, holding))
    scores = []
    for index, count in enumerate(counts):
        long = _SATURATION * (1 - _LENGTH + _LENGTH * count.total() / mean)
        best = [
            max((weight * log(1 + len(counts) / holding[word]) * count[word] * (1 + _SATURATION) / (count[word] + long)
                 for word, weight in words.items() if word in count), default=0.0)
            for words in asked
        ]  # fmt: skip
        if any(best):
            scores.append((sum(best) * sum(map(bool, best)) / len(best), index))
    return sorted(scores, key=lambda pair: (-pair[0], pair[1]))


def counted(parts: Sequence[str]) -> Counter[str]:
    """Return the frequencies of the stems in parts with falling weights 3, 2, 1: a title, a source and a body."""
    count = Counter[str]()
    for weight, part in zip((3, 2, 1), parts, strict=False):
        for word in terms(part):
            count[word] += weight
    return count
