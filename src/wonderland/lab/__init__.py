"""Play a great many games and say what came of them: simulation, tournaments, statistics, plots.

How it fits together:

- `playing` plays games by their numbers. Game number 17 of a seed is the same game whoever plays it,
  wherever, and after whichever other games: all its random numbers come from the seed and the 17. Where
  every bot is a policy of the game's kernel, the kernel plays; otherwise the readable rules do, and bots
  are given views. Either way a game leaves one row of whole numbers.
- `chunks` cuts the numbers into chunks and hands them to an executor: this thread, several threads (a
  compiled kernel lets go of Python's lock), or several processes. What is handed over is a function of a
  module and plain values, so that any other executor, in this house or another, can take its place.
  Results come back in the order of their numbers: a run that is interrupted has played the first so
  many games, and is the same as one that was asked for no more.
- `tally` counts rows (compiled, since counting must not take longer than playing), `totals` adds counts
  up. Both know whole numbers only, so that it never matters how the work was cut.
- `cluster` is an executor on Ray.
- `decisions` notes every decision of a play, and `datasets` writes them.
- `arena` plays tournaments: the same luck for every arrangement of the bots over the seats.
- `statistics`, `evidence` and `ratings` say how sure one can be; `summary` puts it into one value, which
  `tables` shows, `exports` writes and `plots` draws.

Nothing here knows a particular game. Only the commands (`simulate_command`, `arena_command`) read
arguments and print; `command_options` is what they share with commands of features.
"""

COMMANDS = {
    "simulate": "play many games between bots",
    "arena": "let bots play a tournament",
}
