"""Replays: recorded games, step by step, and tables that go on from any position."""

COMMANDS = {"replay": "look at a recorded game and check it"}
PAGE_MODULES = ("pages", "what_if")
