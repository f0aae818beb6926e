"""Evidence: functions that run, aim at one form of a claim, and return a typed outcome."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import MISSING, dataclass, field, fields
from pathlib import PurePath
from typing import Any, TypeVar, get_args

from dtmodel.base.errors import LedgerError, ProverError
from dtmodel.ledger.claim import FORMS, Kernel

STRENGTHS = ("kernel", "smt", "symbolic", "exact", "sampled")
"""Strengths of evidence, from the strongest to the weakest."""

_REGISTER = "__dtmodel_evidence__"


class EngineMissing(ProverError):  # noqa: N818 - a missing prover is often not an error
    """A prover is not installed here: evidence that raises this counts as skipped, not as failed.

    >>> raise EngineMissing("cvc5 is not installed")
    Traceback (most recent call last):
        ...
    dtmodel.ledger.evidence.EngineMissing: cvc5 is not installed
    """


@dataclass(frozen=True)
class Witness:
    """A replayable instance in which a statement is false.

    - `kind`: ``"fluid"`` (a scenario for the exact fluid engine), ``"trace"`` (a request for a packet algorithm) or
      ``"values"`` (named exact rationals, hypotheses that they satisfy, a statement that they violate).
    - `data`: the scenario, the request, or ``{"values": {...}, "hypotheses": [...], "statement": "..."}``.
    - `expected`: the answer of the replay, key by key; within dictionaries only the given keys are compared.
    - `claimed`: the answer according to the statement; at least one key must differ from the replayed answer.
    - `says`: the point of it in one sentence.

    >>> numbers = {"values": {"alpha": "1"}, "hypotheses": ["alpha > 0"], "statement": "alpha < 1"}
    >>> Witness("values", numbers, says="a power of two may be 1").kind
    'values'
    """

    kind: str
    data: Mapping[str, Any]
    expected: Mapping[str, Any] = field(default_factory=dict)
    claimed: Mapping[str, Any] = field(default_factory=dict)
    says: str = ""


@dataclass(frozen=True)
class Proved:
    """The form of the claim holds in all cases.

    - `example`: an instance in which the hypotheses hold, so that the proof is not vacuous; mandatory.
    - `hypotheses`: optional: relations over the names of `example`; the runner evaluates them there exactly.
    - `certificate`: a certificate that stands alone, for export.

    >>> Proved("T falls with n", {"n": "1", "m": "2"}, ["m > n"]).hypotheses
    ['m > n']
    """

    detail: str
    example: Mapping[str, Any] = field(default_factory=dict)
    hypotheses: Sequence[str] = ()
    certificate: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Agrees:
    """The form agreed in each of `cases` cases; `detail` states the domain that they cover.

    >>> Agrees(256, "every alpha = 2^k, M and N up to 4").cases
    256
    """

    cases: int
    detail: str = ""


@dataclass(frozen=True)
class Counterexample:
    """The form is false at a `witness`, which the runner replays.

    >>> Counterexample(Witness("values", {"values": {"x": "1"}, "statement": "x > 1"}, says="at 1")).witness.says
    'at 1'
    """

    witness: Witness
    detail: str = ""


@dataclass(frozen=True)
class Conflict:
    """The claims that the evidence names and `claim` cannot all be true: numbers of `arithmetic` contradict each other.

    If both sides are recorded as inconsistent, the evidence names both, and `claim` is one of them.

    >>> Conflict("own.table1", "the text says 8 queues, the table 4", {"text": 8, "table": 4}).arithmetic["table"]
    4
    """

    claim: str
    detail: str
    arithmetic: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Skipped:
    """An outcome of evidence that did not run, with the `reason`.

    >>> Skipped("the measured times are not published").reason
    'the measured times are not published'
    """

    reason: str


@dataclass(frozen=True)
class Repeated:
    """A measurement of machines that are not at hand, repeated on a model of them in several named readings.

    - `reproduced`, `missed` (list of str): the readings of the machines' protocols in which the model gives the
      published result, and those in which it gives another.
    - `samples` (int): the number of paired seeds in each reading.
    - `rules`: the SHA-256 of the file of tolerances and readings, which was written before the first run.

    >>> Repeated(["NewReno"], ["SACK"], 20, "0" * 64, "19 of 20 seeds").missed
    ['SACK']
    """

    reproduced: Sequence[str]
    missed: Sequence[str]
    samples: int
    rules: str
    detail: str = ""


Outcome = Proved | Agrees | Counterexample | Conflict | Repeated | Skipped
"""The types that evidence may return."""

_Function = TypeVar("_Function", bound=Callable[[], Outcome])

_TYPES: dict[str, type[Outcome]] = {kind.__name__.lower(): kind for kind in get_args(Outcome)}


@dataclass(frozen=True)
class Aim:
    """The claims that a piece of evidence supports, in one form and with one strength."""

    claims: tuple[str, ...]
    form: str
    strength: str


@dataclass(frozen=True)
class Evidence:
    """A piece of evidence and its aims: a registered function, or the key ``kernel`` or ``refuted`` of a claim.

    - `module`, `name`: the module to import, and the name of the function or of the theorems.
    - `aims` (tuple): the claims, each with a form and a strength.
    - `summary`: the result that it shows, in words.
    - `file`, `line` (str, int): the place where it is written.
    - `kernel` (Kernel): the theorems, if a claim names them.
    - `refuted` (Counterexample): the numbers, if a claim names them.

    >>> Evidence("own.burst", "loses_nothing", (), "A burst loses nothing", "own/burst.py", 12).key
    'own.burst:loses_nothing'
    """

    module: str
    name: str
    aims: tuple[Aim, ...]
    summary: str
    file: str
    line: int
    kernel: Kernel | None = None
    refuted: Counterexample | None = None

    @property
    def key(self) -> str:
        """The name of the evidence, unique in a collection."""
        of = f":{self.aims[0].claims[0]}:{self.aims[0].form}" if self.kernel else ""
        return f"{self.module}:{self.name}{of}"

    @property
    def where(self) -> str:
        """The name of the evidence with its file (below the root) and its line."""
        return f"{self.name} ({'/'.join(self.module.split('.')[1:])}{PurePath(self.file).suffix}:{self.line})"


def evidence(*claims: str, form: str, strength: str) -> Callable[[_Function], _Function]:
    """Register a function as evidence for one or more claims.

    Parameters
    ----------
    *claims : str
        Claim ids.
    form : str
        The form of the claim that it aims at: ``"printed"``, ``"assumed"`` (printed plus the named assumption),
        ``"repaired"`` (the misprint mended), ``"corrected"`` or ``"negation"`` (that the printed form is false).
    strength : str
        ``"kernel"`` (Coq), ``"smt"`` (z3 and cvc5), ``"symbolic"`` (identity or certificate), ``"exact"`` (covers the
        claim completely) or ``"sampled"``.

    Raises
    ------
    LedgerError
        If the form or strength is unknown, no claim is named, or the name is taken in the same file.

    Examples
    --------
    >>> @evidence("edt.eq1", form="printed", strength="symbolic")
    ... def one_is_one() -> Outcome:
    ...     '''One equals one.'''
    ...     return Proved("by arithmetic", example={"x": "1"})
    >>> one_is_one().detail
    'by arithmetic'
    """
    if not claims or not all(isinstance(claim, str) for claim in claims):
        raise LedgerError(f"evidence names {claims!r}: name one or more claim ids, each a string")
    if form not in FORMS or strength not in STRENGTHS:
        raise LedgerError(
            f"evidence for {', '.join(claims)}: form {form!r}, strength {strength!r}; "
            f"forms are {', '.join(FORMS)}, strengths are {', '.join(STRENGTHS)}"
        )

    def register(function: _Function) -> _Function:
        _register(function, Aim(tuple(claims), form, strength))
        return function

    return register


def registered(namespace: Mapping[str, Any]) -> tuple[Evidence, ...]:
    """Return the evidence that a module registered, given the module's namespace."""
    return tuple(item for item, _ in namespace.get(_REGISTER, {}).values())


