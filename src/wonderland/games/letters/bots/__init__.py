"""Bots for Letters: difficulty levels, the judge that evaluates decisions, heuristics, the solved game.

Bots see views, never states. Anything shown to people is in `ui`.
"""
