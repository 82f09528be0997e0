"""The position editor: a position of a real game, set up by hand, and advice on what to play."""
