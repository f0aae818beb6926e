"""DynaQ packet by packet: Algorithm 1 line by line, and the port whose queues it limits.

- ``state`` and ``after`` are states of an explored port, ``label`` is the step between them.
- ``rules`` is the configuration of a port, ``sizes`` are the packet sizes that may arrive in an exploration.
"""

from dtmodel.packet.dynaq.algorithm import DynaQ, Ruling
from dtmodel.packet.dynaq.states import AnyOrder, PortState, Scheduled, ServedState, as_events
from dtmodel.packet.dynaq.trace import run_trace

__all__ = ["AnyOrder", "DynaQ", "PortState", "Ruling", "Scheduled", "ServedState", "as_events", "run_trace"]
