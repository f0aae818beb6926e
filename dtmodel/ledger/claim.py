"""Claims: a statement of a document, its place in the document, and the verdict on record."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from functools import cache
from html import escape
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.base.mathtext import (
    array_of,
    badge_of,
    block_of,
    html_of,
    latex_of,
    latex_words,
    paragraphs_of,
    text_of,
)
from dtmodel.ledger.captions import fault_of
from dtmodel.ledger.refuted_at import RefutedAt, read_refuted_at

KINDS = (
    "definition", "equation", "theorem", "proof-step", "algorithm", "remark", "number", "measurement", "figure",
    "setting", "drawing", "table", "footnote", "slide", "ours",
)  # fmt: skip
THEOREMS = ("theorem", "proof-step", "ours")
"""The kinds that need a proof in Coq: a claim that holds without one has a reason (`not_in_kernel`)."""
UNIVERSAL = ("definition", "equation", "theorem", "proof-step", "algorithm", "remark", "ours")
"""The kinds that speak of all cases: a true claim is executable, or has a reason (`not_executable`)."""
NOT_EXECUTABLE = {
    "existence": "it says that something is possible; its evidence shows an instance",
    "explored": "it is about every reachable state of small systems; its evidence explores them",
    "engine": "the language has no word for its engine (pools, pauses, schedulers, circuits, or several switches)",
    "senders": "it is about senders that react to losses or marks; its evidence has their model",
    "numbers": "it compares numbers that are quoted or printed, which its evidence computes",
    "words": "it is about wording, names or lines of the text",
}
"""Reasons for which a true claim is not executable."""
RELATION_OF = {
    "phase": "lengths, rates and times of one phase; runs of the engines show that the phase occurs",
    "event": "one event; a run of events is left to runs of the engines",
    "state": "a given state; runs of the engines show that it is reached",
    "written": "a model that the proof writes out itself; no engine runs it",
}
"""The part of a claim about runs that is proved, if the proof is of a relation and has no model in it."""
FORMS = ("printed", "assumed", "repaired", "corrected", "negation")
"""The forms of a claim that evidence can aim at; a proof of the last refutes the first."""
VERDICTS = (
    "holds", "holds-under-assumption", "misprint", "refuted", "inconsistent", "depends-on-reading", "not-reproduced",
    "not-checkable",
)  # fmt: skip
DECIDED_BY_SAMPLES = {
    "measurement": ("proved", "agrees", "repeated"),
    "figure": ("repeated",),
    "table": ("repeated",),
}
"""The outcomes that may be sampled, by the kind of claim that they decide: other kinds speak of all cases."""

_KINDS_OF_PLACES = {
    "eq": "equation", "alg": "algorithm", "fig": "figure", "tab": "table", "table": "table", "fn": "footnote",
    "slides": "slide", "ours": "ours",
}  # fmt: skip
_ID = re.compile(r"[a-z][a-z0-9]*(\.[A-Za-z0-9_+-]+)+(@[A-Za-z0-9_.+-]+)?")
_MANDATORY = ("source", "verdict")
_WORDS = ("shows", "follows", "apart")
_CHOICES = {
    "kind": KINDS, "verdict": VERDICTS, "not_executable": ("", *NOT_EXECUTABLE), "relation": ("", *RELATION_OF),
}  # fmt: skip
_NEEDED = {"holds-under-assumption": "assumption", "misprint": "repair", "not-checkable": "reason"}


@dataclass(frozen=True)
class Kernel:
    """Theorems of a proof assistant that together prove one form of a claim.

    - `theorems`: their names.
    - `form`: one of `FORMS`.
    - `example` (mapping or str): an instance in which the hypotheses of all hold, or the name of a theorem that gives
      one; by default the theorem with the name of the last one and the ending ``_instance``, ``_exists`` or the like.
    - `shows`: the content of the theorems, in words.
    - `follows`: the tactics by which the executable form follows from them; the default ones if empty.
    - `apart`: the reason if an arithmetic form does not follow: the part of the form that the theorems leave out.
    - `says`: the executable form with its preludes; it is filled in from the claim.

    >>> Kernel(("threshold_falls",), shows="T falls with n").form
    'printed'
    """

    theorems: tuple[str, ...]
    form: str = "printed"
    example: Mapping[str, Any] | str | None = None
    shows: str = ""
    follows: str = ""
    apart: str = ""
    says: str = ""


@dataclass(frozen=True)
class Claim:
    r"""One checkable statement of a document, in our own words and mathematics.

    - `id`: the document and the place in it: ``"edt.eq10"``; a reading of an ambiguous text is ``"edt.fig15@literal"``.
    - `source`: document, section, and equation, figure, table or line.
    - `kind`: one of `KINDS`; samples decide those in `DECIDED_BY_SAMPLES` alone. The default is derived from the id.
    - `statement`: the statement of a claim without a form, with its mathematics as LaTeX between dollar signs; a claim
      with one has the text that `dtmodel.ledger.statement` writes from it (`Collection.statement`).
    - `verdict`: the verdict on record, one of `VERDICTS`; the computed one is compared with it.
    - `caption`: the title of a claim with a form: a noun phrase that promises nothing (`dtmodel.ledger.captions`).
    - `assumption`, `repair`, `corrected`, `reason`, `note`, `not_in_kernel`: the text that the verdict needs: the
      assumption that the document omits, the misprint mended, the id of the corrected statement, the reason why nothing
      can decide it, a note for readers, the reason for a missing Coq proof.
    - `tied_to`: for a form without a run, the claim whose form runs what it computes, see `dtmodel.ledger.ties`.
    - `symbols`: the meaning of its own symbols: ``"d: a duration; w[]: the weight of queue #"``.
    - `formal`, `formal_assumption`, `formal_repair`, `formal_witness`: the statement in the language of
      `dtmodel.ledger.formal`; the lines that the assumption adds; the misprint mended; values at which the printed form
      fails, as ``"x = 1; d = [1, 2]"``.
    - `not_executable`, `relation`: the reason for a missing executable statement, one of `NOT_EXECUTABLE`; for a claim
      about runs whose proof has no model, the subject of the proof, one of `RELATION_OF`.
    - `kernel` (tuple of Kernel): the theorems that prove it: ``kernel = [{ theorems = ["name"], shows = "the bound"
      }]``.
    - `refuted` (tuple of RefutedAt): numbers at which it is false.
    - `file`, `line` (str, int): the place where the claim is written.

    >>> Claim("edt.eq1", "DT/EDT paper, equation (1)", "definition", "$T = \\alpha F$", "holds").paper
    'edt'
    """

    id: str
    source: str
    kind: str
    statement: str
    verdict: str
    caption: str = ""
    assumption: str = ""
    repair: str = ""
    corrected: str = ""
    tied_to: str = ""
    symbols: str = ""
    reason: str = ""
    note: str = ""
    not_in_kernel: str = ""
    formal: str = ""
    formal_assumption: str = ""
    formal_repair: str = ""
    formal_witness: str = ""
    not_executable: str = ""
    relation: str = ""
    kernel: tuple[Kernel, ...] = ()
    refuted: tuple[RefutedAt, ...] = ()
    file: str = ""
    line: int = 0

    @property
    def paper(self) -> str:
        """The document of the claim: the first part of its id."""
        return self.id.split(".", 1)[0]

    @property
    def background(self) -> bool:
        """True for a setting, a drawing, or a fact from elsewhere that no evidence contradicts or could decide.

        >>> Claim("l2bm.fig2", "Figure 2", "drawing", "Two queues.", "not-checkable", reason="no numbers").background
        True
        """
        if self.kind in ("setting", "drawing"):
            return self.verdict in ("holds", "not-checkable")
        return self.verdict == "not-checkable" and self.kind not in ("measurement", "figure", "table", "slide")

    @property
    def title(self) -> str:
        """The caption, or the sentence of a claim without a form."""
        return self.caption or self.statement

    @property
    def executable(self) -> str:
        """The word "yes" if a true universal claim is executable, else the reason or "not yet"; empty for others."""
        if self.kind not in UNIVERSAL or self.verdict not in ("holds", "holds-under-assumption", "misprint"):
            return ""
        return "yes" if self.formal else self.not_executable or "not yet"

    @property
    def named(self) -> tuple[str, ...]:
        """The words of its texts (statement, assumption, repair, reason) that may be the id of another claim.

        >>> Claim("edt.b", "own", "ours", "$x > 0$ where edt.a.one holds.", "holds").named
        ('edt.a.one',)
        """
        said = f"{self.statement} {self.assumption} {self.repair} {self.reason}"
        return tuple(sorted({match[0].rstrip(".") for match in _ID.finditer(said)} - {self.id}))

    def _parts(self) -> list[tuple[str, str]]:
        named = ("assumption", "repair", "corrected", "reason", "note")
        return [(name, getattr(self, name)) for name in named if getattr(self, name)]

    def __str__(self) -> str:
        parts = [f"{name}: {text_of(text)}" for name, text in self._parts()]
        return "\n".join([f"{self.id}: {self.verdict}", text_of(self.source), text_of(self.title), *parts])

    def _repr_html_(self) -> str:
        head = f"<strong><code>{escape(self.id)}</code></strong> {badge_of(self.verdict)}"
        said = f"<p>{html_of(self.title, display=True)}</p>"
        return block_of(f"<p>{head}<br/><em>{html_of(self.source)}</em></p>", said, paragraphs_of(self._parts()))

    def _repr_latex_(self) -> str:
        lines = [rf"\textbf{{{latex_words(f'{self.id}: {self.verdict}')}}}", latex_of(self.title)]
        lines += [rf"\quad {latex_of(f'{name}: {text}')}" for name, text in self._parts()]
        return f"$${array_of(lines)}$$"


@dataclass(frozen=True)
class Problem:
    """A fault of the ledger, in one claim or (if `claim` is empty) in none; `message` also says how to mend it.

    >>> print(Problem("own.eq1", "no evidence is for it: write some"))
    own.eq1: no evidence is for it: write some
    """

    claim: str
    message: str

    def __str__(self) -> str:
        return f"{self.claim}: {self.message}" if self.claim else self.message


def selects(selector: object, claim_id: str) -> bool:
    """Return true if a selector is the id of a claim, or a prefix of it that ends at a dot or a reading mark."""
    if not isinstance(selector, str):
        return False
    if selector.endswith((".", "@")):
        return claim_id.startswith(selector)
    return claim_id == selector or claim_id.startswith((selector + ".", selector + "@"))


def kind_of(claim_id: str) -> str:
    """Return the kind of a claim from its id; ``"remark"`` if the id names no equation, theorem, figure or the like."""
    place, *below = claim_id.partition("@")[0].split(".")[1:]
    word = re.split(r"[^a-z]", place)[0]
    if word == "thm":
        return "proof-step" if below else "theorem"
    return _KINDS_OF_PLACES.get(word, "remark")


def read_claims(document: Mapping[str, Any], text: str, shown: str) -> tuple[list[Claim], list[Problem]]:
    """Read the tables ``[claim."ID"]`` of a TOML document and its text; `shown` is the name of the file in messages."""
    tables = document.get("claim", {})
    if not _are_tables(tables):
        return [], [Problem("", f'{shown}: write each claim as a table [claim."edt.eq10"], its id between quotes')]
    claims: list[Claim] = []
    problems = [Problem("", f"{shown}: {odd}") for odd in document.get("", ())]
    for (name, item), line in zip(tables.items(), _lines_of_claims(text, len(tables)), strict=True):
        faults = _faults(name, item, f"{shown}:{line}")
        problems += faults
        if not any(fault.claim == "" for fault in faults):
            kernel = tuple(Kernel(**entry | {"theorems": tuple(entry["theorems"])}) for entry in item.get("kernel", []))
            texts = {"kind": kind_of(name), "statement": ""} | {key: str(item[key]) for key in _texts() if key in item}
            refuted = read_refuted_at(item.get("refuted", []))
            claims.append(Claim(name, **texts, kernel=kernel, refuted=refuted, file=shown, line=line))
    return claims, problems


def read_preludes(document: Mapping[str, Any], shown: str) -> tuple[dict[str, str], list[Problem]]:
    """Read the tables ``[prelude."NAME"]``: lines that ``use NAME`` adds to a statement, or a glossary's symbols."""
    tables = document.get("prelude", {})
    if not _are_tables(tables):
        return {}, [Problem("", f'{shown}: write each prelude as a table [prelude."edt.one"], its name between quotes')]
    key = {name: "symbols" if name.endswith(".symbols") else "formal" for name in tables}
    wrong = [name for name, item in tables.items() if {*item} != {key[name]} or not isinstance(item[key[name]], str)]
    told = [Problem("", f"{shown}: prelude {name}: write one text, {key[name]}, and no other key") for name in wrong]
    return {name: item[key[name]] for name, item in tables.items() if name not in wrong}, told


