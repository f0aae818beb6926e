"""The manifest: the reviewed state of each claim, so that no claim is lost, reworded, weakened or moved unnoticed.

Each claim has a line in ``validation/manifest.txt`` of a collection::

    edt.eq10 | theorem | holds | kernel | 0a1b2c3d4e5f | theorem1 (printed, kernel); first_drop (printed, symbolic)

The strength is the one declared for the deciding form; the hash covers the statement (the text that is written from the
form), the other texts, and the forms with their preludes, so that bounds of a search are reviewed, too.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from dtmodel.base.errors import LedgerError
from dtmodel.base.files import write_whole
from dtmodel.ledger.claim import Claim, Problem, inherited
from dtmodel.ledger.collection import Collection, Root
from dtmodel.ledger.evidence import STRENGTHS, Evidence
from dtmodel.ledger.reviewed_files import changed, list_of, pin_files, rows
from dtmodel.ledger.verdict import deciding_forms, strongest

_TEXTS = ("source", "caption", "assumption", "repair", "corrected", "reason")
_FORMS = ("formal", "formal_assumption", "formal_repair")
_Aim = tuple[str, str, str]
_HEAD = """\
# What was reviewed of each claim: id | kind | verdict | strength | hash of its texts | evidence.
# Written by: dtmodel ledger pin
"""


@dataclass(frozen=True)
class Entry:
    """The reviewed state of a claim, as in its line of the manifest; `words` is the hash of its texts."""

    kind: str
    verdict: str
    strength: str
    words: str
    evidence: str


def _aims(items: Iterable[Evidence]) -> dict[str, list[_Aim]]:
    found: dict[str, list[_Aim]] = {}
    for item in items:
        for aim in item.aims:
            for claim in aim.claims:
                found.setdefault(claim, []).append((item.name, aim.form, aim.strength))
    return found


def _entry(claim: Claim, aims: Sequence[_Aim], collection: Collection) -> Entry:
    said = [collection.statement(claim), *(getattr(claim, name) for name in _TEXTS)]
    said += [inherited(getattr(claim, name), collection.preludes) for name in _FORMS]
    words = hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]
    strength = strongest([strength for _, form, strength in aims if form in deciding_forms(claim.verdict)])
    evidence = "; ".join(sorted(f"{name} ({form}, {strength})" for name, form, strength in aims))
    return Entry(claim.kind, claim.verdict, strength, words, evidence)


def manifest_of(root: Root) -> Path:
    """Return the path of the manifest of the collection at `root`, or the path where `pin` writes it."""
    places = [root.path / "validation" / "manifest.txt", root.path / "manifest.txt"]
    there = [place for place in places if os.path.lexists(place)]
    return there[0] if there else places[0 if root.layout else 1]


def verdicts(path: Path) -> dict[str, str]:
    """Return the reviewed verdict of each claim, from the manifest at `path` alone."""
    return {claim: entry.verdict for claim, entry in _read(path).items()}


def unreviewed(collection: Collection, selectors: Sequence[str]) -> Iterator[Problem]:
    """Yield the differences of claims from the manifest, if any; of unselected claims only missing and new ones."""
    selected = collection.select(selectors)
    aims = _aims(collection.evidence()[0])
    for root in collection.roots:
        if not os.path.lexists(path := manifest_of(root)):
            if list_of(root).exists():
                yield Problem("", f"{path.name} is not there, and {list_of(root).name} is: restore it, or pin")
            continue
        yield from changed(root)
        reviewed = _read(path)
        own = {name: claim for name, claim in collection.claims.items() if collection.homes[name] == root}
        for name in sorted(own.keys() - reviewed):
            yield Problem(name, "it is not in the manifest: review it, then run dtmodel ledger pin")
        for name in sorted(own.keys() & reviewed):
            now = aims.get(name, [])
            if name in selected:
                entry = _entry(own[name], now, collection)
                yield from (Problem(name, message) for message in _changes(reviewed[name], entry))
            elif lost := _names(reviewed[name].evidence) - {name for name, _, _ in now}:
                yield Problem(name, f"evidence was reviewed and is lost: {', '.join(sorted(lost))}: restore it, or pin")
        for name in sorted(reviewed.keys() - own):
            yield Problem("", f"{name} was reviewed, and no file claims it: restore it, or pin")


def _names(evidence: str) -> set[str]:
    return {item.rpartition(" (")[0] for item in evidence.split("; ") if item}


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
    """Write the manifest of one `root` of a `collection`, and return the number of its claims.

    Raises `LedgerError`, and writes nothing, if a file or a piece of evidence of the collection has a fault.
    """
    items, problems = collection.evidence()
    if wrong := [*collection.problems, *problems]:
        raise LedgerError(f"{wrong[0]} (a collection with a fault is not pinned)")
    aims = _aims(items)
    own = {name: claim for name, claim in collection.claims.items() if collection.homes[name] == root}
    known = {name: _entry(claim, aims.get(name, []), collection) for name, claim in own.items()}
    lines = [" | ".join((name, *astuple(known[name]))).rstrip() for name in sorted(known)]
    write_whole(manifest_of(root), _HEAD + "\n".join(lines) + "\n")
    pin_files(root)
    return len(lines)


def _read(path: Path) -> dict[str, Entry]:
    found = rows("manifest", path, "id | kind | verdict | strength | hash | evidence")
    return {name: Entry(*cells) for name, cells in found.items()}
