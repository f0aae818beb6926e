"""The theorem as an object: its symbols, how it is evaluated and asked, rounding in arrays, and how it is written."""
