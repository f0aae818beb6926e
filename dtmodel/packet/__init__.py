"""The packet models: the papers' algorithms executed line by line."""
