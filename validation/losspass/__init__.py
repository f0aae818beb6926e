"""Validation of the LossPass paper and slides: claims, checks against simulators and published numbers, figures."""
