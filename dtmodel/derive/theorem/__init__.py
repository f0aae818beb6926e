"""Derived theorems: cases, answers to questions, comparison with the engine, and certificates."""
