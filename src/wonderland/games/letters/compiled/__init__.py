"""Letters compiled with Cython: plays, batches and searches at full speed.

Compiled modules only: each also runs as plain Python, and law 10 ties it to the readable rules.
"""
