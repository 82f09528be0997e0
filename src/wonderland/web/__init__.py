"""Tables over HTTP and WebSocket: routes, guards, and the command `wonderland serve`.

What a table is and what may be done at it is in `tables`; nothing here decides anything about a game.
"""

COMMANDS = {"serve": "serve tables to play at with others"}
