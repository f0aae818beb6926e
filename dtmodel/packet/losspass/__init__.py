"""LossPass packet by packet: Algorithm 1 in named readings, two class queues, tail drop beside it."""

from dtmodel.packet.losspass.algorithm import (
    READINGS,
    Arbiter,
    ArbiterRun,
    Arrival,
    Class,
    Decision,
    Departure,
    Event,
    Packet,
    PortSettings,
    QueueName,
    Reading,
    Step,
    run_arbiter,
)
from dtmodel.packet.losspass.trace import run_trace, stream_trace

__all__ = [
    "READINGS",
    "Arbiter",
    "ArbiterRun",
    "Arrival",
    "Class",
    "Decision",
    "Departure",
    "Event",
    "Packet",
    "PortSettings",
    "QueueName",
    "Reading",
    "Step",
    "run_arbiter",
    "run_trace",
    "stream_trace",
]
