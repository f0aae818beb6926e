"""Every statement of `dtmodel.theory`, found by walking its modules."""

import importlib
import pkgutil

import dtmodel.theory
from dtmodel.theorems.statement import Statement


def statements() -> dict[str, Statement]:
    """Return the statements by id."""
    modules = [
        importlib.import_module(m.name) for m in pkgutil.walk_packages(dtmodel.theory.__path__, "dtmodel.theory.")
    ]
    return {value.id: value for module in modules for value in vars(module).values() if isinstance(value, Statement)}
