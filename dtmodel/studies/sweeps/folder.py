"""The folder of a sweep: its document, and for each finished chunk a whole Parquet file and its SHA-256 digest.

``sha256sum --check *.sha256`` compares them without this package. A comment beside each digest names the sweep.
"""

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, final

from dtmodel.base.errors import InputError
from dtmodel.base.files import remove_parts, write_whole
from dtmodel.base.version import __version__
from dtmodel.native import library
from dtmodel.studies.sweeps.plan import Measure, Plan

_HEAD = "sweep.json"


def described(folder: Path) -> Mapping[str, Any]:
    """Return the document of the sweep in a folder.

    Raises `InputError` if the folder is not that of a sweep.
    """
    try:
        document: Mapping[str, Any] = json.loads((folder / _HEAD).read_text(encoding="utf-8"))["document"]
    except (OSError, ValueError, KeyError) as error:
        raise InputError("out", str(folder), "the folder of a sweep") from error
    return document


@final
class Folder:
    """The folder of one sweep.

    `path`: the folder, which is created if necessary; one of another sweep or version is refused. `plan`: the sweep.
    `computed`: the number of chunks written since the folder was opened.
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan, self.computed = path, plan, 0
        head = self._head()
        self._sweep = f"# of the sweep {hashlib.sha256(head.encode()).hexdigest()}\n"  # a comment for sha256sum
        path.mkdir(parents=True, exist_ok=True)
        remove_parts(path)
        file = path / _HEAD
        if not file.exists():
            if any(path.iterdir()):
                raise InputError("out", str(path), "an empty folder, or that of a sweep")
            write_whole(file, head)
        elif file.read_text(encoding="utf-8") != head:
            raise InputError("out", str(path), "a folder of this sweep by this version; it holds another one")

    def missing(self) -> list[int]:
        """Return the chunks that are absent or altered."""
        return [number for number in range(len(self.plan.chunks)) if self._content(number) is None]

    def write(self, number: int, content: bytes) -> None:
        """Write the digest of a chunk, and the chunk that `encoded` returned."""
        write_whole(self._digest_file(number), self._digest(number, content), synced=False)
        write_whole(self.file(number), content)

    def dataset(self) -> Any:
        """Return all chunks as an `xarray.Dataset`."""
        import xarray

        axes, plan = self.plan.settings.axes, self.plan
        coordinates = {axis.name: (axis.name, list(axis.coordinates), _about(axis.unit)) for axis in axes}
        variables = {}
        for measure, values in zip(plan.measures, self._arrays(), strict=True):
            for name, along, unit in measure.along:
                coordinates[name] = (name, [*map(int if name == "queue" else float, along)], _about(unit))
            dims = (*(axis.name for axis in axes), *(name for name, _, _ in measure.along))
            about = {**_about(measure.unit), "long_name": measure.says, **dict(measure.about)}
            variables[measure.name] = (dims, values, about)
        about = {"arithmetic": plan.settings.arithmetic, "document": json.dumps(plan.settings.document)}
        return xarray.Dataset(variables, coordinates, about)

    def rounded(self) -> int | None:
        """Return the number of points in floats that were run exactly and rounded; None if the sweep has none such."""
        if not any(measure.name == "rounded" for measure in self.plan.measures):
            return None
        chunks = (self._read(number, ["rounded"]) for number in range(len(self.plan.chunks)))
        return sum(sum(chunk.column("rounded").to_pylist()) for chunk in chunks)

    def _arrays(self) -> list[Any]:
        """Read every chunk once, into arrays of the final size."""
        import numpy as np

        plan, arrays = self.plan, []
        for measure in plan.measures:
            shape = (*plan.shape, *(len(coordinates) for _, coordinates, _ in measure.along))
            arrays.append(np.empty(shape, {"string": object, "bool": bool}.get(str(_kind(plan, measure)), float)))
        for number, points in enumerate(plan.chunks):
            read = self._read(number)
            for measure, array in zip(plan.measures, arrays, strict=True):
                column = read.column(measure.name).combine_chunks()
                flat = column.flatten() if measure.along else column
                array.reshape(plan.points, -1)[points.start : points.stop] = _values(flat).reshape(len(points), -1)
        return arrays

    def _read(self, number: int, columns: list[str] | None = None) -> Any:
        import pyarrow as pa
        from pyarrow import parquet

        content = self._content(number)
        if content is None:
            accepted = f"{self.file(number).name} as this sweep wrote it; the sweep computes an altered chunk again"
            raise InputError("out", str(self.path), accepted)
        # A thread of Arrow that is left when the interpreter ends may abort the process (its issue 34314).
        return parquet.ParquetFile(pa.BufferReader(content)).read(columns, use_threads=False)

    def _head(self) -> str:
        import pyarrow as pa

        software = {"dtmodel": __version__, "pyarrow": pa.__version__}
        if self.plan.settings.arithmetic == "float":  # the last digits depend on the engine
            software["floats"] = library.status().partition(" (")[0]
        head = {"version": 1, "points": self.plan.points, "chunk": self.plan.settings.chunk, "software": software}
        return json.dumps({**head, "document": self.plan.settings.document}, indent=1, ensure_ascii=True) + "\n"

    def file(self, number: int) -> Path:
        """Return the path of a chunk."""
        return self.path / f"chunk-{number:06}.parquet"

    def _digest_file(self, number: int) -> Path:
        return self.file(number).with_suffix(".parquet.sha256")

    def _digest(self, number: int, content: bytes) -> str:
        return f"{self._sweep}{hashlib.sha256(content).hexdigest()}  {self.file(number).name}\n"

    def _content(self, number: int) -> bytes | None:
        """Return the bytes of a chunk; None if it is absent, or is not the one that was written."""
        try:
            content, digest = self.file(number).read_bytes(), self._digest_file(number).read_bytes()
        except OSError:
            return None
        return content if digest == self._digest(number, content).encode() else None


def encoded(plan: Plan, points: range) -> bytes:
    """Compute a chunk and return its Parquet file: a row for each point, with its number and its values on the axes."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import parquet

    numbers, found = np.arange(points.start, points.stop), plan.compute(points.start, points.stop)
    columns, fields = [_column(numbers, pa.int64())], [_field("point", pa.int64(), "", "the number of the point")]
    places = np.unravel_index(numbers, plan.shape) if plan.shape else ()
    for axis, place in zip(plan.settings.axes, places, strict=True):
        kind = pa.float64() if isinstance(axis.coordinates[0], float) else pa.string()
        columns.append(_column(axis.column[place], kind))
        fields.append(_field(axis.name, kind, axis.unit, f"axis: {', '.join(axis.places)}"))
    for measure in plan.measures:
        column = _column(found[measure.name], _kind(plan, measure))
        if measure.along:
            column = pa.FixedSizeListArray.from_arrays(column, measure.size)
        columns.append(column)
        fields.append(_field(measure.name, column.type, measure.unit, measure.says))
    stream = pa.BufferOutputStream()
    parquet.write_table(pa.Table.from_arrays(columns, schema=pa.schema(fields)), stream)
    content: bytes = stream.getvalue().to_pybytes()
    return content