def odd_tables(document: Mapping[str, Any]) -> list[str]:
    """Return the faults of a TOML document that would hide claims: misspelt tables, others beside claims, or no table.

    >>> odd_tables({"claims": {"a.b": {"source": "page 1"}}})
    ["the table 'claims' is unknown (did you mean 'claim'?): mend its name, or put it into another file"]
    >>> odd_tables({"project": {"name": "own"}}), odd_tables({"claim": {}, "project": {}})
    ([], ["the table 'project' is unknown beside claims: mend its name, or put it into another file"])
    """
    known = ("claim", "prelude")
    if not document:
        return ["it is empty: restore its claims, or remove it"]
    beside = " beside claims" if any(name in document for name in known) else ""
    found = {name: value for name, value in document.items() if name not in known}
    whys = {
        name: (_meant(name, known) if isinstance(value, Mapping | list) else "")
        or beside
        or (", but has a claim" if _has_claim(value) else "")
        for name, value in found.items()
    }
    end = "mend its name, or put it into another file"
    return [f"the table {name!r} is unknown{why}: {end}" for name, why in whys.items() if why]


def _has_claim(value: object) -> bool:
    """Return true if a value is or contains a claim: a table with two of the keys that each claim has."""
    if isinstance(value, list):
        return any(map(_has_claim, value))
    if not isinstance(value, Mapping):
        return False
    return sum(bool(get_close_matches(key, value, 1, 0.8)) for key in _MANDATORY) > 1 or any(
        map(_has_claim, value.values())
    )


