"""Hypothesis runs the same examples everywhere, without a time limit for one example (machines differ)."""

from hypothesis import settings

settings.register_profile("dtmodel", deadline=None, derandomize=True, database=None)
settings.load_profile("dtmodel")
