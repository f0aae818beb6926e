"""Hunting over the papers' claims: which forms there are, and what an attack on each finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING

from dtmodel import units
from dtmodel.errors import InputError
from dtmodel.extras import need
from dtmodel.ledger.hunting import Found, Target, hunt_target, seconds_for, targets

if TYPE_CHECKING:
    from dtmodel.ledger import Collection


def quarry(collection: Collection, selectors: Sequence[str]) -> list[Target]:
    """Return the executable forms of the selected claims; refuse where there is none."""
    chosen = list(targets(collection.select(selectors).values(), collection.preludes))
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
    """Yield what is found of each form; `seconds` are for all together, and hold where there are no `cases`."""
    need("joblib")
    from joblib import delayed

    from dtmodel.children import in_workers

    jobs = units.count(jobs, "jobs", least=1)
    each: Iterable[float | None]
    if cases is None:
        each = seconds_for(chosen, float(units.seconds(seconds, "seconds", positive=True)), jobs)
    else:
        each, cases = repeat(None, len(chosen)), units.count(cases, "cases", least=1)
    tasks = (delayed(_one)(target, share, cases, seed, hypotheses) for target, share in zip(chosen, each, strict=True))
    yield from in_workers(jobs, tasks, return_as="generator")


def _one(target: Target, seconds: float | None, cases: int | None, seed: int, hypotheses: bool) -> Found:
    from dtmodel.vocabulary import VOCABULARY

    return hunt_target(target, VOCABULARY, seconds=seconds, cases=cases, seed=seed, hypotheses=hypotheses)
