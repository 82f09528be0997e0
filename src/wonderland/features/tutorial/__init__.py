"""The tutorial of a game: how one begins it."""
