"""EDT packet by packet: the state machine with real counters and timers."""

from dtmodel.packet.edt.trace import run_trace
from dtmodel.policies.edt_circuit import READINGS

__all__ = ["READINGS", "run_trace"]
