"""Puzzles: positions in which one choice is clearly best, one for each day."""

COMMANDS = {"puzzles": "one position a day in which one choice is clearly best"}
