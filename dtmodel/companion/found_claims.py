"""Claims from an instance that `hunt` found, or from a point of a sweep, with evidence that computes them again."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtmodel.base.documents import table
from dtmodel.base.errors import InputError, LedgerError, one_of
from dtmodel.companion.claiming import Place
from dtmodel.companion.roots import load
from dtmodel.companion.words import vocabulary
from dtmodel.ledger.claim import read_claims
from dtmodel.ledger.evidence import Agrees, Counterexample, check, jsonable, refuted_by_values
from dtmodel.ledger.formal import Instance
from dtmodel.ledger.hunting import Target, recorded_witness, targets
from dtmodel.ledger.values import read_values
from dtmodel.studies.sweeps.axes import exactly

if TYPE_CHECKING:
    from dtmodel.ledger import Claim
    from dtmodel.studies.sweeps.plan import Plan


def write_found(
    found: object, claim: object, folder: Path, at: Mapping[str, Any] | None, folders: Sequence[str | Path]
) -> list[Path]:
    """Write a row of a hunt with a counterexample, or a point of the document of a sweep, as a claim."""
    place, row = Place.of(claim, folder), table(found, "found")
    if "axes" in row:
        return write_point(row, table({} if at is None else at, "at"), place)
    if not row.get("counterexample"):
        accepted = "a row of hunt with a counterexample, or the document of a sweep"
        raise InputError("found", row.get("claim", row), accepted)
    collection = load(folders)
    about = collection.select([row["claim"]])[row["claim"]]
    (target,) = (each for each in targets([about], collection.preludes) if each.form == row["form"])
    return write_counterexample(about, target, _exact(row["counterexample"]), place)


def _exact(value: Any) -> Any:
    """Return a value of a row with fractions in the place of texts that are numbers."""
    if isinstance(value, Mapping):
        return {name: _exact(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_exact(item) for item in value]
    try:
        return Fraction(value)
    except (TypeError, ValueError):
        return value


def write_counterexample(about: Claim, target: Target, values: Mapping[str, Any], place: Place) -> list[Path]:
    """Write a refuted claim: the statement that was hunted, with the instance in which it is false."""
    entry = {
        "source": f"an instance that dtmodel hunt found, of the {target.form} form of {target.claim}",
        "kind": "remark",
        "caption": place.caption(about.caption),
        "verdict": "refuted",
        "formal": target.formal.text,
        "formal_witness": "; ".join(f"{name} = {_written(value)}" for name, value in values.items()),
    }
    says = "Evaluate the statement again, with the exact engine, at the instance that dtmodel hunt found."
    return place.write(entry, place.source("counterexample_claim", says, 'form="printed", strength="exact"'), {})


def _written(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_written, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def counterexample(claim: str, file: str) -> Counterexample:
    """Return the counterexample of a claim that `write_counterexample` wrote; `AssertionError` if it is none."""
    path = Path(file).parent / "claims.toml"
    text = path.read_text(encoding="utf-8")
    (own,) = (each for each in read_claims(tomllib.loads(text), text, path.name)[0] if each.id == claim)
    (target,) = targets([own])
    values = recorded_witness(target)
    truth = Instance(target.formal, values, vocabulary(target.formal)).truth()
    check(truth.holds is False and not truth.undefined, f"the statement is not false there: {truth.why}")
    says = f"the conclusion fails at {target.witness}: {truth.why}"
    return refuted_by_values({**dict(_numbers(jsonable(values))), "true": 0}, "true == 1", says)


def _numbers(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the values that are numbers or lists of numbers, which a witness can hold."""
    for name, value in values.items():
        with suppress(LedgerError):
            read_values({name: value})
            yield name, value


def write_point(document: Mapping[str, Any], at: Mapping[str, Any], place: Place) -> list[Path]:
    """Write a claim that holds: the exact results of a sweep at one of its points, given by a value of each axis."""
    document = {**table(document, "sweep"), "arithmetic": "exact"}
    found = _results(document, at)
    said = "; ".join(f"{name} = {', '.join(map(str, each))}" for name, each in found.items())
    point = ", ".join(f"{name} = {value}" for name, value in at.items())
    entry = {
        "source": f"a point of the sweep in {place.claim}.sweep.json",
        "kind": "remark",
        "statement": f"At the point {point} of the sweep the exact results are: {said}.",
        "verdict": "holds",
        "not_executable": "existence",
    }
    says = "Compute the point of the sweep again, exactly, and compare every result."
    evidence = place.source("sweep_claim", says, 'form="printed", strength="exact"')
    return place.write(entry, evidence, {"sweep": {"sweep": jsonable(document), "at": jsonable(at), "results": found}})


def point(claim: str, file: str) -> Agrees:
    """Compare the results of a claim that `write_point` wrote with the sweep; `AssertionError` if one differs."""
    kept = json.loads((Path(file).parent / f"{claim}.sweep.json").read_text(encoding="utf-8"))
    found = _results(kept["sweep"], kept["at"])
    check(found == kept["results"], f"the results are {found}, and the claim states {kept['results']}")
    return Agrees(1, f"all results at {', '.join(f'{name} = {value}' for name, value in kept['at'].items())}")


def _results(document: Mapping[str, Any], at: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the exact results of a sweep at a point."""
    from dtmodel.studies.sweeps.running import read_plan

    plan = read_plan(document)
    number = _number(plan, at)
    return {name: jsonable(list(each)) for name, each in plan.compute(number, number + 1).items()}


def _number(plan: Plan, at: Mapping[str, Any]) -> int:
    """Return the number of the point at which each axis has the given value."""
    names = [axis.name for axis in plan.settings.axes]
    if unknown := [name for name in (*at, *names) if name not in names or name not in at]:
        raise InputError("at", unknown[0], f"one value for each of the axes {', '.join(names)}")
    number = 0
    for axis in plan.settings.axes:
        labels = [{str(each), str(exactly(value))} for each, value in zip(axis.coordinates, axis.values, strict=True)]
        wanted = {str(at[axis.name]), str(exactly(at[axis.name]))}
        places = [place for place, known in enumerate(labels) if known & wanted]
        if not places:
            raise InputError(f"at.{axis.name}", at[axis.name], one_of(map(str, axis.coordinates)))
        number = number * len(axis.values) + places[0]
    return number
