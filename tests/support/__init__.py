"""Helpers shared by tests, campaigns, benchmarks and scripts; `tests` is on their path."""
