"""Insights: statistics of a game from many simulations."""

COMMANDS = {"insights": "show what simulations reveal about a game"}
