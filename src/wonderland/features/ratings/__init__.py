"""Accounts and ratings: names, rated games and the leaderboards of a server."""
