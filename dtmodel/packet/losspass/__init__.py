"""LossPass packet by packet: Algorithm 1 in named readings, two class queues, tail drop beside it."""

from dtmodel.packet.losspass.algorithm import (
    READINGS,
    Arbiter,
    Arrival,
    Class,
    Decision,
    Departure,
    Event,
    Packet,
    Queue,
    Reading,
    Run,
    Settings,
    Step,
    run,
)
from dtmodel.packet.losspass.trace import run_trace, stream_trace

__all__ = [
    "READINGS",
    "Arbiter",
    "Arrival",
    "Class",
    "Decision",
    "Departure",
    "Event",
    "Packet",
    "Queue",
    "Reading",
    "Run",
    "Settings",
    "Step",
    "run",
    "run_trace",
    "stream_trace",
]
