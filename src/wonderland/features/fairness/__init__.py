"""Fairness: verifies that a recorded game was shuffled as its server had promised."""

COMMANDS = {"verify": "check that nobody chose the luck of a recorded game"}
