"""My games: every game finished on a device or under a name, with statistics, and mistakes to retry."""
