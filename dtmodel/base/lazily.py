"""Names of a package that load their module on first use, so that commands start fast."""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def attributes(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a package's ``__getattr__``, from the public names in each of its modules; modules are found, too."""
    module_of = {name: module for module, names in homes.items() for name in names.split()}

    def attribute(name: str) -> Any:
        if name in module_of:
            return getattr(import_module(f"{package}.{module_of[name]}"), name)
        try:
            if not name.startswith("_"):
                return import_module(f"{package}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{package}.{name}":
                raise
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return attribute
