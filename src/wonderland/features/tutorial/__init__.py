"""The tutorial of a game: its start page."""
