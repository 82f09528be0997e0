"""Accounts and ratings: names, rated games and leaderboards of a server."""
