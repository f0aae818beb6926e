"""Evaluation of a statement at arrays: in float64 with error bounds, and exactly where floats do not decide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isfinite, prod
from typing import Any

import numpy as np

from dtmodel.base import budgets
from dtmodel.base.errors import InputError
from dtmodel.theorems.data import StatementData, at
from dtmodel.theorems.evaluation import Evaluated, computed, exactly, known
from dtmodel.theorems.operations import is_array
from dtmodel.theorems.quantities import Symbol
from dtmodel.theorems.rounding import Relative, Rounded, doubts, nearest, off_nearest

_CHUNK = 1 << 15
"""Arrays are computed in pieces of this length, which fit the processor's cache."""
_PLAIN = {int, float, str, Fraction}
_FEW = 1000
"""The number of elements from which on a choice without branches is faster."""


def in_arrays(statement: StatementData, symbols: Sequence[Symbol], values: Mapping[str, Any]) -> Evaluated:
    """Evaluate a statement at values of which at least one is an array."""
    arrays = {name: value for name, value in values.items() if is_array(value)}
    labelled = _labelled(symbols, values, arrays)
    digits = budgets.limit("digits")
    numbers = {s.name: _number(s, values[s.name], digits) for s in symbols if s.name not in arrays}
    with np.errstate(all="ignore"):
        read = {name: near for name, (_, near) in numbers.items()}
        read |= {s.name: _array(s, (labelled or arrays)[s.name]) for s in symbols if s.name in arrays}
        own = [read[name] for name in arrays]
        shapes = {part.value.shape for value in own for part in (value if type(value) is list else [value])}
        try:
            shape = np.broadcast_shapes(*shapes) if len(shapes) != 1 else shapes.pop()
        except ValueError:
            given = {name: np.shape(value) for name, value in values.items()}
            raise InputError("shapes", given, "arrays whose shapes broadcast") from None
        made, valid, open_ = _in_chunks(statement, symbols, read, shape)
        for index in map(tuple, np.argwhere(open_) if np.count_nonzero(open_) else ()):
            exact = {name: number for name, (number, _) in numbers.items()}
            _decide(statement, {**_element(read, shape, index), **exact}, index, made, valid)
    wrap = _wrapper(symbols, labelled)

    def errors() -> Mapping[str, Any]:
        with np.errstate(all="ignore"):
            found = _errors(statement, read, open_, made)
            return {name: wrap(value) for name, value in found.items()}

    return Evaluated({name: wrap(value) for name, value in made.items()}, valid=wrap(valid), errors=errors)


def _array(symbol: Symbol, value: Any) -> Any:
    """Read an array, of a list along its last axis, as floats without errors."""
    found = symbol.array(value)
    return [*map(Rounded, found)] if symbol.many else Rounded(found)


def _number(symbol: Symbol, value: Any, digits: int) -> Any:
    """Read an exact number with its nearest float, or a list of such numbers; a number of Python only once."""
    return (symbol.rounded if type(value) in _PLAIN else symbol.rounded.__wrapped__)(value, digits)


def _floats(read: Mapping[str, Any]) -> dict[str, Any]:
    return {name: v.value if type(v) is Rounded else [p.value for p in v] for name, v in read.items()}


def _element(read: Mapping[str, Any], shape: tuple[int, ...], index: tuple[Any, ...]) -> dict[str, Any]:
    """Return the exact numbers at one index of the arrays."""

    def at_place(part: Any) -> Fraction:
        return Fraction(float(np.broadcast_to(part.value, shape)[index]))

    return {name: [at_place(p) for p in v] if isinstance(v, list) else at_place(v) for name, v in read.items()}


def _decide(
    statement: StatementData, values: Mapping[str, Any], index: tuple[Any, ...], made: Mapping[str, Any], valid: Any
) -> None:
    """Compute one element exactly and store the nearest floats, since floats do not decide or represent it."""
    try:
        found, valid[index] = exactly(statement, values).results, True
    except InputError:
        found, valid[index] = dict.fromkeys(made), False
    for name, value in found.items():
        made[name][index] = [_nearest(part) for part in value] if isinstance(value, list) else _nearest(value)


def _nearest(exact: Any) -> Any:
    """Return the nearest float of an exact number, infinity for `never`, and NaN if the result is not defined."""
    if isinstance(exact, int | Fraction):
        return nearest(Fraction(exact)).value
    return float("nan" if exact is None else exact)


