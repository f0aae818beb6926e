"""The report of a run as a JSON document: claims with the evidence behind their verdicts, and a summary."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from dtmodel.base.errors import InputError, LedgerError
from dtmodel.ledger.claim import RELATION_OF, THEOREMS, VERDICTS, Claim
from dtmodel.ledger.collection import Collection, Root
from dtmodel.ledger.evidence import STRENGTHS, Conflict, Skipped, outcome_document
from dtmodel.ledger.runner import ClaimResult, LedgerRun, Ran, opponents
from dtmodel.ledger.verdict import NOT_RUN, UNDECIDED

SCHEMA = "dtmodel-ledger-report/1"

Uses = tuple[Mapping[str, Sequence[str]], Mapping[str, Sequence[str]]]
"""For each theorem the theorems that its proof uses; for each theorem the definitions in its statement."""

_TEXTS = ("assumption", "repair", "corrected", "tied_to", "reason", "note", "not_in_kernel")


def report_document(
    done: LedgerRun,
    collection: Collection,
    *,
    version: str,
    engines: Mapping[str, str],
    pins: Mapping[str, str],
    uses: Uses = ({}, {}),
) -> dict[str, Any]:
    """Write a run as JSON; raise `InputError` with the claim's field if an executable statement cannot be read."""
    claims = with_blueprint([claim_document(result, collection) for result in done.results], uses)
    return {
        "schema": SCHEMA,
        "version": version,
        "selectors": list(done.selectors),
        "as_recorded": done.as_recorded,
        "engines": dict(engines),
        "seconds": round(done.seconds, 3),
        "summary": summary(claims),
        "problems": [str(problem) for problem in done.problems],
        "skipped": _skipped(done.results),
        "pins": dict(pins),
        "claims": claims,
    }


def read_report(path: Path, field: str) -> dict[str, Any]:
    """Read a report written as JSON; raise `InputError` with `field` if it cannot be read or is not a report."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(field, str(path), f"a readable report ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise InputError(field, str(path), f"a JSON report of dtmodel verify ({error})") from error
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise InputError(field, str(path), f"a JSON report of dtmodel verify (schema {SCHEMA})")
    return document


def claim_document(result: ClaimResult, collection: Collection) -> dict[str, Any]:
    """Write one claim with its verdict, faults and evidence as a JSON object."""
    claim, judged = result.claim, result.judgement
    return {
        **{name: getattr(claim, name) for name in ("id", "paper", "source", "kind", "caption")},
        "statement": collection.statement(claim),
        "verdict": judged.verdict,
        "recorded": claim.verdict,
        "as_recorded": result.as_recorded,
        "strength": judged.strength,
        "relation": _is_of_a_relation(result),
        "relation_of": RELATION_OF.get(claim.relation, ""),
        "rests_on": list(judged.rests_on),
        "fallback_from": judged.fallback,
        "reproduced": list(judged.reproduced),
        "missed": list(judged.missed),
        **{name: getattr(claim, name) for name in (*_TEXTS, "file", "line")},
        "faults": list(result.faults),
        "skipped": list(judged.skipped),
        "evidence": [_evidence_document(item, claim, collection.roots) for item in result.ran],
        "executable": claim.executable,
        "folded": claim.background and result.as_recorded,
        "figures": figures(claim.id, collection.roots),
        "uses": [name for name in claim.named if name in collection.claims],
        "coq": sorted({name for item in result.ran for name in _theorems(item)}),
    }


def _is_of_a_relation(result: ClaimResult) -> bool:
    """True if the deciding evidence covers no trajectory: only negations, or a relation according to the claim."""
    judged = result.judgement
    if judged.strength in ("smt", "symbolic") or result.claim.relation:
        return bool(result.claim.relation)
    deciding = [item for item in result.ran if judged.strength == "kernel" and item.evidence.name in judged.rests_on]
    return bool(deciding) and all(item.negation for item in deciding)


def with_blueprint(claims: Sequence[dict[str, Any]], uses: Uses) -> list[dict[str, Any]]:
    """Add to each claim its effective strength and the theorems and definitions that its theorems use."""
    theorems, definitions = uses
    weakest = effective(claims)
    below = {
        name: {"theorem": name, "theorems": list(used), "definitions": list(definitions.get(name, ()))}
        for name, used in theorems.items()
    }
    return [
        claim | {
            "effective": weakest[claim["id"]],
            "rests_below": [below[name] for name in claim["coq"] if name in below],
        }
        for claim in claims
    ]  # fmt: skip


def effective(claims: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the weakest strength among each claim and those that correct it or that its words name, and so on."""
    strengths = {claim["id"]: claim["strength"] for claim in claims}
    below = {claim["id"]: strengths.keys() & {claim["corrected"], *claim["uses"]} for claim in claims}
    found: dict[str, str] = {}
    try:
        for name in TopologicalSorter(below).static_order():
            found[name] = max([strengths[name], *(found[other] for other in below[name])], key=[*STRENGTHS, ""].index)
    except CycleError as error:
        raise LedgerError(f"{', '.join(error.args[1])} rest on each other: break the circle") from error
    return found


