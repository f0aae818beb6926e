"""Theorems as objects: their symbols, evaluation with error bounds, questions about them, and LaTeX."""
