"""Puzzles: positions with one clearly best choice, one for each day."""

COMMANDS = {"puzzles": "one position a day in which one choice is clearly best"}
