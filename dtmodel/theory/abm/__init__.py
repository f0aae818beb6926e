"""ABM, a policy outside the papers: its parameter sheet."""
