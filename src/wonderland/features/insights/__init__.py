"""Insights: what many simulated games say about a game."""

COMMANDS = {"insights": "what simulation says about a game"}
