"""Buffer in use when the first packets of bursts are lost, by the numbers M of bursts and N of steady ports.

16 ports, alpha = 1, every overloaded port offered 2 C. Lines: Theorem 1 for DT, our theorem for EDT (the whole
buffer); rings: the exact fluid engine; crosses: packets of 1500 bytes.
"""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.base import units
from dtmodel.plot.style import PALETTE, Figure, policy_style
from dtmodel.theory.edt.drops import Bursts

from .burst_panels import ALPHA, MS, B, C, P, Traffic, axes_of, fluid, packets, panels

ENGINE = ((1, 0), (1, 2), (4, 2), (4, 3), (8, 0), (8, 8))


@dataclass(frozen=True)
class FigureData:
    """The part of the buffer in use at the first loss: by theory for all M and N, by the engine for some."""

    dt: dict[tuple[int, int], Fraction]
    edt: dict[tuple[int, int], Fraction]
    engine: dict[tuple[str, int, int], Fraction]
    packets: dict[tuple[str, int, int], float]


def data() -> FigureData:
    """Compute the buffer in use for all M + N <= 16."""
    cases = [(M, N) for M in range(1, P + 1) for N in range(P - M + 1)]
    dt, edt = {}, {}
    for M, N in cases:
        s = Bursts(ALPHA, B, C, M, N, 2 * C)
        dt[M, N] = 1 - s.r * s.dt_drop / ALPHA / B
        steady = Fraction(0) if s.slow or not N else ALPHA * B / (1 + ALPHA * N) - C * s.overflow
        edt[M, N] = (M * s.r * s.overflow + N * steady) / B
    engine = {}
    for name in ("dt", "edt"):
        for M, N in ENGINE:
            run = fluid(name, [Traffic()] * M + [Traffic(steady=True)] * N, 9 * MS)
            free = run.free_at_first_drop(0)
            engine[name, M, N] = 1 - (free if free is not None else B) / B
    found = {(name, M, N): packets_in_use(name, M, N) for name in ("dt", "edt") for M, N in ENGINE[:4]}
    return FigureData(dt, edt, engine, found)


def packets_in_use(name: str, M: int, N: int) -> float:
    """Return the part of the memory in use at the first drop of the packet engine."""
    traffic = [Traffic()] * M + [Traffic(steady=True)] * N
    lost = packets({"dt": "dt", "edt": "circuit"}[name], traffic, 9 * MS).first_drop(0)
    return 1.0 if lost is None else 1 - float(lost.free / float(B))


def published(data: FigureData) -> list[tuple[str, object, object]]:
    """Compare with the quoted numbers."""
    return [
        ("DT: least part in use", "50.0 %", units.show_percent(min(data.dt.values()))),
        ("EDT: least part in use", "almost 100 %", units.show_percent(min(data.edt.values()))),
        ("DT: always less with fewer ports", True, data.dt[4, 2] < data.dt[4, 3]),
    ]


def draw(data: FigureData) -> Figure:
    """Draw one line for each of some M."""
    figure, (axes,) = panels(1, "Buffer in use at the first loss of a burst")
    for M, marker in ((1, "o"), (2, "^"), (4, "s"), (8, "D")):
        xs = [N for m, N in data.dt if m == M]
        axes.plot(xs, [100 * float(data.dt[M, N]) for N in xs], **policy_style("DT").drawn, marker=marker, ms=4,
                  lw=1, label=f"DT, M = {M}")  # fmt: skip
    axes.plot(
        range(P), [100 * float(data.edt[1, N]) for N in range(P)], **policy_style("EDT").drawn, label="EDT, every M"
    )
    exact = [(N, 100 * float(part)) for (_, _, N), part in data.engine.items()]
    axes.plot(*zip(*exact, strict=True), "o", ms=10, mfc="none", mec="black", label="exact engine")
    packets = [(N, 100 * used) for (_, _, N), used in data.packets.items()]
    axes.plot(*zip(*packets, strict=True), "x", color="black", label="with packets")
    axes.plot(0, 50, "*", ms=14, mfc=PALETTE[4], mec="black", zorder=5, label="published: least, 50 %")
    axes_of(axes, {"xlabel": "steady ports N", "ylabel": "buffer in use (%)"})
    axes.legend(frameon=False, fontsize="small", ncols=2, loc="lower right")
    return figure