def registered_function(namespace: Mapping[str, Any], name: str) -> Callable[[], Outcome]:
    """Return the evidence function with a name, given the namespace of its module."""
    function: Callable[[], Outcome] = namespace[_REGISTER][name][1]
    return function


_RECORD: ContextVar[list[dict[str, Any]] | None] = ContextVar("certificates", default=None)


def record_certificate(document: Callable[[], dict[str, Any]]) -> None:
    """Add a certificate to the record of the running evidence, if there is one; `document` writes it."""
    record = _RECORD.get()
    if record is not None:
        record.append(document())


@contextmanager
def recorded_certificates() -> Iterator[list[dict[str, Any]]]:
    """Collect the certificates that are found while evidence runs."""
    found: list[dict[str, Any]] = []
    token = _RECORD.set(found)
    try:
        yield found
    finally:
        _RECORD.reset(token)


def check(condition: object, message: str) -> None:
    """Raise `AssertionError` with the `message`, the meaning of the failure, if a `condition` of the evidence is false.

    >>> check(2 + 2 == 5, "not five")
    Traceback (most recent call last):
        ...
    AssertionError: not five
    """
    if not bool(condition):
        raise AssertionError(message)


def refuted_by_values(
    values: Mapping[str, object], statement: str, says: str = "", hypotheses: Sequence[str] = ()
) -> Counterexample:
    """Return a counterexample of exact numbers; the runner evaluates the hypotheses and the statement there.

    Parameters
    ----------
    values : mapping
        Exact numbers, or lists of them, by the names that they have in the statement.
    statement : str
        The relation that they violate.
    says : str
        The point of it in one sentence.
    hypotheses : sequence of str
        The relations that they satisfy.

    Examples
    --------
    >>> refuted_by_values({"B": 2, "tau": 0}, "B * tau > 0", "nothing is large", ["B > 0"]).witness.data["values"]
    {'B': '2', 'tau': '0'}
    """
    written = {
        name: [str(item) for item in value] if isinstance(value, list | tuple) else str(value)
        for name, value in values.items()
    }
    data = {"values": written, "hypotheses": list(hypotheses), "statement": statement}
    return Counterexample(Witness("values", data, says=says), says)


