"""DynaQ packet by packet: Algorithm 1 line by line, and the port that it guards."""

from dtmodel.packet.dynaq.algorithm import ADMISSIONS, TIE_BREAKS, VICTIMS, Amount, DynaQ, DynaQPort, Ruling
from dtmodel.packet.dynaq.trace import run_trace, stream_trace

__all__ = ["ADMISSIONS", "TIE_BREAKS", "VICTIMS", "Amount", "DynaQ", "DynaQPort", "Ruling", "run_trace", "stream_trace"]
