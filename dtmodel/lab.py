"""Jupyter widgets: sliders over pure functions that return a figure; without ipywidgets, the figure itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["burst", "burst_figure", "sliders"]

Values = Mapping[str, tuple[Any, ...]]


def burst_figure(policy: str = "DT", alpha: str = "1", steady: int = 2, bursts: int = 1, rate: int = 2) -> Figure:
    """Draw `bursts` bursts of `rate` times the port rate meeting `steady` steady ports in a 1 MB, 1 Gbps switch.

    Parameters
    ----------
    policy : {"DT", "EDT"}
        The buffer management policy; EDT with the settings of the DT/EDT paper, Section 5.1.
    alpha : str
        The control parameter, a number or "p/q".
    steady, bursts : int
        N and M.
    rate : int
        R / C.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> burst_figure(steady=1).axes[0].get_xlabel()
    'time (ms)'
    """
    from dtmodel import DT, EDT, Arrivals, Switch, plot, simulate

    switch = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
    arrivals = {port: Arrivals.burst(rate * switch.rate, "6 ms") for port in range(bursts)}
    arrivals |= {bursts + port: Arrivals.constant(2 * switch.rate) for port in range(steady)}
    law = DT(alpha) if policy == "DT" else EDT(alpha, Fraction(12000), "2.1 ms", "10 ms")
    initial = {bursts + port: "steady" for port in range(steady)}
    return plot.run(
        simulate(switch, law, arrivals, initial=initial, until="12 ms"), f"{policy}, N={steady}, M={bursts}"
    )


def sliders(draw: Callable[..., Figure], values: Values) -> Any:
    """Put a slider over each argument of `draw`; without ipywidgets return the figure of the first values.

    Parameters
    ----------
    draw : callable
        A pure function that returns a matplotlib figure.
    values : mapping from str to tuple
        The values that each argument can take, in order.

    Returns
    -------
    ipywidgets.Widget or matplotlib.figure.Figure
    """
    try:
        import ipywidgets
        from IPython.display import display
    except ImportError:
        return draw(**{name: options[0] for name, options in values.items()})
    chosen_by = {
        name: ipywidgets.SelectionSlider(options=options, description=name) for name, options in values.items()
    }
    shown = ipywidgets.interactive_output(lambda **chosen: display(draw(**chosen)), chosen_by)
    return ipywidgets.HBox([ipywidgets.VBox(list(chosen_by.values())), shown])


def burst() -> Any:
    """Explore a burst that meets steady ports: policy, alpha, N, M and R / C."""
    return sliders(
        burst_figure,
        {
            "policy": ("DT", "EDT"),
            "alpha": ("1", "1/4", "1/2", "2", "4", "8"),
            "steady": tuple(range(9)),
            "bursts": tuple(range(1, 8)),
            "rate": (2, 3, 4, 6, 8, 12, 16),
        },
    )