def _column(values: Any, kind: Any) -> Any:
    """Return an Arrow array with null for NaN, without `pyarrow.array`, which would import pandas."""
    import numpy as np
    import pyarrow as pa

    if not isinstance(values, np.ndarray) or values.dtype.kind not in "bif":
        return pa.array(list(values), kind, from_pandas=True)
    there, bits = ~np.isnan(values), pa.types.is_boolean(kind)
    given = np.packbits(values, bitorder="little") if bits else values.astype(kind.to_pandas_dtype())
    known = None if there.all() else pa.py_buffer(np.packbits(there, bitorder="little"))
    return pa.Array.from_buffers(kind, len(values), [known, pa.py_buffer(np.ascontiguousarray(given))])


def _kind(plan: Plan, measure: Measure) -> Any:
    import pyarrow as pa

    if measure.kind == "bool":
        return pa.bool_()
    return pa.string() if measure.kind == "number" and plan.settings.arithmetic == "exact" else pa.float64()


def _values(column: Any) -> Any:
    import numpy as np
    import pyarrow as pa

    if column.type == pa.string():
        return np.array([None if text is None else Fraction(text) for text in column.to_pylist()], object)
    return column.to_numpy(zero_copy_only=False)


def _field(name: str, kind: Any, unit: str, says: str) -> Any:
    import pyarrow as pa

    return pa.field(name, kind, metadata={"unit": unit, "says": says})


def _about(unit: str) -> dict[str, str]:
    return {"units": unit} if unit else {}
