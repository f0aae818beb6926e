"""The panels of the lab as pages: recorded answers over a grid, and live where Python runs in the browser."""

from dtmodel.lab.panels import PANELS


def pages(*, live: bool) -> dict[str, bytes]:
    """Return the pages, by where they stand in the site; with `live`, the site has Python for the browser."""
    return {
        f"panels/{name}.html": panel.make().page(panel.over, ("../python/python.js", name) if live else None).encode()
        for name, panel in PANELS.items()
    }


def links(folder: str) -> str:
    """Return a list of links to the pages, in Markdown.

    Parameters
    ----------
    folder : str
        Where the panels stand, as seen from the page of the links.

    Examples
    --------
    >>> print(links("../panels").splitlines()[0])
    - <a href="../panels/explorer.html">when a burst drops under DT, and where the theorems fail</a>
    """
    return "\n".join(f'- <a href="{folder}/{name}.html">{panel.says}</a>' for name, panel in PANELS.items())
