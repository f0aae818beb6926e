"""The installed engines, and the pinned statements and hashes of the Coq development."""

import hashlib


def engine_versions() -> dict[str, str]:
    """Return the version of each engine that is installed."""
    from dtmodel.ledger.cache import library_versions as libraries
    from dtmodel.ledger.provers import coq

    found = coq.version()
    return libraries() | ({"coq": found} if found else {})


def pins() -> dict[str, str]:
    """Return the hashes of the Coq lock file and of each pinned theorem, by name."""
    from dtmodel.companion.roots import papers_root
    from dtmodel.ledger.provers import coq_pins

    where = papers_root() / "proofs" / "coq"
    lock = where / coq_pins.LOCK
    own = {lock.name: hashlib.sha256(lock.read_bytes()).hexdigest()} if lock.is_file() else {}
    return own | coq_pins.read_pins(where).hashes()


def theorem_statements() -> dict[str, str]:
    """Return the pinned Coq statement of each theorem, with its file."""
    from dtmodel.companion.roots import papers_root
    from dtmodel.ledger.provers import coq_pins

    theorems = coq_pins.read_pins(papers_root() / "proofs" / "coq").theorems
    return {name: f"in proofs/coq/{pin.module}.v\n{pin.statement}" for name, pin in theorems.items()}


def theorem_uses() -> tuple[dict[str, list[str]], dict[str, tuple[str, ...]]]:
    """Return the theorems in the proof of each theorem, and the definitions in its statement; empty if Coq fails."""
    from dtmodel.base.errors import ProverError
    from dtmodel.companion.roots import papers_root
    from dtmodel.ledger import EngineMissing
    from dtmodel.ledger.provers import coq, coq_pins, coq_theorems

    where = papers_root() / "proofs" / "coq"
    if coq.unavailable() or not coq.is_built(where):
        return {}, {}
    try:
        pinned = {name: pin.statement for name, pin in coq_pins.read_pins(where).theorems.items()}
        read = coq_pins.readings(where, pinned)
        return coq_theorems.dependencies(where), {name: reading.uses for name, reading in read.items()}
    except (EngineMissing, ProverError):
        return {}, {}
