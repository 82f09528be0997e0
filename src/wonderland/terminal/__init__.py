"""The terminal shell: play at the prompt or on the full screen, locally or at a remote table.

It knows no game: everything it shows comes from views, through each game's words and drawing.
"""

COMMANDS = {"play": "play a game"}
