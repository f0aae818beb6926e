"""Programs that measure the package beside strong alternatives in one run, and one that runs its network beside ns-3."""
