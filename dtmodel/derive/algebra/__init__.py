"""Exact algebra for derivations: rational functions, signs, domains and identities, read from text and written."""
