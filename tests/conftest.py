"""The same tests everywhere: examples of Hypothesis, no time limit for one (machines differ), and caches that count.

Under continuous integration (``CI`` is set) no cache is trusted; `make verify` runs so. Here each command that shows
a claim would build Coq's development anew.

Tools beside Python and make are optional. A test that cannot run without one is marked, as in
``pytest.mark.needs("coq")``, and skipped with the reason where the tool is missing; ``-m needs`` selects all of them.
"""

import gc
import os
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.pop("CI", None)
settings.register_profile(
    "dtmodel", deadline=None, derandomize=True, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("dtmodel")

gc.disable()  # until the tests are collected: nothing of them is garbage, and looking for some doubles the time


def _program(*names: str) -> Callable[[], str]:
    return lambda: "" if any(map(shutil.which, names)) else f"{' or '.join(names)} is not on the path"


def _coq() -> str:
    from dtmodel.ledger.provers import coq

    return coq.unavailable()


def _native() -> str:
    from dtmodel.native import library

    status = library.status()
    return "" if status == "native core" else status


def _chromium() -> str:
    from docs.browser import CHROMIUM, chromium

    return "" if chromium() else f"none of {', '.join(CHROMIUM)} is on the path"


def _ns3() -> str:
    from benchmarks.ns3.star import unavailable

    return unavailable()


def _playwright() -> str:
    from docs.browser import browser_tools

    tools = browser_tools()
    return tools if isinstance(tools, str) else ""


MISSING: Mapping[str, Callable[[], str]] = {
    "chromium": _chromium,
    "compiler": _program("c++", "g++", "clang++"),
    "coq": _coq,
    "git": _program("git"),
    "native": _native,
    "ns3": _ns3,
    "playwright": _playwright,
}
"""The optional tools, each with the reason why it cannot be used here; the empty string if it can."""


SLOW = frozenset((Path(__file__).parent / "slow.txt").read_text("utf-8").splitlines()[1:])
"""The cases that only `make exhaustive` runs, besides those that are marked."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the slow cases."""
    for item in items:
        if item.nodeid in SLOW:
            item.add_marker("exhaustive")


def pytest_collection_finish() -> None:
    """Collect garbage again, but never among the tests themselves, and seldom: what tests share is never garbage."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    gc.enable()


@cache
def missing(tool: str) -> str:
    """Return why an optional tool cannot be used here; the empty string if it can."""
    return MISSING[tool]()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose mark names a tool that is missing."""
    for mark in item.iter_markers("needs"):
        for tool in mark.args:
            if reason := missing(tool):
                pytest.skip(f"needs {tool}: {reason}")
