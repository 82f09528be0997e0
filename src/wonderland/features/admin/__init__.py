"""Server administration: backups, checks, pruning, erasure, bans and announcements."""

COMMANDS = {"admin": "look after a server: back up, check, prune, erase, ban, announce"}