_PLAIN = frozenset({type(None), bool, int, str})


def jsonable(value: object) -> Any:
    """Convert a value to JSON: exact numbers become ``"p/q"``, other objects their text."""
    if type(value) in _PLAIN or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): item if type(item) in _PLAIN else jsonable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [item if type(item) in _PLAIN else jsonable(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted((jsonable(item) for item in value), key=repr)
    return str(value)


def outcome_document(outcome: Outcome) -> dict[str, Any]:
    """Write an outcome as a JSON object with its ``"type"``."""
    content = dict(vars(outcome))
    if isinstance(outcome, Counterexample):
        content["witness"] = vars(outcome.witness)
    written = {key: jsonable(value) for key, value in content.items() if value is not None}
    return {"type": type(outcome).__name__.lower(), **written}


def read_outcome(document: Mapping[str, Any]) -> Outcome:
    """Read a document of `outcome_document`; raise `ValueError` if it is anything else."""
    if not isinstance(document, dict) or document.get("type") not in [*_TYPES]:
        raise ValueError("an outcome is an object with its type")
    content = {key: value for key, value in document.items() if key != "type"}
    kind = _TYPES[document["type"]]
    _check_shape(kind, content)
    if kind is Counterexample:
        _check_shape(Witness, content["witness"])
        content["witness"] = Witness(**content["witness"])
    return kind(**content)


_JSON_TYPES: dict[str, type] = {
    "cases": int, "example": dict, "arithmetic": dict, "certificate": dict, "witness": dict, "data": dict,
    "expected": dict, "claimed": dict, "hypotheses": list,
    "reproduced": list, "missed": list, "samples": int,
}  # fmt: skip
"""The JSON types of the fields of outcomes and witnesses; the others are texts."""


def _check_shape(kind: type, content: object) -> None:
    known = {item.name: item for item in fields(kind)}
    needed = {name for name, item in known.items() if item.default is MISSING and item.default_factory is MISSING}
    if not isinstance(content, dict) or not needed <= set(content) <= set(known):
        raise ValueError(f"a {kind.__name__} has the fields {', '.join(known)}")
    for name, value in content.items():
        odd = isinstance(value, list) and not all(isinstance(item, str) for item in value)
        if type(value) is not _JSON_TYPES.get(name, str) or odd:
            raise ValueError(f"{name} of a {kind.__name__} is {value!r}")


def _register(function: Callable[[], Outcome], aim: Aim) -> None:
    plain = inspect.unwrap(function)
    if not inspect.isfunction(plain):
        raise LedgerError(f"evidence for {', '.join(aim.claims)} is {plain!r}: decorate a function")
    code = plain.__code__
    register: dict[str, tuple[Evidence, Callable[[], Outcome]]] = plain.__globals__.setdefault(_REGISTER, {})
    aims: tuple[Aim, ...] = (aim,)
    if plain.__name__ in register:
        old, old_function = register[plain.__name__]
        if inspect.unwrap(old_function) is plain:
            aims = (*old.aims, aim)
        elif old.file == code.co_filename and old.line != code.co_firstlineno:
            raise LedgerError(
                f"{code.co_filename}: two evidence functions are called {plain.__name__}: rename the one in line "
                f"{code.co_firstlineno}"
            )
    summary = " ".join((inspect.getdoc(plain) or plain.__name__.replace("_", " ")).split("\n\n")[0].split())
    item = Evidence(plain.__module__, plain.__name__, aims, summary, code.co_filename, code.co_firstlineno)
    register[plain.__name__] = (item, function)
