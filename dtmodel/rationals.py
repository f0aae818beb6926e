"""The rationals that exact runs compute with: gmpy2's where it is installed, else those of the standard library.

Both are exact, so that every run is the same in either; what leaves a run is a `Fraction` or its text.
"""

from fractions import Fraction
from importlib import import_module
from typing import Any

try:
    EXACT: Any = import_module("gmpy2").mpq
except ImportError:
    EXACT = Fraction
