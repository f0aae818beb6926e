"""The page of the house: rooms and arrows as the imports are, and walks through modules that are there."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from docs import house

GUIDE = Path(house.__file__).parent / "source" / "guides" / "house.md"


def test_the_picture_has_every_room_above_the_rooms_that_it_imports() -> None:
    arrows = house.rooms()
    floor = {room: n for n, level in enumerate(house.floors(arrows)) for room in level}
    assert floor.keys() == arrows.keys() >= {"base", "fluid", "theory", "ledger", "cli"}
    assert [(room, other) for room, below in arrows.items() for other in below if floor[room] >= floor[other]] == []
    assert house.picture(arrows).count("<rect") == len(arrows)


def test_rooms_that_import_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match=r"fluid, plot import each other in a circle"):
        house.floors({"fluid": {"plot", "base"}, "plot": {"fluid"}, "base": set()})


def test_theory_and_the_simulators_do_not_import_each_other() -> None:
    arrows = house.rooms()
    assert not arrows["theory"] & {"fluid", "packet", "native"}
    assert "theory" not in arrows["fluid"] | arrows["packet"]
    assert arrows["ledger"] == {"base"}


def test_the_walks_name_modules_that_are_there() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    named = sorted(set(re.findall(r"`(dtmodel(?:\.\w+)+)`", text)))
    assert len(named) > 15
    assert [name for name in named if not _there(name)] == []
    page = house.page(GUIDE)
    assert "<svg" in page
    assert "{{" not in page


def _there(name: str) -> bool:
    """Whether a module, or a name in one, or a member of a class in one, is there."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        try:
            found: object = import_module(".".join(parts[:n]))
        except ModuleNotFoundError:
            continue
        for part in parts[n:]:
            found = getattr(found, part, None)
        return found is not None
    return False
