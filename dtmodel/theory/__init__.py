"""The papers' statements in SymPy, with exact numeric evaluation; one file a system."""
