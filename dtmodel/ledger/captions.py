"""Rules for the words of claims: captions promise nothing, and sentences can be read without another claim.

A claim with a form has a caption, a noun phrase of at most twelve words; the text that is written from the form is its
statement. A claim without a form keeps a sentence.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

_LONGEST = 12
_RELATIVE = ["that", "which", "who", "whose", "what", "why", "how", "where", "while", "as", "before", "after"]
"""Words after which a caption may have a finite verb: it belongs to a clause and not to the phrase."""
_WORDS = {
    "verb": (
        "is are was were has have had does do did will would may might should becomes remains stays equals exceeds "
        "implies suffices depends holds grows falls loses keeps gives takes gets makes fills follows begins lasts"
    ),
    "quantifier": (
        "every all any always never no none only each exactly if iff when whenever unless until must can cannot exists "
        "exist whatever however everywhere nowhere"
    ),
    "comparative": (
        "more less fewer larger smaller greater bigger higher lower faster slower quicker better worse longer shorter "
        "earlier later sooner harder easier fairer stronger weaker nearer further than"
    ),
    "pronoun": "it its they them their this that these those he she his her we our you your such",
}
_SYMBOL = re.compile(r"\\?[A-Za-z]+(_(\w|\{\w+\}))?")
_ID = re.compile(r"\b[a-z][a-z0-9]*(\.[A-Za-z0-9_+-]+)+")
_PRONOUNS = re.compile(
    r"(Its?|They|Their|This|That|These|Those|Such|The same|So|Then|Therefore|Thus|Hence|Meanwhile|Here|Also"
    r"|(?:In|By|At|Of|With|Under|For|On) (?:the same(?!-)|this|these|such)|[\w ]*? of (?:this|these))\b"
)


def caption_fault(caption: str) -> str:
    """Return the first fault of a caption; empty if it has none.

    >>> caption_fault("Theorem 1, corrected: first loss of one burst")
    ''
    >>> caption_fault("Port k loses bytes"), caption_fault("Loss of every burst")
    ("it has the verb 'loses'", "it has the quantifier 'every'")
    """
    words = re.findall(r"[a-z]+", " ".join(caption.split("$")[::2]).casefold())
    head = words[: next((place for place, word in enumerate(words) if word in _RELATIVE), len(words))]
    formulas = caption.split("$")[1::2]
    if len(caption.split()) > _LONGEST:
        return f"it has {len(caption.split())} words, and at most {_LONGEST} are read at a glance"
    if named := _ID.search(caption):
        return f"it names the claim {named[0]}"
    if len(formulas) > 1 or not all(map(_SYMBOL.fullmatch, formulas)) or re.search(r"[=<>≤≥]", caption):
        return "it has a formula beyond one symbol"
    if re.search(r"\bat (least|most)\b", caption.casefold()):
        return "it has the quantifier 'at least' or 'at most'"
    for kind, among in (("verb", head), ("quantifier", words), ("comparative", words), ("pronoun", words[:1])):
        if found := [word for word in among if word in _WORDS[kind].split()]:
            return f"it has the {kind} {found[0]!r}"
    return ""


def sentence_fault(sentence: str) -> str:
    """Return the fault of a sentence that begins with a word for something before it; empty if it has none.

    >>> sentence_fault("It falls with n."), sentence_fault("The threshold falls with n.")
    ("it begins with 'It', a word for something before it", '')
    """
    found = _PRONOUNS.match(sentence)
    return f"it begins with {found[0]!r}, a word for something before it" if found else ""


def fault_of(item: Mapping[str, str]) -> str:
    """Return the fault of the caption or the sentence in the table of a claim; empty if it has none."""
    if item.get("formal"):
        fault = caption_fault(item.get("caption", ""))
        return f"caption {item['caption']!r}: {fault}: write a noun phrase that promises nothing" if fault else ""
    if item.get("caption"):
        return "a caption stands over a form: write one, 'formal', or remove the caption"
    fault = sentence_fault(item.get("statement", ""))
    return f"statement: {fault}: write what it speaks of" if fault else ""


def twice(captions: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str]]:
    """Yield a claim and another one with the same caption, given id, document and caption of claims.

    >>> list(twice([("a.b", "a", "Loss"), ("a.c", "a", "Loss"), ("b.b", "b", "Loss"), ("a.d", "a", "")]))
    [('a.c', 'a.b')]
    """
    known: dict[tuple[str, str], str] = {}
    for claim, paper, caption in captions:
        if caption and known.setdefault((paper, caption.casefold()), claim) != claim:
            yield claim, known[paper, caption.casefold()]
