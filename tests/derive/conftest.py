"""The families stand beside the tests."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def enhanced_dt():
    """Derive the theorem about Enhanced DT once, for the tests of the group of this name: it takes longest."""
    import families

    from dtmodel.derive import derive

    return derive(families.EDT)
