"""Coq: theorems of a development that builds, with pinned statements, definitions and axioms."""
