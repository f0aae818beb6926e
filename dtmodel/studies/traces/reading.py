"""Reading traces of packets or rates, CSV or Parquet, batch by batch."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from dtmodel.base import units
from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError

_IN_A_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_EXACT_IN_FLOATS = 2**53
_ROWS, _BUFFER, _SHORT = 1 << 16, 1 << 20, 40


@dataclass(frozen=True)
class TraceColumns:
    """The columns of a trace.

    - `time`, `port`, `size`: the names of the columns.
    - `unit`: the unit of times.
    - `rates`: True if the trace has rates instead of packets.
    - `mark`: the name of a column of whole numbers that a policy reads, classes or predictions; empty if there is none.

    >>> TraceColumns(unit="us").size
    'bytes'
    """

    time: str = "time"
    port: str = "port"
    size: str = "bytes"
    unit: str = "s"
    rates: bool = False
    mark: str = ""


def read_batches(
    path: str | Path, ports: int, columns: TraceColumns | None = None, *, exact: bool = False
) -> Iterator[tuple[Any, ...]]:
    r"""Yield the records of a trace in batches: three arrays, of times in seconds, of ports, and of bytes or rates.

    With a column of marks, a fourth array has the numbers of the records, and a fifth the marks.

    Parameters
    ----------
    path : path
        A file that ends in ``.parquet``, or CSV with a line of headings.
    ports : int
        The number of ports, which count from 0.
    columns : TraceColumns, optional
        The names of the columns.
    exact : bool
        Return times and sizes as fractions: decimals of CSV as written, numbers of Parquet as stored; else as floats.

    Raises
    ------
    InputError
        If the file cannot be read, a column is missing, or a record has an invalid number, a time before the previous
        one, an unknown port, or no bytes; the message has the number of the record, from 0.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = (file := Path(folder) / "trace.csv").write_text("time,port,bytes\n0.5,1,1500\n")
    ...     [(times, ports, sizes)] = read_batches(file, ports=2)
    >>> times.tolist(), ports.tolist(), sizes.tolist()
    ([0.5], [1], [1500.0])
    """
    import numpy as np
    from pyarrow import ArrowException

    named = columns or TraceColumns()
    second = _IN_A_SECOND[choice(named.unit, "time-unit", tuple(_IN_A_SECOND))]
    wanted = [named.time, named.port, named.size, *filter(None, [named.mark])]
    before, first = -np.inf, 0
    try:
        for batch in _batches(Path(path), wanted, exact):
            times, where, sizes, *marks = (_numbers(batch.column(name), name, first, exact) for name in wanted)
            times = times / second
            falls = times < np.concatenate(([before], times[:-1]))
            _refuse(falls, named.time, times, first, "no time before that of the record above")
            no_port = (where < 0) | (where >= ports) | (np.floor(where) != where)
            _refuse(no_port, named.port, where, first, f"a port from 0 to {ports - 1}")
            if named.rates:
                _refuse(sizes < 0, named.size, sizes, first, "a rate of at least 0 in bytes per second")
            else:
                wrong = (sizes <= 0) | (np.floor(sizes) != sizes)
                _refuse(wrong, named.size, sizes, first, "a whole number of bytes greater than 0")
            for mark in marks:
                _refuse((mark < 0) | (np.floor(mark) != mark), named.mark, mark, first, "a whole number of at least 0")
            more = [np.arange(first, first + len(times)), marks[0].astype(np.int64)] if marks else []
            if exact:
                given = _fractions(batch.column(named.time), named.time, second)
                yield given, where.astype(np.int64), _fractions(batch.column(named.size), named.size, 1), *more
            else:
                yield times, where.astype(np.int64), sizes, *more
            before, first = (times[-1] if len(times) else before), first + len(times)
    except OSError as error:
        raise InputError("file", str(path), f"a readable file ({error.strerror or error})") from error
    except (ArrowException, UnicodeDecodeError) as error:
        raise InputError("file", str(path), f"CSV with headings, or Parquet ({str(error).splitlines()[0]})") from error


def _batches(path: Path, wanted: list[str], exact: bool) -> Iterator[Any]:
    from pyarrow import csv, parquet, string

    if path.suffix == ".parquet":
        with parquet.ParquetFile(
            path, pre_buffer=False, buffer_size=_BUFFER
        ) as file:  # other settings keep all data in memory
            _named(file.schema_arrow.names, wanted, path)
            yield from file.iter_batches(batch_size=_ROWS, columns=wanted, use_threads=False)
        return
    options = csv.ReadOptions(block_size=_BUFFER)
    written = csv.ConvertOptions(column_types=dict.fromkeys(wanted, string()), strings_can_be_null=True)
    with csv.open_csv(path, options, convert_options=written if exact else csv.ConvertOptions()) as reader:
        _named(reader.schema.names, wanted, path)
        yield from reader


def batches_of(path: Path, wanted: list[str]) -> Iterator[Any]:
    """Yield the wanted columns of a trace in batches, those of CSV as text."""
    return _batches(path, wanted, True)


def names_of(path: Path) -> list[str]:
    """Return the names of the columns of a trace."""
    from pyarrow import csv, parquet

    if path.suffix == ".parquet":
        return list(parquet.read_schema(path).names)
    with csv.open_csv(path) as reader:
        return list(reader.schema.names)


def _named(names: list[str], wanted: list[str], path: Path) -> None:
    for name in wanted:
        if names.count(name) != 1:
            accepted = "a name that one column has" if name in names else "one of the columns"
            raise InputError("columns", name, f"{accepted} of {path.name}: {', '.join(names)}")


def _fractions(column: Any, name: str, parts: int) -> Any:
    """Convert numbers of 1 / `parts` seconds or bytes to fractions, each value once."""
    import numpy as np

    values = column.to_pylist()
    read = {value: _fraction(value, name, parts) for value in set(values)}
    return np.array([read[value] for value in values], object)


def _fraction(value: Any, name: str, parts: int) -> Fraction:
    if not isinstance(value, str):
        return Fraction(value, parts) if isinstance(value, int) else Fraction(value) / parts
    whole, _, rest = value.partition(".")
    if len(value) <= _SHORT and value.isascii() and whole.isdecimal() and rest.isdecimal():
        return Fraction(int(whole + rest), 10 ** len(rest) * parts)  # a fast path of `units.number`
    return units.number(value, name) / parts


def _numbers(column: Any, name: str, first: int, exact: bool) -> Any:
    import numpy as np
    import pyarrow as pa

    written = exact and pa.types.is_string(column.type)
    if not (written or pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        raise InputError(name, f"a column of {column.type}", "a column of numbers")
    values = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    _refuse(~np.isfinite(values), name, values, first, "a finite number in every record")
    if pa.types.is_integer(column.type):
        accepted = "at most 2**53, up to which floats are exact: count times from the first record"
        _refuse(abs(values) > _EXACT_IN_FLOATS, name, values, first, accepted)
    return values


def _refuse(wrong: Any, name: str, values: Any, first: int, accepted: str) -> None:
    if wrong.any():
        place = int(wrong.argmax())
        raise InputError(f"record {first + place}: {name}", float(values[place]), accepted)
