"""Bots of Cookies: the levels, the judge that evaluates actions, and the heuristics.

Bots see views, never states. Presentation is in `ui`.
"""
