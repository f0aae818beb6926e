"""ABM beside the papers: its parameter sheet."""
