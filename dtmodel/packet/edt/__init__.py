"""EDT packet by packet: the state machine with real counters and timers."""

from dtmodel.packet.edt.trace import run_trace, stream_trace
from dtmodel.policies.edt_circuit import READINGS, EdtPolicy, Port, Reading, Settings

__all__ = ["READINGS", "EdtPolicy", "Port", "Reading", "Settings", "run_trace", "stream_trace"]
