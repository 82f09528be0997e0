"""Rulebooks of the games: illustrated pages, and text for the terminal."""

COMMANDS = {"rules": "show a game's rulebook"}
