"""The settings and numbers that the DynaQ paper prints."""

from fractions import Fraction

from dtmodel.base.units import bytes_, rate, seconds
from dtmodel.theory.dynaq.sheet import Preset


def hundredths(*values: str) -> tuple[Fraction, ...]:
    """Read quoted decimals."""
    return tuple(Fraction(value) for value in values)


KB = Fraction(1000)
"""The text's 62.5 KB for 1 Gbps and 500 us says that a KB is 1,000 bytes."""


def numbers(preset: Preset) -> tuple[Fraction, Fraction, Fraction, tuple[Fraction, ...]]:
    """Return B, the BDP, the packet and the weights of a preset."""
    B, C, RTT = bytes_(preset.buffer, "B"), rate(preset.rate, "C"), seconds(preset.rtt, "RTT")
    return B, C * RTT, bytes_(preset.packet, "L"), tuple(map(Fraction, preset.weights))


def active(stops: dict[int, Fraction], queues: int, time: Fraction) -> set[int]:
    """Return the queues that are active just after a time."""
    return {i for i in range(1, queues + 1) if i not in stops or stops[i] > time}
