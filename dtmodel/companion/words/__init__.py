"""The vocabulary of executable statements: functions that run the engines, and observables of a run."""

from dtmodel.companion.words.fluid import FLUID
from dtmodel.companion.words.packets import PACKETS

__all__: list[str] = []

VOCABULARY = {**FLUID, **PACKETS}
"""All functions by the names that statements use."""
