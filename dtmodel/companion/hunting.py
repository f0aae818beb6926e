"""The search for counterexamples to the executable statements of the papers' claims."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.base.extras import need
from dtmodel.ledger.claim import Claim, read_claims, read_preludes
from dtmodel.ledger.evidence import check, registered
from dtmodel.ledger.hunting import Alterations, Found, Target, alter_target, hunt_target, seconds_for, targets

if TYPE_CHECKING:
    from dtmodel.ledger import Collection
    from dtmodel.ledger.contradictions import Contradiction, Crossing

_LEAST = 2
"""The least number of instances that satisfy the hypotheses, so that the conclusion is tested."""


def quarry(collection: Collection, selectors: Sequence[str]) -> list[Target]:
    """Return the executable statements of the selected claims; `InputError` if there are none."""
    from dtmodel.companion.words import vocabulary

    chosen = list(targets(collection.select(selectors).values(), collection.preludes, vocabulary))
    if not chosen:
        raise InputError("selector", " ".join(selectors), "claims with an executable statement")
    return chosen


def hunted(
    chosen: Sequence[Target],
    seconds: float = 60.0,
    cases: int | None = None,
    seed: int = 0,
    hypotheses: bool = False,
    jobs: int = 1,
) -> Iterator[Found]:
    """Search each statement for a counterexample: `cases` instances for each, or `seconds` for all together."""
    yield from _in_workers(_hunted, chosen, seconds, cases, jobs, seed=seed, hypotheses=hypotheses)


def altered(
    chosen: Sequence[Target], seconds: float = 60.0, cases: int | None = None, seed: int = 0, jobs: int = 1
) -> Iterator[Alterations]:
    """Yield for each true statement the parts of its conclusion that no instance tests."""
    yield from _in_workers(_altered, [item for item in chosen if item.recorded], seconds, cases, jobs, seed=seed)


def crossed(chosen: Sequence[Target], report: Mapping[str, Any], crossing: Crossing) -> Iterator[Contradiction]:
    """Evaluate every true statement at the witnesses of all claims and of a report; count the tests in `crossing`."""
    from dtmodel.companion.words import vocabulary
    from dtmodel.companion.words.instances import witnesses
    from dtmodel.ledger.contradictions import contradictions, own_witnesses

    listed = [*own_witnesses(chosen), *witnesses(report)]
    crossing.witnesses = len(listed)
    yield from contradictions(
        chosen, listed, vocabulary(*(target.formal for target in chosen)), draws=3, crossing=crossing
    )


def _in_workers(
    work: Callable[..., Any], chosen: Sequence[Target], seconds: float, cases: int | None, jobs: int, **options: Any
) -> Iterator[Any]:
    need("joblib")
    from joblib import delayed

    from dtmodel.base.workers import in_workers

    jobs = units.count(jobs, "jobs", least=1)
    each: Iterable[float | None]
    if cases is None:
        each = seconds_for(chosen, float(units.seconds(seconds, "seconds", positive=True)), jobs)
    else:
        each, cases = repeat(None, len(chosen)), units.count(cases, "cases", least=1)
    tasks = (delayed(work)(one, seconds=share, cases=cases, **options) for one, share in zip(chosen, each, strict=True))
    yield from in_workers(jobs, tasks, return_as="generator")


def agree_in_runs(module: Mapping[str, Any], name: str, cases: int = 16) -> int:
    """Test the statements behind the evidence `name` of a module at random instances, of which two must fit."""
    from dtmodel.companion.words import vocabulary

    (piece,) = (piece for piece in registered(module) if piece.name == name)
    known, preludes = list[Claim](), dict[str, str]()
    for path in sorted(Path(module["__file__"]).parent.glob("*.toml")):
        text = path.read_text(encoding="utf-8")
        document = tomllib.loads(text)
        known += read_claims(document, text, path.name)[0]
        preludes |= read_preludes(document, path.name)[0]
    aimed = {(name, aim.form) for aim in piece.aims for name in aim.claims}
    forms = targets([claim for claim in known if claim.id in {name for name, _ in aimed}], preludes, vocabulary)
    found = [_hunted(each, cases=cases) for each in forms if (each.claim, each.form) in aimed]
    for each in found:
        name, tried = each.target.claim, each.attack.tried
        check(
            not each.fault and tried >= _LEAST,
            each.fault or f"{name}: hypotheses true in {tried} of {cases}",
        )
    check(len(found) == len(aimed), f"expected {len(aimed)} statements, found {len(found)}")
    return sum(each.attack.tried for each in found)


def _hunted(target: Target, **options: Any) -> Found:
    from dtmodel.companion.words import vocabulary

    return hunt_target(target, vocabulary(target.formal), **options)


def _altered(target: Target, **options: Any) -> Alterations:
    from dtmodel.companion.words import vocabulary

    return alter_target(target, vocabulary(target.formal), **options)
