"""Remote tables: play at a table on a server from the terminal."""

COMMANDS = {
    "join": "play at somebody's table, over the net",
    "host": "lay a table on a server, and play there",
}
