"""The rational numbers of exact runs: gmpy2's if it is installed, else those of the standard library.

Results leave a run as a `Fraction` of Python's ints or as text: gmpy2 cannot compute with a `Fraction` of its integers.
"""

from fractions import Fraction
from importlib import import_module
from typing import Any

try:
    EXACT: Any = import_module("gmpy2").mpq
except ImportError:
    EXACT = Fraction
