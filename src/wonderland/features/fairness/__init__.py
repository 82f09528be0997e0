"""Fairness: verify that a recorded game was shuffled as its server had committed to."""

COMMANDS = {"verify": "check that nobody chose the luck of a recorded game"}
