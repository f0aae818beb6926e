"""Exact algebra of a derivation: rational functions, signs, domains, identities, and how they are read and written."""
