"""Claims written from derived theorems, with the family, the certificate and the evidence."""

from __future__ import annotations

import glob
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from dtmodel.base.errors import InputError
from dtmodel.base.files import write_whole
from dtmodel.companion.derived_forms import DerivedForm
from dtmodel.companion.deriving import agrees_in_runs, checker, proved, said_by, words
from dtmodel.derive.theorem.certificate import stands_alone
from dtmodel.ledger.evidence import jsonable

if TYPE_CHECKING:
    from dtmodel.derive import DerivedTheorem

_ID = re.compile(r"[a-z][a-z0-9]*(\.[A-Za-z0-9_+-]+)+")


@dataclass(frozen=True)
class Place:
    """A claim to be written: its id, its folder, and the files that the folder has already."""

    claim: str
    folder: Path
    claims: str
    evidence: str

    @classmethod
    def of(cls, claim: object, folder: Path) -> Self:
        """Return the place of a new claim; `InputError` if the id has another form or is taken."""
        if not isinstance(claim, str) or not _ID.fullmatch(claim):
            accepted = "lower-case letters and digits, a dot and further parts, such as mine.staggered"
            raise InputError("id", claim, accepted)
        paths = (folder / name for name in ("claims.toml", "evidence.py"))
        claims, evidence = (path.read_text(encoding="utf-8") if path.exists() else "" for path in paths)
        if f'[claim."{claim}"]' in claims or [*folder.glob(f"{glob.escape(claim)}.*.json")]:
            raise InputError("id", claim, f"an id that no claim in {folder} has (nothing is overwritten)")
        return cls(claim, folder, claims, evidence)

    def caption(self, title: str) -> str:
        """Return a caption that no claim of the folder has: a title, with a number if claims have it already."""
        short = " ".join(title.split()[:11])
        taken = self.claims.count(f"caption = {_quoted(short)[:-1]}")
        return f"{short} ({taken + 1})" if taken else short

    def write(self, entry: Mapping[str, str], evidence: str, beside: Mapping[str, Any]) -> list[Path]:
        """Add a claim (`entry`), its evidence and the files ``ID.NAME.json`` of `beside`; return all files."""
        lines = [f"{key} = {_quoted(text)}" for key, text in entry.items()]
        claim = "\n".join(["", f'[claim."{self.claim}"]', *lines, ""])
        files = {self.folder / f"{self.claim}.{name}.json": json.dumps(data) + "\n" for name, data in beside.items()}
        files[self.folder / "evidence.py"] = self.evidence + evidence
        files[self.folder / "claims.toml"] = self.claims + claim
        for path, text in files.items():
            write_whole(path, text)
        return [*reversed(files)]

    def source(self, word: str, says: str, aim: str) -> str:
        """Return the source of evidence that calls a function of `dtmodel.companion`, with its imports."""
        imports = [f"from dtmodel.companion import {word}", "from dtmodel.ledger import Outcome, evidence"]
        missing = "".join(f"{line}\n" for line in imports if line not in self.evidence)
        name = re.sub(r"\W", "_", self.claim)
        while f"def {name}_is_checked" in self.evidence:
            name += "_too"
        head = "" if self.evidence else '"""The evidence for the claims beside this file."""\n\n'
        return _EVIDENCE.format(head=head, imports=missing, claim=self.claim, aim=aim, name=name, says=says, word=word)


def write_claim(theorem: DerivedTheorem, claim: object, folder: Path) -> list[Path]:
    """Write a complete theorem as a claim that holds, with all that proves it; return the files."""
    place = Place.of(claim, folder)
    if not theorem.complete:
        raise InputError("theorem", f"an incomplete one ({'; '.join(theorem.open)})", "a complete theorem")
    form = DerivedForm(theorem)
    text = form.text()
    said = said_by(theorem, words(text, theorem), form.cases)
    certificate = json.loads(json.dumps(theorem.certificate(said=said)))
    example = {name: str(value) for name, value in theorem.values(theorem.cases[0].example).items()}
    agrees_in_runs(text)
    try:
        proved(theorem, certificate, said, example, checker())
    except AssertionError as error:
        raise InputError("theorem", f"an unproved one ({error})", "a theorem that z3 and cvc5 decide") from error
    strength = "symbolic" if stands_alone(certificate) else "smt"
    entry = {
        "source": f"derived by dtmodel from {place.claim}.family.json",
        "kind": "theorem",
        "caption": place.caption(form.caption()),
        "verdict": "holds",
        "not_in_kernel": "derived: a checker of its own verifies the certificate beside this file.",
        "formal": text,
    }
    says = "Derive the theorem of the family again, compare the claim with it, and verify the certificate."
    evidence = place.source("derived_claim", says, f'form="printed", strength="{strength}"')
    family = {"family": jsonable(theorem.family.document), "cases": form.cases, "example": example}
    return place.write(entry, evidence, {"certificate": certificate, "family": family})


_EVIDENCE = '''{head}{imports}

@evidence("{claim}", {aim})
def {name}_is_checked() -> Outcome:
    """{says}"""
    return {word}("{claim}", __file__)
'''


def _quoted(text: str) -> str:
    """Write a text as a string of TOML."""
    if "\n" in text:
        return f"'''\n{text}'''"
    return f'"{text}"' if not {*text} & {'"', "\\"} else f"'''{text}'''"
