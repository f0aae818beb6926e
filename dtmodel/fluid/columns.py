"""Documents of one form, and their scenarios in one call of the native core, as one scenario whose numbers are vectors.

The scenario is read and started with vectors as with numbers. Where a condition holds at some points only, these are a
group of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from dtmodel.base.errors import InputError
from dtmodel.base.vectors import Divided, Texts, Wholes
from dtmodel.fluid.batch import TYPES, Batch, columns_of, order_of
from dtmodel.fluid.scenario import Scenario

_ALONE = InputError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError
"""Errors of scenarios that vectors do not suit: their points are made one by one, and raise the error if it is one."""
_DIGITS = frozenset("0123456789.+-")
"""The characters with which a quantity begins."""


class Form(NamedTuple):
    """Documents that differ in their numbers alone: the `first` of them, their places, and the numbers of all."""

    first: Any
    places: Sequence[int]
    columns: Sequence[Texts]

    def at(self, rows: Any) -> Any:
        """Return the document of some rows, with vectors; raise `Divided` if numbers of which none suits differ."""
        return _with(self.first, iter([column.at(rows) for column in self.columns]))

    def divides(self, refused: object) -> bool:
        """Let numbers that a reader `refused` as a vector divide the rows from now on; False if there are none."""
        return any(column.divides(refused) for column in self.columns)


def forms_of(documents: Iterable[Any]) -> list[Form]:
    """Return the forms of documents; one with values of other types than a file has is a form of its own."""
    forms = dict[object, tuple[Any, list[int], list[list[Any]]]]()
    for place, document in enumerate(documents):
        words, numbers = list[object](), list[Any]()
        try:
            _take_apart(document, words, numbers)
            _, places, rows = forms.setdefault(tuple(words), (document, [], []))
        except (TypeError, RecursionError):
            _, places, rows = forms[place] = document, [], []
        places.append(place)
        rows.append(numbers)
    columns = [_columns(rows) for _, _, rows in forms.values()]
    return [Form(first, places, own) for (first, places, _), own in zip(forms.values(), columns, strict=True)]


def _columns(rows: Sequence[Sequence[Any]]) -> list[Texts]:
    """Return the numbers at each place of the documents; equal ones are one object."""
    made = dict[tuple[Any, ...], Texts]()
    return [made.setdefault(each, Texts(each)) for each in zip(*rows, strict=True)]


def form_of(documents: Sequence[Any]) -> Form | None:
    """Return the form of all documents or numbers; None if they have several, or there are none."""
    if isinstance(documents, Wholes) or {*map(type, documents)} == {Fraction}:
        return Form(documents[0], range(len(documents)), [Texts(documents)])
    forms = forms_of(documents)
    return forms[0] if len(forms) == 1 else None


def _take_apart(value: Any, words: list[object], numbers: list[Any]) -> None:
    """Collect the numbers of a document, and everything else in `words`, by which the numbers have their places."""
    kind = type(value)
    if kind is dict:
        words.append(tuple(value))
        for item in value.values():
            _take_apart(item, words, numbers)
    elif kind is list:
        words.append(len(value))
        for item in value:
            _take_apart(item, words, numbers)
    elif _is_number(value):
        words.append(None)
        numbers.append(value)
    else:
        words.append((kind, value))


def _with(document: Any, numbers: Iterator[Any]) -> Any:
    """Return a document with other numbers."""
    if type(document) is dict:
        return {key: _with(item, numbers) for key, item in document.items()}
    if type(document) is list:
        return [_with(item, numbers) for item in document]
    return next(numbers) if _is_number(document) else document


def _is_number(value: object) -> bool:
    return type(value) in (int, Fraction, float) or (type(value) is str and str(value)[:1] in _DIGITS)


def in_vectors(make: Callable[[], Scenario], *forms: Form | None) -> Scenario:
    """Make a scenario of forms; numbers that a reader refuses as a vector divide the rows from now on."""
    try:
        return make()
    except InputError as error:
        if not any(form.divides(error.value) for form in forms if form):
            raise
        return in_vectors(make, *forms)


def in_groups(rows: Any, work: Callable[[Any], object], least: int = 1) -> list[int]:
    """Work on groups of rows that are alike in all conditions, and return the rows that vectors do not suit.

    Groups of fewer rows than `least` are returned, too, and what is left after a division for each `least` rows.
    """
    import numpy as np

    groups, left, patience = [np.asarray(rows)], list[int](), len(rows) // least
    with np.errstate(all="ignore"):
        while groups:
            own = groups.pop()
            try:
                if len(own) < least or patience < 0:
                    raise LookupError("too few rows")
                work(own)
            except Divided as by:
                groups += [own[by.rows], own[~by.rows]]
                patience -= 1
            except _ALONE:
                left += own.tolist()
    return sorted(left)


def stacked(scenario: Scenario, rows: int, *, ties: bool = False) -> dict[str, Any]:
    """Return the columns of a scenario of vectors of `rows` points, a row for each point."""
    import numpy as np

    found = {}
    for name, values in columns_of(scenario, ties=ties).items():
        made = found[name] = np.empty((rows, len(values)), TYPES.get(name, "d"))
        for place, value in enumerate(values):
            made[:, place] = value
    return found


def run_rows(built: Mapping[str, Any], sample: Sequence[int]) -> Callable[[str], Any]:
    """Run rows of columns in the core; return a function that gives its results of a name, by row and queue.

    `sample` are the places of the times to sample in ascending order; lengths are in the order of the scenario's.
    """
    import numpy as np

    n, queues = built["rate"].shape
    samples, pieces = (built[name].shape[1] for name in ("sample_time", "piece_time"))
    batch, begins = Batch(), np.arange(n + 1)
    ends = (begins[:-1, None] * pieces + built["piece_begin"]).ravel()
    columns = {**built, "piece_begin": np.append(0, ends), "queue_begin": begins * queues}
    columns["sample_time"] = built["sample_time"][:, sample]  # the core takes times in order
    columns |= {"sample_begin": begins * samples, "length_begin": begins * queues * samples}
    columns |= {"number_begin": begins * (built["high"].shape[1] if "high" in built else 0)}
    for name, values in columns.items():
        array = batch.arrays[name]
        del array[:]
        array.frombytes(np.ascontiguousarray(values, array.typecode).tobytes())
    batch.run()

    def results(name: str) -> Any:
        said = np.frombuffer(batch.arrays[name], batch.arrays[name].typecode)
        if name == "length":
            return said.reshape(n, -1, queues)[:, order_of(sample)]
        return said if name == "status" else said.reshape(n, queues)

    return results
