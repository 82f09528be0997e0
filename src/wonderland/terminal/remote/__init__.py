"""Remote tables: play at a table on a server from the terminal."""

COMMANDS = {
    "join": "join a table on a server",
    "host": "open a table on a server and play there",
}
