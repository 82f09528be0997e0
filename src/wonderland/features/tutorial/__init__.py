"""The start page of a game's tutorial."""