def _meant(word: str, known: Sequence[str]) -> str:
    near = get_close_matches(word.casefold(), known, 1, 0.7)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _are_tables(found: object) -> bool:
    return isinstance(found, Mapping) and all(isinstance(item, Mapping) for item in found.values())


def text_of_form(claim: Claim, form: str) -> str:
    """Return the executable text of one form of a claim, with its lines ``use NAME``; empty if it has none."""
    if form == "assumed":
        return f"{claim.formal.rstrip()}\n{claim.formal_assumption}" if claim.formal_assumption else ""
    return {"printed": claim.formal, "repaired": claim.formal_repair}.get(form, "")


def expanded(text: str, preludes: Mapping[str, str]) -> str:
    """Replace the lines ``use NAME`` by the preludes; raise `InputError` if one is missing or uses itself."""
    lines = []
    for line in text.splitlines():
        match = re.match(r"\s*use\s+([\w.@+-]+?)\s*(?:;\s*(.*))?$", line)
        if match is None:
            lines.append(line)
            continue
        if match[1] not in preludes:
            raise InputError("use", match[1], f"a prelude: {', '.join(sorted(preludes)) or 'none is there'}")
        others = {name: other for name, other in preludes.items() if name != match[1]}
        lines += [expanded(preludes[match[1]], others).strip(), *([match[2]] if match[2] else [])]
    return "\n".join(lines)


