"""The manifest: what was reviewed of each claim, so that none is lost, reworded, weakened or moved without a word.

A line for each claim, in ``validation/manifest.txt`` of a collection::

    edt.eq10 | theorem | holds | kernel | 0a1b2c3d4e5f | theorem1 (printed, kernel); first_drop (printed, symbolic)

its id, kind, verdict, the strength that is declared for the deciding form, a hash of all that its statement says
(assumption, repair and executable forms with what they inherit included), and its evidence. Beside it stands the list
of the other files that were reviewed (`dtmodel.ledger.reviewed_files`).
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from dtmodel.errors import InputError
from dtmodel.files import write_whole
from dtmodel.ledger.claim import Claim, Problem, inherited
from dtmodel.ledger.collection import Collection, Root
from dtmodel.ledger.evidence import STRENGTHS, Evidence
from dtmodel.ledger.reviewed_files import changed, pin_files
from dtmodel.ledger.verdict import deciding_forms, strongest

__all__ = ["manifest_of", "pin"]

_TEXTS = (
    "source", "statement", "assumption", "repair", "corrected", "reason",
    "formal", "formal_assumption", "formal_repair",
)  # fmt: skip
_HEAD = """\
# What was reviewed of each claim: id | kind | verdict | strength | hash of its texts | evidence.
# Written by: dtmodel ledger pin
"""


@dataclass(frozen=True)
class Entry:
    """What was reviewed of a claim.

    `kind`, `verdict`: as the claim has them. `strength`: the strongest that its evidence declares for the form that
    decides; empty where nothing does. `words`: a hash of what it says. `evidence`: the names of its evidence, each with
    form and strength.
    """

    kind: str
    verdict: str
    strength: str
    words: str
    evidence: str


def entries(claims: Mapping[str, Claim], items: Iterable[Evidence], preludes: Mapping[str, str]) -> dict[str, Entry]:
    """Return what there is to review of each claim, given all its evidence."""
    aims: dict[str, list[tuple[str, str, str]]] = {name: [] for name in claims}
    for item in items:
        for aim in item.aims:
            for claim in aim.claims:
                if claim in aims:
                    aims[claim].append((item.name, aim.form, aim.strength))
    return {name: _entry(claim, aims[name], preludes) for name, claim in claims.items()}


def _entry(claim: Claim, aims: Sequence[tuple[str, str, str]], preludes: Mapping[str, str]) -> Entry:
    said = [getattr(claim, name) for name in _TEXTS]
    said[-3:] = [inherited(text, preludes) for text in said[-3:]]
    words = _digest(json.dumps(said).encode())
    strength = strongest([strength for _, form, strength in aims if form in deciding_forms(claim.verdict)])
    evidence = "; ".join(sorted(f"{name} ({form}, {strength})" for name, form, strength in aims))
    return Entry(claim.kind, claim.verdict, strength, words, evidence)


def manifest_of(root: Root) -> Path:
    """Return where the manifest of a collection stands, if it has one.

    Parameters
    ----------
    root : Root
        The collection's folder.

    Examples
    --------
    >>> manifest_of(Root.at(Path("mine"))).name
    'manifest.txt'
    """
    return root.path / "validation" / "manifest.txt" if root.layout else root.path / "manifest.txt"


def unreviewed(collection: Collection, items: Sequence[Evidence], selectors: Sequence[str]) -> Iterator[Problem]:
    """Yield how the selected claims differ from what was reviewed; without a manifest nothing was."""
    selected = collection.select(selectors)
    now = entries(selected, items, collection.preludes)
    for root in collection.roots:
        path = manifest_of(root)
        if not path.is_file():
            continue
        own = {name for name in selected if collection.homes[name] == root}
        yield from changed(root)
        reviewed = _read(path)
        for name in sorted(own - set(reviewed)):
            yield Problem(name, "it is not in the manifest: review it, then run dtmodel ledger pin")
        for name in sorted(own & set(reviewed)):
            yield from (Problem(name, message) for message in _changes(reviewed[name], now[name]))
        if not selectors:
            lost = sorted(set(reviewed) - set(collection.claims))
            yield from (Problem("", f"{name} was reviewed, and no file claims it: restore it, or pin") for name in lost)


def _changes(reviewed: Entry, now: Entry) -> Iterator[str]:
    names = [item.name for item in fields(Entry)]
    for name, old, new in zip(names, astuple(reviewed), astuple(now), strict=True):
        if name == "words" and old != new:
            yield "it says something else than was reviewed: review it, then run dtmodel ledger pin"
        elif name == "strength" and _weaker(new, old):
            yield f"its strength was {old}, now it is {new or 'none'}: restore the evidence, or pin"
        elif name != "strength" and old != new:
            yield f"its {name} was {old!r} when it was reviewed, now {new!r}: review it, then run dtmodel ledger pin"


def _weaker(new: str, old: str) -> bool:
    order = [*STRENGTHS, ""]
    return order.index(new) > order.index(old) if old in order else True


def pin(collection: Collection, root: Root) -> int:
    """Write the manifest of one of a collection's roots, and return how many claims it has.

    Parameters
    ----------
    collection : Collection
        All claims, with their evidence.
    root : Root
        Whose claims are written down, as they are now.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from dtmodel.ledger import collect
    >>> from dtmodel.papers import new_claims
    >>> root = Root.at(new_claims(mkdtemp())[0].parent)
    >>> pin(collect([root]), root)
    2
    """
    items, _ = collection.evidence()
    own = {name: claim for name, claim in collection.claims.items() if collection.homes[name] == root}
    known = entries(own, items, collection.preludes)
    lines = [" | ".join((name, *astuple(known[name]))).rstrip() for name in sorted(known)]
    write_whole(manifest_of(root), _HEAD + "\n".join(lines) + "\n")
    pin_files(root)
    return len(lines)


def _digest(said: bytes) -> str:
    return hashlib.sha256(said).hexdigest()[:12]


def _read(path: Path) -> dict[str, Entry]:
    """Read the line of each claim."""
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("#") or not line:
            continue
        parts = [part.strip() for part in line.split("|")]
        if len(parts) != len(fields(Entry)) + 1:
            raise InputError(f"{path.name}:{number}", line, "id | kind | verdict | strength | hash | evidence")
        found[parts[0]] = Entry(*parts[1:])
    return found
