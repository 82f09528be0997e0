"""The terminal shell: play at the prompt or on the full screen, locally or at a remote table.

Nothing here depends on a particular game: all it shows comes from views, through each game's words
and drawings.
"""

COMMANDS = {"play": "play a game"}
