"""The rules of Letters: components, states, legal actions, scoring, views and notation.

Pure functions on frozen values: no clock, no randomness, no drawing. Code cites the rule numbers of
RULES.md.
"""