def without_certificates(report: Mapping[str, Any]) -> dict[str, Any]:
    """Return the report with each certificate reduced to its kind; `dtmodel.ledger.certificates` exports them whole."""

    def slim(item: Mapping[str, Any]) -> dict[str, Any]:
        outcome = item["outcome"]
        if not outcome or "certificate" not in outcome:
            return dict(item)
        kept = {key: value for key, value in outcome["certificate"].items() if key in ("kind", "theorems")}
        return {**item, "outcome": {**outcome, "certificate": kept}}

    claims = [{**claim, "evidence": [slim(item) for item in claim["evidence"]]} for claim in report["claims"]]
    return {**report, "claims": claims}


def summary(claims: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Count the claims of each document by verdict and by strength, its theorems, executable claims and folded ones."""
    papers: dict[str, list[Mapping[str, Any]]] = {}
    for claim in claims:
        papers.setdefault(str(claim["paper"]), []).append(claim)
    return {paper: _summary(items) for paper, items in papers.items()}


def _summary(claims: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    items = [claim for claim in claims if not claim.get("folded")]
    proofs = [proof for item in items for proof in item.get("evidence", ())]
    verdicts = Counter(item["verdict"] for item in items)
    return {
        "claims": len(items),
        "folded": len(claims) - len(items),
        "as_recorded": sum(bool(item["as_recorded"]) for item in items),
        "verdicts": {name: verdicts[name] for name in (*VERDICTS, NOT_RUN, UNDECIDED) if name in verdicts},
        "strengths": _counted(items, "strength"),
        "theorems": _theorems_that_hold(items),
        "executable": _counted(items, "executable"),
        "kernel_forms": _counted(proofs, "kernel_form"),
    }


def _counted(items: Iterable[Mapping[str, Any]], key: str) -> dict[str, int]:
    return dict(Counter(item[key] for item in items if item.get(key)))


def _theorems_that_hold(claims: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    true = ("holds", "holds-under-assumption")
    hold = [claim["strength"] for claim in claims if claim["kind"] in THEOREMS and claim["verdict"] in true]
    return {"hold": len(hold), "kernel": hold.count("kernel")}


def figures(claim: str, roots: Sequence[Root]) -> list[str]:
    """Return the figure scripts that mention a claim, or draw the figure that its id names."""
    paper, *parts = claim.split(".")
    own = {f"{paper}.fig{found[1]}" for part in parts if (found := re.match(r"fig(\d+)", part))}
    return [name for root in roots for name, words in _scripts(root.path) if claim in words or own & words]


@cache
def _scripts(root: Path) -> list[tuple[str, frozenset[str]]]:
    found = []
    for path in sorted(root.glob("validation/*/figures/fig*.py")):
        said = re.findall(r"(?<![\w.])[a-z][\w.@+-]*", path.read_text(encoding="utf-8", errors="replace"))
        words = {".".join(word.split(".")[:parts]) for word in said for parts in range(1, word.count(".") + 2)}
        words.add(re.sub(r"fig0*(\d+).*", rf"{path.parent.parent.name}.fig\1", path.stem))
        found.append((path.relative_to(root).as_posix(), frozenset(words)))
    return found


def _evidence_document(item: Ran, claim: Claim, roots: Sequence[Root]) -> dict[str, Any]:
    aims = [aim for aim in item.evidence.aims if claim.id in aim.claims]
    path = Path(item.evidence.file)
    root = next((root.path for root in roots if path.is_relative_to(root.path)), path.parent)
    document: dict[str, Any] = {
        "function": item.evidence.name,
        "file": path.relative_to(root).as_posix(),
        "line": item.evidence.line,
        "form": ", ".join(aim.form for aim in aims),
        "strength": aims[0].strength,
        "summary": item.evidence.summary,
        "outcome": outcome_document(item.outcome) if item.outcome else None,
        "fault": item.fault,
        "seconds": round(item.seconds, 3),
        "cached": item.cached,
    }
    if isinstance(item.outcome, Conflict):
        document["outcome"]["claim"] = ", ".join(opponents(item.evidence, item.outcome, claim.id))
    certificate = getattr(item.outcome, "certificate", None) or {}
    if certificate.get("kind") == "coq" and certificate.get("form"):
        document["kernel_form"] = certificate["form"]
    if item.replay:
        document["replayed"] = dict(item.replay.answer)
    if item.negation and not item.negation.skipped:
        document["negation"] = item.negation.proposition
    return document


def _theorems(item: Ran) -> list[str]:
    certificate = getattr(item.outcome, "certificate", None) or {}
    return list(certificate["theorems"]) if certificate.get("kind") == "coq" else []


def _skipped(results: Iterable[ClaimResult]) -> list[dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for result in results:
        for item in result.ran:
            unasked = item.negation.skipped if item.negation else ""
            reason = item.outcome.reason if isinstance(item.outcome, Skipped) else unasked
            if reason:
                entry = found.setdefault(
                    item.evidence.key, {"evidence": item.evidence.name, "reason": reason, "claims": []}
                )
                entry["claims"].append(result.claim.id)
    return list(found.values())
