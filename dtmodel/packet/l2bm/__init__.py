"""L2BM packet by packet: Algorithm 1's recorder, in its printed reading and in named repairs."""

from dtmodel.packet.l2bm.algorithm import READINGS
from dtmodel.packet.l2bm.ingress import IngressPacket, Moment, ingress_moments, steady_arrivals
from dtmodel.packet.l2bm.switch import Passage, PortPacket, passages
from dtmodel.packet.l2bm.trace import run_trace

__all__ = ["READINGS", "IngressPacket", "Moment", "Passage", "PortPacket", "ingress_moments", "passages", "run_trace",
           "steady_arrivals"]  # fmt: skip
