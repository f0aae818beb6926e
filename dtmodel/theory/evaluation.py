"""What a statement says at given values: exactly for numbers, in SymPy for symbols, in float64 for arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal

from dtmodel.errors import InputError
from dtmodel.theory.quantities import Symbol, is_array, is_symbolic, only_named

if TYPE_CHECKING:
    from dtmodel.theory.statement import Branch, Statement

__all__ = ["RELATION_NAMES", "Evaluated", "Formula", "joined_sums"]

Condition = Callable[..., Any]
"""A relation as a function of symbols, which it names as its parameters: of numbers, expressions or arrays alike."""

Relation = Literal["=", "<=", "<", ">=", ">"]

RELATION_NAMES = {"=": "Eq", "<=": "Le", "<": "Lt", ">=": "Ge", ">": "Gt"}
"""What SymPy calls them."""

_CHUNK = 1 << 14
"""Arrays are computed in pieces that fit the cache."""


@dataclass(frozen=True)
class Formula:
    """What a result is, or what bounds it.

    Parameters
    ----------
    of : str
        The name of the result's symbol.
    compute : callable
        Computes it from symbols, which it names as its parameters: numbers, SymPy expressions or arrays alike.
    relation : {"=", "<=", "<", ">=", ">"}
        How the result is related to what is computed.
    symbols : str
        The names of the symbols, in order, where the parameters of `compute` are called otherwise.

    Examples
    --------
    >>> Formula("T", lambda alpha, F: alpha * F).at({"alpha": 2, "F": 3})
    6
    """

    of: str
    compute: Callable[..., Any]
    relation: Relation = "="
    symbols: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the symbols that it is computed from."""
        return tuple(self.symbols.split()) or names(self.compute)

    def at(self, values: Mapping[str, Any]) -> Any:
        """Compute it at `values` by name."""
        return self.compute(*(values[name] for name in self.names))


@dataclass(frozen=True)
class Evaluated(Mapping[str, Any]):
    """The results of a statement by name, as items and as attributes.

    Attributes
    ----------
    results : dict
        Exact numbers, SymPy expressions or arrays; None (NaN in an array) where the case has no such result.
    case : int or None
        Which case applies (from 0); None for arrays, and for symbols that do not decide.
    valid : bool or array
        Where the hypotheses hold; an array has NaN elsewhere. Numbers outside them are refused. Elements of which
        floats do not tell whether a hypothesis or a case applies are computed exactly, some thousands a second.
    hypotheses : tuple
        For symbols: the hypotheses that they do not decide.
    errors : callable
        For arrays: returns, by name, how far each float may be from the exact result.

    Examples
    --------
    >>> Evaluated({"time": 2}).time
    2
    """

    results: Mapping[str, Any]
    case: int | None = None
    valid: Any = True
    hypotheses: tuple[Any, ...] = ()
    errors: Callable[[], Mapping[str, Any]] = field(default=dict, repr=False, compare=False)

    def __getitem__(self, name: str) -> Any:
        return self.results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __getattr__(self, name: str) -> Any:
        results = self.__dict__.get("results", {})
        if name in results:
            return results[name]
        raise AttributeError(name)


@cache
def names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the symbols that a formula or a condition takes."""
    return tuple(signature(function).parameters)


def at(function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """Compute a formula or a condition at values by name."""
    return function(**{name: values[name] for name in names(function)})


def inputs(statement: Statement) -> tuple[Symbol, ...]:
    """Return the symbols that the results are computed from, in the statement's order."""
    conditions = [b.condition for b in statement.computed if callable(b.condition)] + statement.conditions
    used = {name for branch in statement.computed for formula in branch.formulas for name in formula.names}
    used -= set(results(statement.sequence))  # there a result may be computed from those before it
    used |= {name for condition in conditions for name in names(condition)}
    return tuple(symbol for symbol in statement.symbols if symbol.name in used)


def results(branches: Sequence[Branch]) -> tuple[str, ...]:
    """Return the names of the results, in the order in which they first appear."""
    return tuple(dict.fromkeys(formula.of for branch in branches for formula in branch.formulas))


