"""L2BM packet by packet: Algorithm 1's recorder, in its printed reading and in named repairs."""

from dtmodel.packet.l2bm.algorithm import READINGS
from dtmodel.packet.l2bm.switch import Passage, PortPacket, passages
from dtmodel.packet.l2bm.trace import run_trace

__all__ = ["READINGS", "Passage", "PortPacket", "passages", "run_trace"]
