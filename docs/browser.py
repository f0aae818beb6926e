"""The browser that looks at what was built: Debian's Chromium, driven by Playwright, with axe-core."""

import shutil
from pathlib import Path
from typing import Any

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """Return the path of Chromium, or the empty string if there is none."""
    return next(filter(None, map(shutil.which, CHROMIUM)), "")


def firefox() -> str:
    """Return the path of Firefox, or the empty string if there is none."""
    return shutil.which("firefox-esr") or shutil.which("firefox") or ""


BROWSERS = {"chromium": chromium, "firefox": firefox}
"""The path of each browser by its name; the empty string if it is not installed."""


def command(browser: str, profile: Path) -> list[str]:
    """Return the command that opens a page without a window, for a browser that is installed; an address follows."""
    path = BROWSERS[browser]()
    if browser == "firefox":
        return [path, "--headless", "--no-remote", "--profile", str(profile)]
    quiet = ("--disable-background-networking", "--disable-component-update", "--disable-sync")
    return [path, "--headless=new", "--no-sandbox", "--disable-gpu", *quiet, f"--user-data-dir={profile}"]


def browser_tools() -> tuple[Any, type[Any], str] | str:
    """Return Playwright's entrance, the class of axe-core and the path of Chromium; or what is missing.

    The project keeps none of them: Chromium is the system's, ``playwright`` and ``axe-playwright-python`` (which brings
    axe-core) come from the package index.
    """
    try:
        from axe_playwright_python.sync_playwright import Axe
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError as error:
        return f"{error.name} is not installed"
    path = chromium()
    return (sync_playwright, Axe, path) if path else "there is no Chromium"
