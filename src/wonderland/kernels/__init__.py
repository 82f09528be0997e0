"""Shared code of the compiled games: batches, bit sets, random numbers, and the Cython fallback.

A game's own kernel is in its folder `compiled/`. Nothing here depends on the rules of a game.
"""
