"""What people sit at: tables with seats, invitations, fair chance, storage and live updates.

A table is the fold of its log. Nothing here speaks HTTP or draws anything: `web` does. Nothing here
knows a particular game.
"""
