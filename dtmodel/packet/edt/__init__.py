"""EDT packet by packet: the state machine with real counters and timers."""

from dtmodel.packet.edt.trace import run_trace, stream_trace
from dtmodel.policies.edt_circuit import READINGS, CircuitSettings, EdtPolicy, EdtPort, Reading

__all__ = ["READINGS", "CircuitSettings", "EdtPolicy", "EdtPort", "Reading", "run_trace", "stream_trace"]
