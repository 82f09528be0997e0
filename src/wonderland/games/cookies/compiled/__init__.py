"""Cookies compiled with Cython: fast playouts, batches and search.

Each module also runs as plain Python, and law 10 ties it to the readable rules in `rules/`.
"""
