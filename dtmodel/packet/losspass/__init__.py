"""LossPass packet by packet: Algorithm 1 in named readings with two class queues, and tail drop for comparison."""

from dtmodel.packet.losspass.algorithm import READINGS, ArbiterRun, Arrival, Departure, PortSettings, run_arbiter
from dtmodel.packet.losspass.picture import draw
from dtmodel.packet.losspass.trace import run_trace

__all__ = ["READINGS", "ArbiterRun", "Arrival", "Departure", "PortSettings", "draw", "run_arbiter", "run_trace"]
