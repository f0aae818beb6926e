"""Programs that measure the package beside strong alternatives in one run, and the network beside ns-3."""
