"""Packages that a plain install does not include: the extra of each, and an error before work begins without it."""

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
"""The optional packages, and the extra that installs each."""


def need(*packages: str) -> None:
    """Raise `ExtraError` if one of these packages is missing; it names the command that installs it."""
    for package in packages:
        if not _installed(package):
            raise ExtraError(package, EXTRAS[package])


def _installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # a module in sys.modules without a spec
        return False
