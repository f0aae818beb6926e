"""Writing records one by one, to Parquet or CSV, in constant memory."""

from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self, final

from dtmodel.base.files import whole_file

_ROWS = 1 << 16


@final
class RecordFile:
    """A file of records, open for writing in a ``with`` block; it is whole at the end, or absent if the block fails.

    - `path` (Path): a file that ends in ``.parquet``, else CSV.
    - `columns` (dict of str): the type of each column by its name: ``"float"`` or ``"int"``.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with RecordFile(Path(folder) / "trace.csv", {"time": "float", "bytes": "int"}) as file:
    ...         file.add(0.5, 1500)
    ...     print((Path(folder) / "trace.csv").read_text(encoding="utf-8"), end="")
    "time","bytes"
    0.5,1500
    """

    def __init__(self, path: Path, columns: dict[str, str]) -> None:
        import pyarrow as pa

        kinds = {"float": pa.float64(), "int": pa.int64()}
        self.path, self.schema = path, pa.schema([(name, kinds[kind]) for name, kind in columns.items()])
        self.rows: list[tuple[Any, ...]] = []
        self._opened = ExitStack()

    def add(self, *record: Any) -> None:
        """Write a `record`: a value for each column."""
        self.rows.append(record)
        if len(self.rows) == _ROWS:
            self._write()

    def _write(self) -> None:
        import pyarrow as pa

        columns = zip(*self.rows, strict=True) if self.rows else ([] for _ in self.schema)
        arrays = [pa.array(list(column), field.type) for column, field in zip(columns, self.schema, strict=True)]
        self.writer.write_table(pa.Table.from_arrays(arrays, schema=self.schema))
        self.rows = []

    def _end(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._write()

    def __enter__(self) -> Self:
        from pyarrow import csv, parquet

        make = parquet.ParquetWriter if self.path.suffix == ".parquet" else csv.CSVWriter
        with ExitStack() as opened:
            self.writer = opened.enter_context(make(opened.enter_context(whole_file(self.path)), self.schema))
            opened.push(self._end)
            self._opened = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._opened.__exit__(kind, error, trace)
