"""The words of executable statements: functions that run the engines, and observables of a run."""

from dtmodel.vocabulary.fluid import FLUID
from dtmodel.vocabulary.packets import PACKETS

__all__: list[str] = []

VOCABULARY = {**FLUID, **PACKETS}
"""All words by name."""
