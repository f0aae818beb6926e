"""Mutation testing: deliberate errors in the formulas and algorithms, and what notices them (see README.md)."""
