"""The slide on a single timeout: by which factor it lengthens a flow, by the size of the flow.

A flow of S bytes alone takes RTT + S/C; a timeout adds the shortest one of its section. The dots are the two flows of
the introduction, 10 KB and 10 MB.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.plot.style import Figure

SETTINGS = {
    "testbed: 10 ms, 500 us, 1 Gbps": (Fraction(10, 1000), Fraction(500, 10**6), Fraction(10**9, 8)),
    "simulations: 5 ms, 85.2 us, 10 Gbps": (Fraction(5, 1000), Fraction(852, 10**7), Fraction(10**10, 8)),
}
"""Timeout, base round-trip time (s) and link (bytes a second) of Sections 5.1 and 5.2."""
SIZES = tuple(round(10 ** (3 + i / 8)) for i in range(41))
SMALL, LARGE = 10_000, 10_000_000


@dataclass(frozen=True)
class FigureData:
    """The factors by setting, for each of the sizes, and at 10 KB and 10 MB."""

    sizes: tuple[int, ...]
    factors: dict[str, tuple[Fraction, ...]]
    quoted: dict[str, tuple[Fraction, Fraction]]


def lengthened(size: int, timeout: Fraction, rtt: Fraction, rate: Fraction) -> Fraction:
    """Return 1 + T/(RTT + S/C)."""
    return 1 + timeout / (rtt + size / rate)


def data() -> FigureData:
    """Evaluate the factor for 1 KB to 100 MB."""
    factors = {name: tuple(lengthened(size, *setting) for size in SIZES) for name, setting in SETTINGS.items()}
    quoted = {name: (lengthened(SMALL, *setting), lengthened(LARGE, *setting)) for name, setting in SETTINGS.items()}
    return FigureData(SIZES, factors, quoted)


def draw(shown: FigureData) -> Figure:
    """Draw the factors on logarithmic axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.8), layout="constrained")
    axes = figure.add_subplot()
    for name, factors in shown.factors.items():
        (line,) = axes.plot(shown.sizes, [float(factor) for factor in factors], label=name)
        axes.plot([SMALL, LARGE], [float(factor) for factor in shown.quoted[name]], "o", color=line.get_color(), label=(
            "10 KB and 10 MB" if name == next(reversed(shown.factors)) else None))  # fmt: skip
    axes.axhline(1, color="0.7", lw=0.8)
    axes.set(xlabel="flow size (bytes)", ylabel="factor by one timeout", xscale="log", yscale="log")
    axes.legend(frameon=False, fontsize="small")
    return figure


def published(shown: FigureData) -> list[tuple[str, str, str]]:
    """Compare with the introduction's flows."""
    rows = []
    for name, (small, large) in shown.quoted.items():
        rows.append((f"10 KB, {name.partition(':')[0]}", "fatal", f"{float(small):.1f} times as long"))
        rows.append((f"10 MB, {name.partition(':')[0]}", "trivial", f"{float(large):.2f} times as long"))
    return rows
