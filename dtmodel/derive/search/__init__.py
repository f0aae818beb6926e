"""The search for a theorem: a family of scenarios, its paths through the fluid engine, cells, regions and faces."""
