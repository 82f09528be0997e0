"""Insights: statistics of a game from many simulations."""

COMMANDS = {"insights": "what simulation says about a game"}
