"""Small collections of claims and evidence, written to a folder and run."""

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dtmodel.companion.roots import load
from dtmodel.companion.words import vocabulary
from dtmodel.ledger import Collection, Root, collect
from dtmodel.ledger.hunting import Target, targets
from dtmodel.ledger.runner import ClaimResult, LedgerRun, Options, run_claims
from dtmodel.ledger.statement import statement_of

HEADER = """
from dtmodel.ledger import Agrees, Conflict, Counterexample, Proved, Repeated, Skipped, Witness, evidence

FALSE = Witness("values", {"values": {"x": "3"}, "hypotheses": ["x > 0"], "statement": "x < 2"}, says="x may be 3")
EXAMPLE = {"x": "1"}
"""
PROVED = "return Proved('by algebra', EXAMPLE)"
FALSE = "return Counterexample(FALSE, 'three')"
"""What evidence may end with."""

papers: Callable[[], Collection] = cache(load)
"""The papers' claims, collected once for all tests of a process; they only look at them."""


@cache
def told(claim: str) -> str:
    """Write the statement of one of the papers' claims, once for all tests of a process."""
    return statement_of(papers().claims[claim], papers().preludes, vocabulary)


@cache
def paper_forms() -> tuple[Target, ...]:
    """Read every executable form of the papers' claims, once for all tests of a process."""
    return tuple(targets(papers().claims.values(), papers().preludes))


def double(data: Mapping[str, Any]) -> dict[str, Any]:
    """Answer with the double: an engine for witnesses of kind "double"."""
    return {"double": str(2 * int(data["x"])), "list": [{"x": data["x"], "more": 1}]}


def claim(name: str = "edt.eq1", verdict: str = "holds", **more: str) -> str:
    """Write one claim; with a form it has a caption in place of a sentence."""
    said = {"caption": f"Bound {re.sub('[^A-Za-z0-9]', ' ', name)}"} if "formal" in more else {"statement": "$x < 2$"}
    fields = {"source": "a paper, equation (1)", "kind": "equation", **said, "verdict": verdict}
    return f"[claim.'{name}']\n" + "".join(f"{key} = '{value}'\n" for key, value in (fields | more).items())


def evidence(body: str, *claims: str, form: str = "printed", strength: str = "symbolic", name: str = "first") -> str:
    """Write one evidence function; `body` is its last statement."""
    names = ", ".join(repr(item) for item in claims or ("edt.eq1",))
    decorator = f"@evidence({names}, form={form!r}, strength={strength!r})"
    return f'\n{decorator}\ndef {name}():\n    """Look at x."""\n{textwrap.indent(body, "    ")}\n'


def root(folder: Path, claims: Sequence[str], pieces: Sequence[str]) -> Root:
    """Write a collection."""
    (folder / "validation" / "edt").mkdir(parents=True, exist_ok=True)
    (folder / "proofs" / "edt").mkdir(parents=True, exist_ok=True)
    (folder / "validation" / "edt" / "claims.toml").write_text("\n".join(claims), encoding="utf-8")
    if pieces:
        (folder / "proofs" / "edt" / "proofs.py").write_text(HEADER + "".join(pieces), encoding="utf-8")
    return Root.at(folder)


def verify(
    folder: Path, claims: Sequence[str], pieces: Sequence[str], selectors: Sequence[str] = (), **options: Any
) -> LedgerRun:
    """Write a collection and run it."""
    collection = collect([root(folder, claims, pieces)])
    return run_claims(collection, selectors, replayers={"double": double}, options=Options(**options))


def one(folder: Path, claims: Sequence[str] | str, pieces: Sequence[str] | str, **options: Any) -> ClaimResult:
    """Write a collection, run it and return the result of its first claim."""
    claims = [claims] if isinstance(claims, str) else claims
    pieces = [pieces] if isinstance(pieces, str) else pieces
    done = verify(folder, claims, pieces, **options)
    return done.results[0]


CLAIMS = [claim(), claim("edt.eq2", "refuted"), claim("edt.eq3", kind="theorem")]


def pieces_of_each_kind(proved: str = PROVED) -> list[str]:
    """Write what proves, refutes and skips the three of `CLAIMS`."""
    skipped = evidence("return Skipped('no Coq')", "edt.eq3", strength="kernel", name="third")
    return [evidence(proved), evidence(FALSE, "edt.eq2", name="second"), skipped]
