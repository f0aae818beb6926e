"""The version of the package, which its distribution, `dtmodel-buffers`, takes from here."""

__version__ = "0.1.0"
