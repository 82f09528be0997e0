"""The coach: reviews the decisions of a recorded game, on the command line and in the browser."""

COMMANDS = {"coach": "judge the decisions of a recorded game, or ask what to play"}
