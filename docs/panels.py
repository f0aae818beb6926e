"""The panels of the lab as pages of their own, which move without Python: over grids of answers, computed now."""

from collections.abc import Callable
from functools import partial

from dtmodel import lab
from dtmodel.lab.panel import Panel

PANELS: dict[str, tuple[str, Callable[[], Panel], tuple[str, ...]]] = {
    "explorer": ("when a burst drops under DT, by alpha and its duration", lab.threshold_explorer, ("alpha", "length")),
    "designer": ("what EDT's settings protect, by ports and duration", lab.edt_designer, ("ports", "length")),
    **{
        name: (f"{title}, event by event", partial(lab.packet_player, name), ("step",))
        for name, title in (
            ("losspass", "LossPass evicts"),
            ("dynaq", "DynaQ moves thresholds"),
            ("l2bm", "L2BM records sojourn times"),
            ("edt", "EDT sets a port free"),
            ("losspass.ours.any-size.small", "a small packet is lost under LossPass"),
        )
    },
}
"""By name: what is to be seen, the panel, and its sliders that move on the page."""


def pages() -> dict[str, bytes]:
    """Return the pages, by where they stand in the site."""
    return {f"panels/{name}.html": panel().page(over).encode() for name, (_, panel, over) in PANELS.items()}


def links(folder: str) -> str:
    """Return a list of links to the pages, in Markdown.

    Parameters
    ----------
    folder : str
        Where the panels stand, as seen from the page of the links.

    Examples
    --------
    >>> print(links("../panels").splitlines()[0])
    - <a href="../panels/explorer.html">when a burst drops under DT, by alpha and its duration</a>
    """
    return "\n".join(f'- <a href="{folder}/{name}.html">{says}</a>' for name, (says, *_) in PANELS.items())
