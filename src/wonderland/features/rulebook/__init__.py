"""The rulebooks of the games, as pages with illustrations and as text."""

COMMANDS = {"rules": "show the rulebook of a game"}
