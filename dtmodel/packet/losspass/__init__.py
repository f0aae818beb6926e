"""LossPass packet by packet: Algorithm 1 in named readings, two class queues, tail drop beside it."""

from dtmodel.packet.losspass.trace import run_trace, stream_trace

__all__ = ["run_trace", "stream_trace"]
