"""The trade-off of ECN in the model, on the testbed of Section 5.1: throughput and absorbable burst for each K."""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.theory.losspass.ecn import Sawtooth, headroom
from dtmodel.theory.losspass.formulas import full_port

PIPE, BUFFER, MTU = Fraction(62_500), Fraction(128_000), Fraction(1500)
FLOWS, SHARE = 2, Fraction("0.95")


@dataclass(frozen=True)
class Point:
    """Throughput as a share of the link, and the absorbable burst in bytes, for K packets (None: LossPass)."""

    K: int | None
    throughput: Fraction
    burst: Fraction


def point(K: int, cut: Fraction) -> Point:
    """ECN with two background flows, windows that grow once an actual round trip."""
    saw = Sawtooth(PIPE, K * MTU, FLOWS, cut, MTU, BUFFER)
    return Point(K, saw.utilisation("actual"), headroom(BUFFER, K * MTU, FLOWS, MTU))


def losspass_point() -> Point:
    """LossPass at a full port without marks: windows are halved at B, and B tau bytes can be evicted."""
    saw = Sawtooth(PIPE, BUFFER, FLOWS, Fraction(1, 2), MTU, BUFFER)
    return Point(None, saw.utilisation("actual"), full_port(BUFFER, SHARE))
