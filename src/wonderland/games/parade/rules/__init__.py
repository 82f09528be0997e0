"""The rules of Parade: components, states, legal actions, scoring, views and notation.

Pure functions on frozen values: no clock, no randomness, no rendering. Comments cite the rule numbers
of RULES.md.
"""
