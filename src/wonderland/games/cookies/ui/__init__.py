"""User interface of Cookies: words, browser scene, terminal, position editor, tutorial and reasons.

All are optional components; the game can be played and simulated without them.
"""
