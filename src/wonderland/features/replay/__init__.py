"""Replays: step through recorded games, and play on from any position."""

COMMANDS = {"replay": "look at a recorded game and check it"}
PAGE_MODULES = ("pages", "what_if")
