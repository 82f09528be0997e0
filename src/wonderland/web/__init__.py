"""The web server: pages, HTTP API, WebSockets and the command `wonderland serve`.

This package is transport and presentation only. What a table is, and what players may do at it, is
decided in `tables`; rules are in `games`. Optional pages live in `features`.
"""

COMMANDS = {"serve": "run a server for playing with others"}
