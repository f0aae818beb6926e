"""The rationals that exact runs compute with: gmpy2's where it is installed, else those of the standard library.

Both are exact, so that every run is the same in either. What leaves a run is a `Fraction` of Python's integers, or
a text: with a `Fraction` that was made of one of its own numbers gmpy2 cannot compute.
"""

from fractions import Fraction
from importlib import import_module
from typing import Any

try:
    EXACT: Any = import_module("gmpy2").mpq
except ImportError:
    EXACT = Fraction
