"""Figures that a notebook shows without ``%matplotlib inline``, and the bytes of their pictures."""

from io import BytesIO
from typing import final

from matplotlib.figure import Figure


@final
class Picture(Figure):
    """A matplotlib figure that is its own rich display."""

    def _repr_png_(self) -> bytes:
        return png_of(self)


def png_of(figure: Figure) -> bytes:
    """Return a figure as a PNG."""
    picture = BytesIO()
    figure.savefig(picture, format="png", dpi=100)
    return picture.getvalue()
