"""Tables: seats, invitations, fair shuffles, storage and live updates.

A table is the fold of its append-only log. HTTP and rendering belong to `web`; nothing here depends on a
particular game.
"""