def _in_chunks(
    statement: StatementData, symbols: Sequence[Symbol], read: Mapping[str, Any], shape: tuple[int, ...]
) -> tuple[dict[str, Any], Any, Any]:
    size = prod(shape)
    if size <= _CHUNK or any(symbol.many for symbol in symbols):
        return _whole(statement, symbols, read, shape)
    flat = {name: value.flat(shape) for name, value in read.items()}
    made = {name: np.empty(size) for name in statement.results}
    valid, open_ = np.empty(size, dtype=bool), np.empty(size, dtype=bool)
    for begin in range(0, size, _CHUNK):
        part = slice(begin, begin + _CHUNK)
        some = {name: value if value.value.ndim == 0 else value[part] for name, value in flat.items()}
        found, valid[part], open_[part] = _whole(statement, symbols, some, (min(size, begin + _CHUNK) - begin,))
        for name, value in found.items():
            made[name][part] = value
    return {name: value.reshape(shape) for name, value in made.items()}, valid.reshape(shape), open_.reshape(shape)


def _whole(
    statement: StatementData, symbols: Sequence[Symbol], read: Mapping[str, Any], shape: tuple[int, ...]
) -> tuple[dict[str, Any], Any, Any]:
    """Return the results, a mask of valid elements, and a mask of elements that floats do not decide or represent."""
    floats, several = _floats(read), any(symbol.many for symbol in symbols)
    taken = np.ones(shape, dtype=bool)
    for symbol in symbols:
        value = floats[symbol.name]
        if type(value) is not np.float64 or not (isfinite(value) and symbol.within(value)):  # exact numbers were tested
            taken &= symbol.accepts(value)
    valid, here, open_ = _conditions(statement, symbols, read, taken)
    found = [computed(branch, floats) for branch in statement.computed]
    if several:  # a formula over all ports has its own cases
        with doubts() as close:
            found = [computed(branch, read) for branch in statement.computed]
        open_ = _any(close, open_)
    made, always = {}, _all(valid)
    for name in statement.results:
        each = [branch.get(name, np.nan) for branch in found]
        wide = several and any(isinstance(value, list) for value in each)
        value = _chosen(here, [_stacked(value, "value") for value in each] if several else each, wide)
        finite = np.isfinite(value)
        if not _all(finite) and all(name in branch for branch in found):
            open_ = open_ | ~(finite.all(axis=-1) if wide else finite)
        fresh = always and len(found) > 1 and value.shape[: valid.ndim] == valid.shape  # else it may be an input array
        made[name] = value if fresh else np.where(valid[..., None] if wide else valid, value, np.nan)
    if statement.beyond is not None and not always:
        open_ = open_ | ~valid
    return made, valid, open_ & taken