def inherited(text: str, preludes: Mapping[str, str]) -> str:
    """Replace the lines ``use NAME``, or return the text unchanged if a prelude is wrong (reported elsewhere)."""
    try:
        return expanded(text, preludes)
    except InputError:
        return text


@cache
def _texts() -> tuple[str, ...]:
    return tuple(field.name for field in fields(Claim) if field.type is str and field.name not in ("id", "file"))


def _lines_of_claims(text: str, count: int) -> list[int]:
    lines = [number for number, line in enumerate(text.split("\n"), 1) if line.lstrip().startswith("[claim.")]
    return lines if len(lines) == count else [1] * count


def _faults(claim_id: str, item: Mapping[str, Any], where: str) -> list[Problem]:
    """Return the faults of one table; a fault without a claim's id means that no claim can be made of the table."""
    if not _ID.fullmatch(claim_id):
        how = """write an id such as 'edt.eq10' or 'edt.fig15@literal', between quotes: [claim."edt.eq10"]"""
        return [Problem("", f"{where}: id {claim_id!r}: {how}")]
    texts = {key: value for key, value in item.items() if key not in ("kernel", "refuted")}
    broken = [key for key, value in texts.items() if key not in _texts() or not isinstance(value, str)]
    needed = "caption" if item.get("formal") else "statement"
    missing = [key for key in (*_MANDATORY, needed) if not item.get(key)]
    if broken or missing:
        known = (*_texts(), "kernel", "refuted")
        said = [f"key {key!r} is unknown or not a string{_meant(key, known)}" for key in broken]
        said += [f"{key!r} is missing" for key in missing]
        keys = ", ".join(known)
        return [Problem("", f"{where}, claim {claim_id}: {'; '.join(said)}: keys are {keys}")]
    if not _is_kernel(item.get("kernel", [])):
        said_how = 'kernel = [{ theorems = ["name"], form = "printed", example = "name", shows = "the bound" }]'
        return [Problem("", f"{where}, claim {claim_id}: kernel: write {said_how}; the forms are {', '.join(FORMS)}")]
    try:
        read_refuted_at(item.get("refuted", []))
    except InputError as error:
        return [Problem("", f"{where}, claim {claim_id}: {error}")]
    faults = [
        f"{key} {item[key]!r}: use one of {', '.join(filter(None, words))}"
        for key, words in _CHOICES.items() if item.get(key, words[0]) not in words
    ]  # fmt: skip
    if item.get("formal") and item.get("statement"):
        faults.append(f"its form is its statement: remove the sentence, 'statement' ({where})")
    if fault := fault_of(item):
        faults.append(fault)
    needed = _NEEDED.get(item["verdict"], "")
    if needed and not item.get(needed, "").strip():
        faults.append(f"the verdict {item['verdict']} is recorded without {needed!r}: add it to the claim ({where})")
    faults += [
        f"{key!r} has an odd number of dollar signs: close its mathematics ({where})"
        for key in ("caption", "statement", "assumption", "repair", "reason", "note", "not_in_kernel")
        if item.get(key, "").count("$") % 2
    ]
    return [Problem(claim_id, message) for message in faults]


def _is_kernel(value: object) -> bool:

    def right(entry: object) -> bool:
        if not isinstance(entry, dict) or not set(entry) <= {field.name for field in fields(Kernel)} - {"says"}:
            return False
        theorems, example = entry.get("theorems"), entry.get("example", "")
        names = isinstance(theorems, list) and bool(theorems) and all(isinstance(name, str) for name in theorems)
        values = [example] if isinstance(example, str) else [*example.values()] if isinstance(example, dict) else [None]
        texts = all(isinstance(text, str) for text in [*values, *(entry.get(key, "") for key in _WORDS)])
        return names and texts and entry.get("form", "printed") in FORMS

    return isinstance(value, list) and all(right(entry) for entry in value)
