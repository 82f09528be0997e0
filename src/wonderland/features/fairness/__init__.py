"""Fairness: verify that the shuffle of a recorded game matches the server's commitment."""

COMMANDS = {"verify": "verify that a recorded game was shuffled fairly"}
