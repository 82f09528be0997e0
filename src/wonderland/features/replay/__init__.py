"""Replays: step through recorded games, analyse them with variations and verdicts, and play on."""

COMMANDS = {"replay": "step through a recorded game and check it"}
PAGE_MODULES = ("pages", "board_pages", "what_if")
