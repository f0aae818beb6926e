"""Settings of statements on a page: sentences that several statements of a document share are printed once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from dtmodel.ledger.teller import PARAGRAPH

_END = re.compile(r"(?<=\.) (?=(?:A|An|In|From|For|Let|Here|The|EDT's|L2BM's)\b)")


def shared(statements: Iterable[str]) -> dict[str, int]:
    r"""Number the sentences that the settings of at least two statements share.

    >>> shared(["Let $x > 0$. Let $y = x$.\n\nThen $y > 0$.", "Let $x > 0$. Let $y = 2 x$.\n\nThen $y > x$."])
    {'Let $x > 0$.': 1}
    """
    counts = Counter(sentence for each in statements for sentence in _setting(each)[0])
    return {sentence: number for number, sentence in enumerate((s for s, n in counts.items() if n > 1), 1)}


def without(statement: str, known: Mapping[str, int]) -> tuple[list[int], str]:
    r"""Return the numbers of the shared sentences of a statement, and the rest of it.

    >>> without("Let $x > 0$. Let $y = x$.\n\nThen $y > 0$.", {"Let $x > 0$.": 1})
    ([1], 'Let $y = x$.\n\nThen $y > 0$.')
    """
    sentences, rest = _setting(statement)
    own = " ".join(each for each in sentences if each not in known)
    return [known[each] for each in sentences if each in known], f"{own}{rest}".strip()


def _setting(statement: str) -> tuple[list[str], str]:
    """Return the sentences of a setting that no assumption or repair alters, and the rest of the statement."""
    setting, paragraph, claim = statement.rpartition(PARAGRAPH)
    certain = re.split(r"\[[+~]", setting)[0]
    sentences = _END.split(certain) if certain else []
    whole = len(sentences) - (certain != setting and not certain.rstrip().endswith("."))
    kept = sentences[:whole]
    return kept, f"{setting[len(' '.join(kept)) :]}{paragraph}{claim}"
