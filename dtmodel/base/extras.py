"""What a plain install does not bring: which extra brings it, and a named error before any work is begun."""

from importlib.util import find_spec

from dtmodel.base.errors import ExtraError

EXTRAS = {
    "anywidget": "lab",
    "cvc5": "ledger",
    "flint": "derive",
    "hypothesis": "strategies",
    "ipykernel": "lab",
    "ipywidgets": "lab",
    "jinja2": "ledger",
    "joblib": "ledger",
    "jupyterlab": "lab",
    "matplotlib": "plot",
    "pyarrow": "sweep",
    "scipy": "numeric",
    "xarray": "sweep",
    "z3": "ledger",
}
"""The packages that may be missing, and the extra that brings each."""


def need(*packages: str) -> None:
    """Refuse to begin without these packages.

    Raises `ExtraError` naming the first that is missing and the command that installs it.

    >>> need("matplotlib")
    """
    for package in packages:
        if not _installed(package):
            raise ExtraError(package, EXTRAS[package])


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # it is in sys.modules without a specification
        return False
