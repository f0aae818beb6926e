"""Pictures of derived theorems, one script each."""

UNDRAWN: dict[str, str] = {}
