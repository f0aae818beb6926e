"""Replaying witnesses: the answer is computed again, and compared with the expected and the claimed one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.base.errors import DtmodelError
from dtmodel.ledger.evidence import Witness, jsonable
from dtmodel.ledger.values import replay_values

Replayer = Callable[[Mapping[str, Any]], Mapping[str, Any]]
Replayers = Mapping[str, Replayer]
"""For each kind of witness, the module-level function that computes its answer."""

_MISSING = object()


@dataclass(frozen=True)
class Replay:
    """The answer of a replayed witness, and a fault (empty if the witness refutes the claim)."""

    answer: Mapping[str, Any]
    fault: str = ""


@dataclass(frozen=True)
class Negation:
    """The negation of a witness as a proposition for a proof assistant, and why it is not proved or was not tried."""

    proposition: str
    fault: str = ""
    skipped: str = ""


Negator = Callable[[Sequence[Mapping[str, Any]]], Sequence[Negation]]
"""The function that proves the negations of witnesses of kind ``"values"``, given their data."""


def replay_witness(witness: Witness, replayers: Replayers) -> Replay:
    """Compute the witness's answer again; it must be as expected, and differ from the claimed one."""
    engine = replay_values if witness.kind == "values" else replayers.get(witness.kind)
    if engine is None:
        known = ", ".join(["values", *replayers])
        return Replay({}, f"no engine replays witnesses of kind {witness.kind!r}: use one of {known}")
    if _has_float([witness.data, witness.expected, witness.claimed]):
        return Replay({}, "the witness holds a float: write an exact number such as '1/3'")
    try:
        answer = jsonable(engine(jsonable(witness.data)))
    except DtmodelError as error:
        return Replay({}, f"the witness does not replay: {error}")
    except Exception as error:  # noqa: BLE001 - every error of a model is reported as a fault of the witness
        return Replay({}, f"the witness does not replay: {type(error).__name__}: {error}")
    return Replay(answer, _values_fault(witness, answer) if witness.kind == "values" else _fault(witness, answer))


def differences(wanted: object, found: object, path: str = "") -> list[tuple[str, Any, Any]]:
    """List the differences of `found` from `wanted` (its keys, and every item of lists): (path, wanted, found)."""
    if isinstance(wanted, Mapping) and isinstance(found, Mapping):
        return [
            item
            for key, value in wanted.items()
            for item in differences(value, found.get(key, _MISSING), f"{path}.{key}" if path else str(key))
        ]
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        pairs = enumerate(zip(wanted, found, strict=True))
        return [item for n, (a, b) in pairs for item in differences(a, b, f"{path}[{n}]")]
    return [] if _canonical(wanted) == _canonical(found) else [(path, wanted, found)]


def _fault(witness: Witness, answer: Mapping[str, Any]) -> str:
    if not witness.expected or not witness.claimed:
        return "the witness does not replay: it needs both `expected` and `claimed` values"
    wrong = differences(jsonable(witness.expected), answer)
    if wrong:
        path, wanted, found = wrong[0]
        shown = "nothing" if found is _MISSING else repr(found)
        return f"the witness does not replay: {path} is expected to be {wanted!r}, but the engine answers {shown}"
    against = differences(jsonable(witness.claimed), answer)
    absent = [path for path, _, found in against if found is _MISSING]
    if absent:
        return f"the witness claims {absent[0]}, which the engine does not answer: use its keys"
    if not against:
        return "the witness refutes nothing: the engine's answer is exactly the claimed one"
    return ""


def _values_fault(witness: Witness, answer: Mapping[str, Any]) -> str:
    texts = list(witness.data.get("hypotheses", ()))
    broken = [text for text, holds in zip(texts, answer["hypotheses"], strict=True) if not holds]
    if broken:
        return f"the witness does not replay: its values violate the hypothesis {broken[0]!r}"
    if answer["statement"]:
        return f"the witness refutes nothing: its values satisfy the statement {witness.data['statement']!r}"
    return ""


def _has_float(value: object) -> bool:
    if isinstance(value, Mapping):
        return any(_has_float(item) for item in value.values())
    if isinstance(value, list | tuple):
        return any(_has_float(item) for item in value)
    return isinstance(value, float)


def _canonical(value: object) -> object:
    if isinstance(value, str | int) and not isinstance(value, bool):
        try:
            return Fraction(value)
        except (ValueError, ZeroDivisionError):
            return value
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, list):
        return [_canonical(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): _canonical(item) for key, item in value.items()}
    return value
