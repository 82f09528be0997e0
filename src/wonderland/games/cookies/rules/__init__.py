"""The rules of Cookies: components, states, legal actions, scoring, views and notation.

Pure functions on frozen values: no clock, no random numbers, no rendering. Numbers such as C9 in
comments refer to RULES.md.
"""
