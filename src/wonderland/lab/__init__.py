"""Simulations and tournaments between bots, with statistics, exports and plots.

How it fits together:

- `game_runner` plays games by number. Game 17 of a seed is always the same game, whichever process plays
  it and in whatever order: all its random numbers derive from the seed and the 17. If every bot is a
  policy of the game's kernel, the kernel plays; otherwise the readable rules do, and bots get views.
  Either way, a game yields one row of integers.
- `run` splits the numbers into chunks for an executor (`executors`): this thread, several threads (a
  compiled kernel releases the GIL), or several processes. A task is a module-level function and plain
  values, so any other executor will do. Results come back in order, so an interrupted run equals one
  that was asked for fewer games.
- `tally` counts rows (compiled, because counting must not take longer than playing), and `totals` adds
  counts up. Both use integers only, so the result doesn't depend on how the work was split.
- `cluster` is an executor on Ray.
- `decisions` records every decision of a game, and `datasets` writes them to Parquet.
- `arena` plays tournaments, repeating each deal for every arrangement of the bots over the seats.
- `statistics`, `confidence_sequence` and `ratings` give confidence intervals; `summary` and `standings`
  collect them into one value, which `text_tables` shows, `exports` writes and `plots` draws.

Nothing here depends on a particular game. Only the commands (`simulate_command`, `arena_command`) read
arguments and print; `command_options` is shared with the commands of features.
"""

COMMANDS = {
    "simulate": "play many games between bots and show statistics",
    "arena": "run a tournament between bots",
}
