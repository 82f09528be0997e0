"""Bots for Parade: difficulty levels, the judge that evaluates decisions, and heuristics.

Bots see views, never states. Anything shown to people is in `ui`.
"""
