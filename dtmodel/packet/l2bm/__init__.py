"""L2BM packet by packet: Algorithm 1's recorder, in its printed reading and in named repairs."""

from dtmodel.packet.l2bm.algorithm import READINGS, Recorder, dequeue, enqueue, mean
from dtmodel.packet.l2bm.trace import run_trace, stream_trace

__all__ = ["READINGS", "Recorder", "dequeue", "enqueue", "mean", "run_trace", "stream_trace"]
