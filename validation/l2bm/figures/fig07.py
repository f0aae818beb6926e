"""Figure 7(d), pause frames by TCP load, redrawn from Table II: L2BM has the fewest from load 0.5 on, not at 0.4.

A zero is drawn at the foot of the logarithmic axis. The rows compare what the text says with the table.
"""

from dataclasses import dataclass

from dtmodel.plot.style import Figure, policy_style

from ..published import LOADS, PAUSES


@dataclass(frozen=True)
class PauseFrames:
    """TCP loads, the pause frames of each algorithm at them, and which algorithms have the fewest at each load."""

    loads: tuple[str, ...]
    frames: dict[str, tuple[int, ...]]
    fewest: tuple[tuple[str, ...], ...]


def data() -> PauseFrames:
    """Table II, and the algorithms with the fewest pause frames at each load."""
    fewest = []
    for column in range(len(LOADS)):
        least = min(row[column] for row in PAUSES.values())
        fewest.append(tuple(name for name, row in PAUSES.items() if row[column] == least))
    return PauseFrames(LOADS, dict(PAUSES), tuple(fewest))


def draw(found: PauseFrames) -> Figure:
    """Draw the frames on a logarithmic axis."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    for marker, (name, row) in zip("sovD", found.frames.items(), strict=True):
        drawn = [max(frames, 0.5) for frames in row]
        axes.plot([float(load) for load in found.loads], drawn, marker=marker, label=name, **policy_style(name).drawn)
    axes.set(xlabel="TCP load", ylabel="pause frames", yscale="log", xticks=[float(load) for load in found.loads])
    axes.axhline(0.5, color="0.6", lw=0.8, ls=":", label="here: no pause frame")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize="small")
    return figure


def published(found: PauseFrames) -> list[tuple[str, str, str]]:
    """What the text says, and what the table has."""
    last = {name: row[-1] for name, row in found.frames.items()}
    return [
        ("DT at load 0.8", "more than 10000", str(last["DT"])),
        ("ABM at load 0.8", "about 500", str(last["ABM"])),
        ("DT2 at load 0.8", "about 500", str(last["DT2"])),
        ("L2BM at load 0.8", "very few or none", str(last["L2BM"])),
        ("fewest at load 0.4", "L2BM", ", ".join(found.fewest[0])),
        ("fewest at load 0.8", "L2BM", ", ".join(found.fewest[-1])),
    ]
