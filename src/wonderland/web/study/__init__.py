"""Pages for those who want to get better: replays, the coach, positions, puzzles, insights."""
