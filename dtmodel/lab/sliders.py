"""Sliders over functions that return a figure (ipywidgets); without ipywidgets, the figure alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST = 20
"""The largest number of values on a slider; of more, and of words, one chooses from a menu."""

Values = Mapping[str, tuple[Any, ...]]


def sliders(draw: Callable[..., Figure], values: Values) -> Any:
    """Show the figure of `draw` with a slider for each argument; without ipywidgets return the first figure.

    An argument whose values are words, or more than twenty, gets a menu in place of a slider.

    Parameters
    ----------
    draw : callable
        A pure function that returns a matplotlib figure.
    values : mapping from str to tuple
        The values that each argument can take, in order.

    Returns
    -------
    ipywidgets.Widget or matplotlib.figure.Figure

    Examples
    --------
    >>> from dtmodel import DT, Arrivals, Switch, simulate
    >>> def draw(alpha):
    ...     run = simulate(Switch(2, 6, 1), DT(alpha), {0: Arrivals.constant(3)}, until=4)
    ...     return run.plot()
    >>> from contextlib import redirect_stdout
    >>> from io import StringIO
    >>> with redirect_stdout(StringIO()):
    ...     shown = sliders(draw, {"alpha": (1, 2)})
    """
    from dtmodel.plot.picture import png_of

    first = {name: options[0] for name, options in values.items()}
    try:
        import ipywidgets
        from IPython.display import display
    except ImportError:
        return draw(**first)
    kinds = {False: ipywidgets.SelectionSlider, True: ipywidgets.Dropdown}
    chosen_by = {name: kinds[_is_menu(options)](options=options, description=name) for name, options in values.items()}
    shown = ipywidgets.interactive_output(lambda **chosen: display(draw(**chosen)), chosen_by)

    class Sliders(ipywidgets.HBox):  # type: ignore[misc]  # ipywidgets has no types
        """The sliders and the figure; viewers without Python show the figure of the first values."""

        def _repr_mimebundle_(self, **asked: Any) -> dict[str, Any]:
            bundle: dict[str, Any] = super()._repr_mimebundle_(**asked)
            return bundle | {"image/png": png_of(draw(**first))}

    return Sliders([ipywidgets.VBox(list(chosen_by.values())), shown])


def _is_menu(options: tuple[Any, ...]) -> bool:
    return len(options) > _MOST or not all(str(option)[:1].isdecimal() for option in options)
