"""Puzzles: positions with one clearly best choice, one for each day."""

COMMANDS = {"puzzles": "solve the puzzle of the day, or create new puzzles"}
