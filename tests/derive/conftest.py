"""The families stand beside the tests."""

import sys
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def enhanced_dt():
    """Derive the theorem about Enhanced DT once, for the tests of the group of this name: it takes longest."""
    import families

    from dtmodel.derive import derive

    return derive(families.EDT)


@pytest.fixture(scope="session")
def theorem1():
    """Derive Theorem 1, for the tests of how a theorem is used and compared."""
    import families

    from dtmodel.derive import derive

    return derive(families.THEOREM1)


@pytest.fixture
def looks(monkeypatch):
    """Let a clock go on by a second whenever it is read."""
    from dtmodel.derive.algebra import clock
    from dtmodel.derive.theorem import check, comparing

    ticks = SimpleNamespace(monotonic=count().__next__)
    for module in (check, comparing, clock):
        monkeypatch.setattr(module, "time", ticks)
