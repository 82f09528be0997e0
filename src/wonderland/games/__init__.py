"""The games, one folder each, all of the same shape: found by themselves, importing only `core`.

A folder holds the components, the state, the rules (the truth), views, notation and words of its game.
"""
