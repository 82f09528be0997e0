"""Parade compiled with Cython: games, batches and searches at full speed.

Each module also runs as plain Python, and law 10 checks it against the readable rules.
"""
