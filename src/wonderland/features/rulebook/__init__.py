"""Rulebooks of the games: illustrated pages, and text for the terminal."""

COMMANDS = {"rules": "show the rulebook of a game"}
