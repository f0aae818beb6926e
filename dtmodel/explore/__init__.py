"""Explicit-state exploration of the packet models."""