def evaluate(statement: Statement, values: Mapping[str, Any]) -> Evaluated:
    """Evaluate a statement at values by name.

    Raises `InputError` for a name that is no symbol, a symbol without a value, a value that its symbol does not take,
    numbers for which a hypothesis is false, a symbol whose sign is not declared, an array that is none of numbers, or
    shapes that do not broadcast.
    """
    symbols = inputs(statement)
    if not symbols:
        raise InputError("evaluate", ", ".join(values) or "nothing", "a statement that has a formula to evaluate")
    only_named(values, symbols, results(statement.computed))
    symbols = tuple(symbol for symbol in symbols if symbol.name in values)
    values = read_once(symbols, values)
    given = [
        item for symbol in symbols for item in _flat(symbol, values[symbol.name]) if type(item) not in (Fraction, int)
    ]
    if any(is_array(item) for item in given):
        return _arrays(statement, symbols, values)
    if any(is_symbolic(item) and not getattr(item, "is_number", True) for item in given):
        return _symbolic(statement, symbols, {s.name: s.symbolic(values[s.name]) for s in symbols})
    return _exact(statement, {symbol.name: symbol.exact(values[symbol.name]) for symbol in symbols})


def read_once(symbols: Sequence[Symbol], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by name, with a list for each iterator, which gives its elements only once."""
    return {
        **values,
        **{s.name: s.items(values[s.name]) for s in symbols if s.many and isinstance(values.get(s.name), Iterator)},
    }


def _flat(symbol: Symbol, value: object) -> list[object]:
    return symbol.items(value) if symbol.many and not is_array(value) else [value]


def known(statement: Statement, values: Mapping[str, Any]) -> list[Condition]:
    """Return the hypotheses on what is given; only an optional symbol may be missing."""
    return [condition for condition in statement.conditions if set(names(condition)) <= set(values)]


def _exact(statement: Statement, values: Mapping[str, Any]) -> Evaluated:
    for condition in known(statement, values):
        if not at(condition, values):
            name = names(condition)[0]
            raise InputError(name, values[name], statement.shown_condition(condition))
    for index, branch in enumerate(statement.computed):
        last = index + 1 == len(statement.computed)
        if last or not callable(branch.condition) or at(branch.condition, values):
            found = computed(branch, values)
            return Evaluated({name: found.get(name) for name in results(statement.computed)}, index)
    raise AssertionError  # the last case applies where no other does


def computed(branch: Branch, values: Mapping[str, Any]) -> dict[str, Any]:
    """Compute the results of a case one after the other; one may be computed from those before it."""
    found: dict[str, Any] = {}
    for formula in branch.formulas:
        found[formula.of] = formula.at({**values, **found})
    return found


def _symbolic(statement: Statement, symbols: Sequence[Symbol], values: Mapping[str, Any]) -> Evaluated:
    import sympy

    shares = [(s.name, s.accepted, values[s.name] <= 1) for s in symbols if s.domain == "share"]
    conditions = [(names(c)[0], statement.shown_condition(c), at(c, values)) for c in known(statement, values)]
    open_: list[Any] = []
    for name, accepted, relation in (*shares, *conditions):
        if relation in (False, sympy.false):
            raise InputError(name, values[name], accepted)
        if relation not in (True, sympy.true):
            open_.append(relation)
    found = [computed(branch, values) for branch in statement.computed]
    made = {name: joined(statement.computed, name, found, values) for name in results(statement.computed)}
    return Evaluated(made, 0 if len(statement.computed) == 1 else None, True, tuple(open_))


def joined(branches: Sequence[Branch], name: str, found: Sequence[Mapping[str, Any]], values: Mapping[str, Any]) -> Any:
    """Return a result, found in each case, as one expression: a Piecewise where cases differ."""
    import sympy

    pieces = []
    for index, branch in enumerate(branches):
        value = found[index].get(name, sympy.nan)
        last = index + 1 == len(branches)
        pieces.append((value, True if last or not callable(branch.condition) else at(branch.condition, values)))
    if isinstance(pieces[0][0], list):
        columns = zip(*(value for value, _ in pieces), strict=True)
        return [_piecewise([(item, c) for item, (_, c) in zip(column, pieces, strict=True)]) for column in columns]
    return _piecewise(pieces)


def _piecewise(pieces: Sequence[tuple[Any, Any]]) -> Any:
    import sympy

    return sympy.sympify(pieces[0][0]) if len(pieces) == 1 else sympy.Piecewise(*pieces)


def expressions(statement: Statement, branches: Sequence[Branch]) -> dict[str, Any]:
    """Return what each result is, or is bounded by, in the statement's symbols."""
    symbols = {symbol.name: symbol.sympy for symbol in statement.symbols}
    found = [{formula.of: formula.at(symbols) for formula in branch.formulas} for branch in branches]
    return {name: joined(branches, name, found, symbols) for name in results(branches)}


def written(statement: Statement, shown: Formula | Condition, *, whole: bool = False) -> str:
    """Write a formula or a condition as LaTeX, in the code's order of factors; `whole`: with what the formula is of."""
    import sympy

    symbols = {symbol.name: symbol.written for symbol in statement.symbols}
    letters = {symbol.written: symbol.latex for symbol in statement.symbols}
    with sympy.evaluate(False):
        expression = shown.at(symbols) if isinstance(shown, Formula) else at(shown, symbols)
        if whole and isinstance(shown, Formula):
            expression = getattr(sympy, RELATION_NAMES[shown.relation])(symbols[shown.of], expression)
        return str(sympy.latex(joined_sums(expression), order="none", symbol_names=letters))


def joined_sums(expression: Any) -> Any:
    """Join sums within sums and products within products, and leave the order of the parts as it is.

    Parameters
    ----------
    expression : expression
        Of SymPy.

    Examples
    --------
    >>> import sympy
    >>> from sympy.abc import x, y
    >>> with sympy.evaluate(False): nested = (x + y) + 1
    >>> str(nested), str(joined_sums(nested))
    ('(x + y) + 1', 'x + y + 1')
    """
    import sympy

    if not getattr(expression, "args", ()):
        return expression
    kind, parts = expression.func, list[Any]()
    for part in map(joined_sums, expression.args):
        joins = kind in (sympy.Add, sympy.Mul) and part.func is kind and not part.could_extract_minus_sign()
        parts += part.args if joins else [part]
    if kind is sympy.Mul and len(parts) > 1:
        parts = [part for part in parts if part != 1]
    if kind in (sympy.Add, sympy.Mul) and len(parts) == 1:
        return parts[0]
    with sympy.evaluate(kind is sympy.Sum):  # else it multiplies what it sums by 1, and shows it
        return kind(*parts)


def _arrays(statement: Statement, symbols: Sequence[Symbol], values: Mapping[str, Any]) -> Evaluated:
    import numpy as np

    labelled = _labelled(symbols, values)
    with np.errstate(all="ignore"):
        read = {symbol.name: _bounded(symbol, (labelled or values)[symbol.name]) for symbol in symbols}
    try:
        shape = np.broadcast_shapes(*(part.value.shape for value in read.values() for part in _parts(value)))
    except ValueError:
        shapes = {name: np.shape(value) for name, value in values.items()}
        raise InputError("shapes", shapes, "arrays whose shapes broadcast") from None
    exact = {symbol.name: symbol.exact(values[symbol.name]) for symbol in symbols if not is_array(values[symbol.name])}
    with np.errstate(all="ignore"):
        made, valid, open_ = _in_chunks(statement, symbols, read, shape)
        for index in map(tuple, np.argwhere(open_)):
            _decide(statement, {**_element(read, shape, index), **exact}, index, made, valid)
    wrap = _wrapper(symbols, labelled)

    def errors() -> Mapping[str, Any]:
        with np.errstate(all="ignore"):
            found = _errors(statement, read, open_, made)
            return {name: wrap(value) for name, value in found.items()}

    return Evaluated({name: wrap(value) for name, value in made.items()}, None, wrap(valid), (), errors)


def _parts(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _bounded(symbol: Symbol, value: Any) -> Any:
    """Read an array or a number in floats beside how far they are from it, or a list of them."""
    from dtmodel.theory.rounding import Rounded, nearest

    if is_array(value):
        floats = symbol.array(value)
        return [Rounded(part) for part in floats] if symbol.many else Rounded(floats)
    exact = symbol.exact(value)
    return [nearest(part) for part in exact] if symbol.many else nearest(exact)


def _floats(read: Mapping[str, Any]) -> dict[str, Any]:
    return {name: [p.value for p in v] if isinstance(v, list) else v.value for name, v in read.items()}


def _element(read: Mapping[str, Any], shape: tuple[int, ...], index: tuple[Any, ...]) -> dict[str, Any]:
    """Return the numbers at one place of arrays, exactly."""
    import numpy as np

    def at_place(part: Any) -> Fraction:
        return Fraction(float(np.broadcast_to(part.value, shape)[index]))

    return {name: [at_place(p) for p in v] if isinstance(v, list) else at_place(v) for name, v in read.items()}


def _decide(
    statement: Statement, values: Mapping[str, Any], index: tuple[Any, ...], made: Mapping[str, Any], valid: Any
) -> None:
    """Put what is exact at one place of arrays, in the nearest floats: what floats cannot decide, or do not hold."""
    from dtmodel.theory.rounding import nearest

    try:
        found, valid[index] = _exact(statement, values).results, True
    except InputError:
        found, valid[index] = dict.fromkeys(made), False
    for name, value in found.items():
        floats = [float("nan") if part is None else nearest(Fraction(part)).value for part in _parts(value)]
        made[name][index] = floats if isinstance(value, list) else floats[0]


def _in_chunks(
    statement: Statement, symbols: Sequence[Symbol], read: Mapping[str, Any], shape: tuple[int, ...]
) -> tuple[dict[str, Any], Any, Any]:
    import numpy as np

    size = int(np.prod(shape))
    if size <= _CHUNK or any(symbol.many for symbol in symbols):
        return _whole(statement, symbols, read, shape)
    flat = {name: value.flat(shape) for name, value in read.items()}
    made = {name: np.empty(size) for name in results(statement.computed)}
    valid, open_ = np.empty(size, dtype=bool), np.empty(size, dtype=bool)
    for begin in range(0, size, _CHUNK):
        part = slice(begin, begin + _CHUNK)
        some = {name: value if value.value.ndim == 0 else value[part] for name, value in flat.items()}
        found, valid[part], open_[part] = _whole(statement, symbols, some, (min(size, begin + _CHUNK) - begin,))
        for name, value in found.items():
            made[name][part] = value
    return {name: value.reshape(shape) for name, value in made.items()}, valid.reshape(shape), open_.reshape(shape)


def _whole(
    statement: Statement, symbols: Sequence[Symbol], read: Mapping[str, Any], shape: tuple[int, ...]
) -> tuple[dict[str, Any], Any, Any]:
    """Return the results, where they are valid, and where floats leave open what holds or do not hold a result."""
    import numpy as np

    from dtmodel.theory.rounding import doubts

    floats = _floats(read)
    taken = np.ones(shape, dtype=bool)
    for symbol in symbols:
        taken &= symbol.accepts(floats[symbol.name])
    valid, here, open_ = _conditions(statement, symbols, read, taken)
    found = [computed(branch, floats) for branch in statement.computed]
    if any(symbol.many for symbol in symbols):  # a formula that looks at every port has cases of its own
        with doubts() as close:
            found = [computed(branch, read) for branch in statement.computed]
        open_ = _any(close, open_)
    made = {}
    for name in results(statement.computed):
        value = _chosen(here, [_stacked(each.get(name, np.float64("nan")), "value") for each in found])
        wide = value.ndim > valid.ndim
        finite = np.isfinite(value)
        if not finite.all() and all(name in each for each in found):
            open_ = open_ | ~(finite.all(axis=-1) if wide else finite)
        fresh = len(found) > 1 and value.shape[: valid.ndim] == valid.shape  # else it may be what was given
        made[name] = value if fresh and valid.all() else np.where(valid[..., None] if wide else valid, value, np.nan)
    return made, valid, np.asarray(open_ & taken)


def _conditions(
    statement: Statement, symbols: Sequence[Symbol], read: Mapping[str, Any], taken: Any
) -> tuple[Any, Any, Any]:
    """Return where the hypotheses hold, where each case but the last applies, and where floats leave either open."""
    import numpy as np

    from dtmodel.theory.rounding import Relative, doubts

    def held(at_: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        with doubts() as close:
            valid = taken.copy()
            for condition in known(statement, read):
                valid &= np.asarray(at(condition, at_), dtype=bool)
            here = [at(b.condition, at_) if callable(b.condition) else True for b in statement.computed[:-1]]
        return valid, here, _any(close, np.zeros_like(taken)) & taken

    if all(symbol.domain != "real" and not symbol.many for symbol in symbols):
        try:
            with np.errstate(all="raise"):
                quick = held({name: Relative.of(value) for name, value in read.items()})
        except FloatingPointError:
            return held(read)
        if not quick[-1].any():
            return quick
    return held(read)


def _any(where: Sequence[Any], also: Any) -> Any:
    for one in where:
        also = also | one
    return also


def _chosen(here: Sequence[Any], found: Sequence[Any]) -> Any:
    """Choose a result, found in every case, element by element: the last where no other case applies."""
    import numpy as np

    chosen = found[-1]
    for condition, value in zip(reversed(here), reversed(found[:-1]), strict=True):
        wide = np.ndim(value) > np.ndim(condition) and np.ndim(condition)
        chosen = np.where(condition[..., None] if wide else condition, value, chosen)
    return np.asarray(chosen, dtype=np.float64)


def _stacked(value: Any, part: str) -> Any:
    """Return the floats or the bounds of a result; a list along a last axis."""
    import numpy as np

    from dtmodel.theory.rounding import Rounded

    if isinstance(value, list):
        return np.stack(np.broadcast_arrays(*(_stacked(item, part) for item in value)), axis=-1)
    if isinstance(value, Rounded):
        return getattr(value, part)
    return value if part == "value" else 0.0


def _errors(statement: Statement, read: Mapping[str, Any], open_: Any, made: Mapping[str, Any]) -> dict[str, Any]:
    import numpy as np

    from dtmodel.theory.rounding import off_nearest

    here = [at(b.condition, read) if callable(b.condition) else True for b in statement.computed[:-1]]
    found = [computed(branch, read) for branch in statement.computed]
    errors = {}
    for name, value in made.items():
        error = _chosen(here, [_stacked(each.get(name, 0.0), "error") for each in found])
        error = np.where(np.isnan(error), np.inf, error)
        exactly = open_[..., None] if value.ndim > open_.ndim else open_
        errors[name] = np.where(np.isnan(value), np.nan, np.where(exactly, off_nearest(value), error))
    return errors


def _labelled(symbols: Sequence[Symbol], values: Mapping[str, Any]) -> dict[str, Any] | None:
    """Align arrays of xarray by their dimensions, but for that along which a list goes; None if there are none."""
    labelled = {name: value for name, value in values.items() if is_array(value) and hasattr(value, "dims")}
    for name, value in labelled.items():
        if not hasattr(value, "coords"):
            raise InputError(name, f"an xarray.{type(value).__name__}", "an array of NumPy or an xarray.DataArray")
    if not labelled:
        _one_index(values)
        return None
    import xarray  # no dependency: an array of xarray brings it along

    along = {labelled[symbol.name].dims[-1] for symbol in symbols if symbol.many and symbol.name in labelled}
    for symbol in symbols:
        name, value = symbol.name, values[symbol.name]
        if is_array(value) and name not in labelled:
            raise InputError(name, f"a bare array of shape {value.shape}", "named dimensions, as the others have")
        if not symbol.many and name in labelled and along & set(value.dims):
            raise InputError(name, f"dimensions {value.dims}", f"others than those of lists: {', '.join(along)}")
    try:
        aligned = xarray.broadcast(*labelled.values(), exclude=along)
    except ValueError:
        shapes = {name: dict(value.sizes) for name, value in labelled.items()}
        raise InputError("shapes", shapes, "arrays whose dimensions of one name are of one length") from None
    return {**values, **dict(zip(labelled, aligned, strict=True))}


def _one_index(values: Mapping[str, Any]) -> None:
    """Refuse columns of pandas whose rows are labelled differently: they would be put side by side by position."""
    tables = {name: value.index for name, value in values.items() if is_array(value) and hasattr(value, "to_numpy")}
    for name, index in tables.items():
        if not index.equals(next(iter(tables.values()))):
            raise InputError(name, f"rows {list(index)[:5]}", f"rows labelled as those of {next(iter(tables))}")


def _wrapper(symbols: Sequence[Symbol], labelled: Mapping[str, Any] | None) -> Callable[[Any], Any]:
    """Return what gives results the names of dimensions: those of the values, and that of a list along a last axis."""
    if labelled is None:
        return lambda value: value
    import xarray

    given = {symbol.many: labelled[symbol.name] for symbol in symbols if hasattr(labelled[symbol.name], "dims")}
    listed: Any = given.get(True)
    element = given[False] if False in given else listed.sum(listed.dims[-1])

    def wrap(value: Any) -> Any:
        if value.ndim == element.ndim:
            return element.copy(data=value)
        last = listed.dims[-1] if listed is not None else "port"
        return xarray.DataArray(value, dims=(*element.dims, last), coords=element.coords)

    return wrap
