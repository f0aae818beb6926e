"""Claims written from derived theorems, with the family, the certificate and the evidence."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtmodel.base.errors import InputError
from dtmodel.base.files import write_whole
from dtmodel.companion.derived_forms import DerivedForm, DerivedSentence
from dtmodel.companion.deriving import agrees_in_runs, checker, proved, said_by, words
from dtmodel.derive.theorem.certificate import stands_alone

if TYPE_CHECKING:
    from dtmodel.derive import DerivedTheorem

_ID = re.compile(r"[a-z][a-z0-9]*(\.[A-Za-z0-9_+-]+)+")


def write_claim(theorem: DerivedTheorem, claim: object, folder: Path) -> list[Path]:
    """Write a complete theorem as a claim that holds, with all that proves it; return the files.

    A claim is added to ``claims.toml``, and its evidence to ``evidence.py``; family and certificate are new files.
    """
    if not isinstance(claim, str) or not _ID.fullmatch(claim):
        raise InputError("id", claim, "lower-case letters and digits, a dot and further parts, such as mine.staggered")
    if not theorem.complete:
        raise InputError("theorem", f"an incomplete one ({'; '.join(theorem.open)})", "a complete theorem")
    files = {name: folder / name for name in ("claims.toml", "evidence.py")}
    known = {name: path.read_text(encoding="utf-8") if path.exists() else "" for name, path in files.items()}
    beside = {kind: folder / f"{claim}.{kind}.json" for kind in ("family", "certificate")}
    if f'[claim."{claim}"]' in known["claims.toml"] or any(path.exists() for path in beside.values()):
        raise InputError("id", claim, f"an id that no claim in {folder} has (nothing is overwritten)")
    form = DerivedForm(theorem)
    text = form.text()
    said = said_by(theorem, words(text, theorem), form.cases)
    certificate = json.loads(json.dumps(theorem.certificate(said=said)))
    example = {name: str(value) for name, value in theorem.values(theorem.cases[0].example).items()}
    agrees_in_runs(text)
    proved(theorem, certificate, said, example, checker())
    strength = "symbolic" if stands_alone(certificate) else "smt"
    family = {"family": _plain(theorem.family.document), "cases": form.cases, "example": example}
    written = _CLAIM.format(claim=claim, statement=DerivedSentence(theorem).text(), formal=text)
    write_whole(beside["family"], json.dumps(family, indent=1) + "\n")
    write_whole(beside["certificate"], json.dumps(certificate) + "\n")
    write_whole(files["evidence.py"], known["evidence.py"] + _evidence(claim, strength, known["evidence.py"]))
    write_whole(files["claims.toml"], known["claims.toml"] + written)
    return [*files.values(), *beside.values()]


_CLAIM = """
[claim."{claim}"]
source = "derived by dtmodel from {claim}.family.json"
kind = "theorem"
statement = '''{statement}'''
verdict = "holds"
not_in_kernel = "derived: the certificate beside this file, which a checker of its own verifies, proves the cases."
formal = '''
{formal}'''
"""
_IMPORTS = '''"""The evidence for the claims beside this file."""

from dtmodel.companion import derived_claim
from dtmodel.ledger import Outcome, evidence
'''
_EVIDENCE = '''

@evidence("{claim}", form="printed", strength="{strength}")
def {name}_is_derived() -> Outcome:
    """Derive the theorem of the family again, compare the claim with it, and verify the certificate."""
    return derived_claim("{claim}", __file__)
'''


def _evidence(claim: str, strength: str, known: str) -> str:
    """Return the source of the evidence, with its imports if the file does not have them."""
    imports = "" if "import derived_claim" in known else _IMPORTS if not known else "\n" + _IMPORTS.partition("\n\n")[2]
    return imports + _EVIDENCE.format(claim=claim, strength=strength, name=re.sub(r"\W", "_", claim))


def _plain(value: Any) -> Any:
    """Return a family's document as JSON; exact numbers become texts."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, str | int | bool) else str(value)
