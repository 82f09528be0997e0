"""The coach: reviews the decisions of a recorded game, on the command line and in the browser."""

COMMANDS = {"coach": "analyse a recorded game, or get advice on a position"}
