"""Further columns of a trace, beside the losses of a policy: the packets of each sender that were lost."""

from pathlib import Path
from typing import Any

from dtmodel.studies.traces.reading import TraceColumns, batches_of, names_of


def keep_columns(losses: Path, trace: str | Path, columns: TraceColumns) -> None:
    """Add the further columns of a trace, as text, to a Parquet file of lost packets with their record numbers."""
    import numpy as np
    import pyarrow as pa
    from pyarrow import parquet

    read = names_of(Path(trace))
    lost = parquet.ParquetFile(losses).read(use_threads=False)
    more = [name for name in read if name not in (columns.time, columns.port, columns.size, *lost.column_names)]
    if not more or not lost.num_rows:
        return
    records = lost.column("record").to_numpy()
    wanted, first, parts = np.unique(records), 0, list[Any]()
    for batch in batches_of(Path(trace), more):
        inside = wanted[(wanted >= first) & (wanted < first + batch.num_rows)] - first
        parts.append(pa.Table.from_batches([batch]).select(more).take(pa.array(inside)))
        first += batch.num_rows
    found = pa.concat_tables(parts).take(pa.array(np.searchsorted(wanted, records)))
    for name in more:
        lost = lost.append_column(name, found.column(name).cast(pa.string()))
    parquet.write_table(lost, losses)
