"""The panels of the site by name, and the data that is computed once for those that run in a browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from dtmodel.lab.assets import made
from dtmodel.lab.designer import edt_designer
from dtmodel.lab.explorer import threshold_explorer
from dtmodel.lab.forms import chip, corrections, derivation
from dtmodel.lab.game import adversary
from dtmodel.lab.panel import Panel
from dtmodel.lab.player import PacketPlayer, packet_player
from dtmodel.lab.story import STEPS
from dtmodel.policies.dt import DT


class Published(NamedTuple):
    """A panel on the site: the line of a link to it, the panel, the sliders that move without Python, its library."""

    says: str
    make: Callable[[], Panel]
    over: tuple[str, ...]
    needs: str = ""


_PLAYERS = {
    "losspass": "LossPass evicts",
    "dynaq": "DynaQ moves thresholds",
    "l2bm": "L2BM records sojourn times",
    "edt": "EDT sets a port free",
    "losspass.ours.any-size.small": "a small packet is lost under LossPass",
}

PANELS: Mapping[str, Published] = {
    "explorer": Published("when a burst drops under DT, and where the theorems fail", threshold_explorer,
                          ("alpha", "length")),
    "designer": Published("the protection that EDT's settings give", edt_designer, ("ports", "length")),
    "derive": Published("a theorem derived for a policy and classes of queues", derivation, (), "sympy"),
    "adversary": Published("a policy, your packets, and an optimum that has read them in advance",
                           partial(adversary, DT(1)), ()),
    "chip": Published("the checks of a switch's buffer profile, which stays in the page", chip, (), "sympy"),
    "errata": Published("what is false as printed, with the witness that shows it", corrections, (), "sympy"),
    **{name: Published(f"{title}, event by event", partial(packet_player, name), ("step",))
       for name, title in _PLAYERS.items()},
}  # fmt: skip
"""The panels of the site, by the name of their page."""


def recorded() -> dict[str, list[Any]]:
    """Return the trace, title and sentence of each packet player, so that a browser need not replay a witness."""
    players = {name: packet_player(name) for name in _PLAYERS}
    return {name: [player.request, player.name, player.says] for name, player in players.items()}


def restored() -> dict[str, Panel]:
    """Return all panels; where `recorded` data was computed before, the players are made from it.

    >>> sorted(restored())[:3]
    ['adversary', 'chip', 'derive']
    """
    players = {name: PacketPlayer(*data) for name, data in (made("players") or recorded()).items()}
    steps = {f"story.{name}": step for name, step in STEPS.items()}
    return {name: players.get(name) or panel.make() for name, panel in PANELS.items()} | steps
