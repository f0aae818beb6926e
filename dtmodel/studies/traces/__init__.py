"""Traces: read in batches, replayed under policies (packets or rates), generated from published distributions."""

from dtmodel.studies.traces.generating import PATTERNS, generated_packets
from dtmodel.studies.traces.rates import replay_rates
from dtmodel.studies.traces.reading import TraceColumns, read_batches
from dtmodel.studies.traces.replaying import PolicyLosses, replay_trace
from dtmodel.studies.traces.writing import RecordFile

__all__ = ["PATTERNS", "PolicyLosses", "RecordFile", "TraceColumns", "generated_packets", "read_batches",
           "replay_rates", "replay_trace"]  # fmt: skip
