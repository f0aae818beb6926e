"""The report of a run; its expensive parts are cached, keyed by their content and by the code that makes them."""

import json
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache as once
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

from dtmodel.base.mathtext import html_of
from dtmodel.base.version import __version__
from dtmodel.companion.answer_cache import AnswerCache
from dtmodel.companion.engines import engine_versions, pins, theorem_statements, theorem_uses
from dtmodel.companion.running import REPLAYERS, run_selected
from dtmodel.companion.witness_svg import fluid_svg
from dtmodel.companion.words import vocabulary
from dtmodel.ledger import Claim, Collection
from dtmodel.ledger.cache import Cache
from dtmodel.ledger.claim import inherited
from dtmodel.ledger.index import Index
from dtmodel.ledger.replay import Replayer
from dtmodel.ledger.report import report_document
from dtmodel.ledger.statement import statement_of, unsaid_of
from dtmodel.policies import own_names

_Thing = TypeVar("_Thing")


@dataclass(frozen=True)
class ReportMaker:
    """Formulas, drawings, statements and answers of the engines, cached in `index` by `code`, a digest of this code."""

    index: Index
    code: Callable[[], str]

    @classmethod
    def of(cls, collection: Collection) -> Self:
        """Return the cache in the index of a collection."""
        package = Path(__file__).resolve().parents[1]
        cache = Cache(collection.index.store, {"dtmodel": package}, index=collection.index)
        return cls(collection.index, once(partial(cache.code, Path(__file__).resolve(), collection.roots[0])))

    def maths(self, text: str) -> str:
        """Write a text with mathematics as HTML."""
        return self._once("maths", text, lambda: html_of(text))

    def drawing(self, scenario: Mapping[str, Any]) -> str:
        """Draw the witness of a fluid claim as HTML."""
        return self._once("drawings", json.dumps(scenario), lambda: fluid_svg(scenario))

    def statement(self, claim: Claim, preludes: Mapping[str, str]) -> str:
        """Write the statement of a claim from its forms; `InputError` if its executable form cannot be parsed."""
        texts = [inherited(text, preludes) for text in (claim.formal, claim.formal_assumption, claim.formal_repair)]
        about = (
            claim.id,
            claim.verdict,
            claim.caption,
            claim.tied_to,
            claim.symbols,
            preludes.get(f"{claim.paper}.symbols"),
        )
        said = json.dumps([*about, claim.statement, *texts])
        return self._once("statements", said, lambda: statement_of(claim, preludes, vocabulary))

    def unsaid(self, claim: Claim, preludes: Mapping[str, str]) -> list[str]:
        """Return the parts of a claim's forms that its statement does not depend on."""
        texts = [inherited(text, preludes) for text in (claim.formal, claim.formal_assumption, claim.formal_repair)]
        return self._once("unsaid", json.dumps(texts), lambda: unsaid_of(claim, preludes, vocabulary))

    @property
    def replayers(self) -> dict[str, Replayer]:
        """The replayers of witnesses by kind; each answer is cached."""
        if self.index.store.folder:
            self.code()  # a source that cannot be read is not a fault of the witness that would read it first
        return {kind: partial(self._answer, kind) for kind in REPLAYERS}

    def _answer(self, kind: str, data: Mapping[str, Any]) -> Mapping[str, Any]:
        policy = data.get("policy", own_names()[0])
        name = policy.get("name") if isinstance(policy, Mapping) else policy
        if name not in own_names():  # the digest does not cover the code of a plugin
            return REPLAYERS[kind](data)
        return self._once("replays", f"{kind} {json.dumps(data)}", lambda: REPLAYERS[kind](data))

    def report(self, collection: Collection, selectors: Sequence[str], **options: Any) -> dict[str, Any]:
        """Run the selected evidence with the `options` of `run_selected`; return the report with certificates."""
        collection = replace(collection, tell=self.statement)
        done = run_selected(collection, selectors, known=self.replayers, unsaid=self.unsaid, **options)
        return report_document(
            done, collection, version=__version__, engines=engine_versions(), pins=pins(),
            uses=theorem_uses(),
        )  # fmt: skip

    def _once(self, kind: str, content: str, make: Callable[[], _Thing]) -> _Thing:
        code = self.code() if self.index.store.folder else ""
        made: _Thing = self.index.of(kind, f"{code}\n{content}".encode(), lambda _: make())
        return made


def with_statements(collection: Collection) -> Collection:
    """Return the collection with statements in the phrases of the vocabulary."""
    return replace(collection, tell=ReportMaker.of(collection).statement)


def cache_claims(report: Mapping[str, Any], kept: AnswerCache, names: Container[str]) -> list[dict[str, Any]]:
    """Cache the named claims that are as recorded, with Coq statements; the report must contain all they depend on."""
    statements = theorem_statements()
    shown = [
        claim | {"coq_statements": {name: statements.get(name, "") for name in claim["coq"]}}
        for claim in report["claims"] if claim["id"] in names
    ]  # fmt: skip
    kept.put("claims", {claim["id"]: claim for claim in shown if claim["as_recorded"] and not claim["skipped"]})
    return shown
