"""The terminal shell: playing, replaying and reading the rules at a prompt.

It knows no game: what it shows comes from views, through the words of each game.
"""

COMMANDS = {"play": "play a game"}
