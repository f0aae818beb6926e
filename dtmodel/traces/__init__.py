"""Traces of packets at any length: read in batches, replayed under policies, generated from published distributions."""

from dtmodel.traces.generating import PATTERNS, generated_packets
from dtmodel.traces.reading import TraceColumns, read_batches
from dtmodel.traces.replaying import PolicyLosses, replay_trace

__all__ = ["PATTERNS", "PolicyLosses", "TraceColumns", "generated_packets", "read_batches", "replay_trace"]
