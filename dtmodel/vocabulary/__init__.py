"""The words of executable statements for our engines: what one can run, and what one sees in a run."""

from dtmodel.vocabulary.fluid import FLUID
from dtmodel.vocabulary.packets import PACKETS

VOCABULARY = {**FLUID, **PACKETS}
"""All words."""
