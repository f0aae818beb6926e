"""The words of executable statements for our engines: what one can run, and what one sees in a run."""

from dtmodel.vocabulary.fluid import FLUID

__all__ = ["VOCABULARY"]

VOCABULARY = {**FLUID}
"""All words."""
