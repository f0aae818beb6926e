"""Traces: read in batches, replayed under policies (packets or rates), generated from published distributions."""

from dtmodel.traces.generating import PATTERNS, generated_packets
from dtmodel.traces.rates import replay_rates
from dtmodel.traces.reading import TraceColumns, read_batches
from dtmodel.traces.replaying import PolicyLosses, replay_trace
from dtmodel.traces.writing import RecordFile

__all__ = [
    "PATTERNS",
    "PolicyLosses",
    "RecordFile",
    "TraceColumns",
    "generated_packets",
    "read_batches",
    "replay_rates",
    "replay_trace",
]