def _conditions(
    statement: StatementData, symbols: Sequence[Symbol], read: Mapping[str, Any], taken: Any
) -> tuple[Any, Any, Any]:
    """Return masks: where the hypotheses hold, where each case but the last applies, where floats do not decide."""

    def held(at_: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        with doubts() as close:
            valid = taken
            for condition in known(statement, read):
                valid = _narrowed(valid, at(condition, at_))
            here = [at(b.condition, at_) if callable(b.condition) else True for b in statement.computed[:-1]]
        return valid, here, _any(close, False)

    if all(symbol.domain != "real" and not symbol.many for symbol in symbols):
        try:
            with np.errstate(all="raise"):
                quick = held({name: Relative.of(value) for name, value in read.items()})
        except FloatingPointError:
            return held(read)
        if quick[-1] is False:
            return quick
    return held(read)


def _narrowed(mask: Any, condition: Any) -> Any:
    """Return where a condition holds, too; a condition on all elements at once is not read for each of them."""
    return mask if condition is True or (np.ndim(condition) == 0 and condition) else mask & condition


def _all(mask: Any) -> bool:
    return bool(np.count_nonzero(mask) == mask.size)


def _any(where: Sequence[Any], also: Any) -> Any:
    for one in where:
        if np.count_nonzero(one):  # several times faster than `any` on few elements
            also = also | one
    return also


def _chosen(here: Sequence[Any], found: Sequence[Any], wide: bool) -> Any:
    """Choose each element of a result (`wide`: each list) from its cases; the last applies where no other does."""
    chosen = np.asarray(found[-1], np.float64)
    for condition, value in zip(reversed(here), reversed(found[:-1]), strict=True):
        held = np.asarray(condition)[..., None] if wide else condition
        if getattr(held, "size", 1) < _FEW:
            chosen = np.where(held, value, chosen)
            continue
        every = np.negative(held, dtype=np.int64)  # all bits or none: where cases alternate, a branch costs more
        bits, others = np.asarray(value, np.float64).view(np.int64), chosen.view(np.int64)
        chosen = np.asarray((bits ^ others) & every ^ others).view(np.float64)
    return chosen


def _stacked(value: Any, part: str) -> Any:
    """Return the floats (`part` is "value") or the bounds ("error") of a result; stack a list along a last axis."""
    if isinstance(value, list):
        return np.stack(np.broadcast_arrays(*(_stacked(item, part) for item in value)), axis=-1)
    if isinstance(value, Rounded):
        return getattr(value, part)
    return value if part == "value" else 0.0


def _errors(statement: StatementData, read: Mapping[str, Any], open_: Any, made: Mapping[str, Any]) -> dict[str, Any]:
    here = [at(b.condition, read) if callable(b.condition) else True for b in statement.computed[:-1]]
    found = [computed(branch, read) for branch in statement.computed]
    errors = {}
    for name, value in made.items():
        wide = value.ndim > open_.ndim
        error = _chosen(here, [_stacked(each.get(name, 0.0), "error") for each in found], wide)
        error = np.where(np.isnan(error), np.inf, error)
        exactly = open_[..., None] if wide else open_
        errors[name] = np.where(np.isnan(value), np.nan, np.where(exactly, off_nearest(value), error))
    return errors


def _labelled(symbols: Sequence[Symbol], values: Mapping[str, Any], arrays: Mapping[str, Any]) -> dict[str, Any] | None:
    """Align xarray arrays by their dimensions, except the dimension of a list; None if there are none."""
    labelled = {name: value for name, value in arrays.items() if hasattr(value, "dims")}
    for name, value in labelled.items():
        if not hasattr(value, "coords"):
            raise InputError(name, f"an xarray.{type(value).__name__}", "an array of NumPy or an xarray.DataArray")
    if not labelled:
        _one_index(arrays)
        return None
    import xarray  # not a dependency: the caller has it if it passes such an array

    along = {labelled[symbol.name].dims[-1] for symbol in symbols if symbol.many and symbol.name in labelled}
    for symbol in symbols:
        name, value = symbol.name, values[symbol.name]
        if name in arrays and name not in labelled:
            raise InputError(name, f"a bare array of shape {value.shape}", "named dimensions, as the others have")
        if not symbol.many and name in labelled and along & set(value.dims):
            raise InputError(name, f"dimensions {value.dims}", f"others than those of lists: {', '.join(along)}")
    try:
        aligned = xarray.broadcast(*labelled.values(), exclude=along)
    except ValueError:
        shapes = {name: dict(value.sizes) for name, value in labelled.items()}
        raise InputError("shapes", shapes, "arrays whose dimensions of one name are of one length") from None
    return dict(zip(labelled, aligned, strict=True))


def _one_index(arrays: Mapping[str, Any]) -> None:
    """Refuse pandas columns with different row labels, since NumPy would combine them by position."""
    tables = {name: value.index for name, value in arrays.items() if hasattr(value, "to_numpy")}
    for name, index in tables.items():
        if not index.equals(next(iter(tables.values()))):
            raise InputError(name, f"rows {list(index)[:5]}", f"rows labelled as those of {next(iter(tables))}")


def _wrapper(symbols: Sequence[Symbol], labelled: Mapping[str, Any] | None) -> Callable[[Any], Any]:
    """Return a function that gives results the dimensions of the values; a list lies along the last dimension."""
    if labelled is None:
        return lambda value: value
    import xarray

    given = {symbol.many: labelled[symbol.name] for symbol in symbols if symbol.name in labelled}
    listed: Any = given.get(True)
    element = given[False] if False in given else listed.sum(listed.dims[-1])

    def wrap(value: Any) -> Any:
        if value.ndim == element.ndim:
            return element.copy(data=value)
        last = listed.dims[-1] if listed is not None else "port"
        return xarray.DataArray(value, dims=(*element.dims, last), coords=element.coords)

    return wrap
