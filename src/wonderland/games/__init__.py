"""The games: one plugin package each, all with the same layout, discovered by name.

`rules` is the source of truth; `encoding`, `compiled`, `bots` and `ui` are optional and build on it.
"""
