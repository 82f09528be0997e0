"""Everything around playing a game (coach, puzzles, replays, ratings …): one package per feature.

A feature's package holds its model, command, pages and browser files; its `__init__.py` is the
manifest that `wonderland.discovery` reads. A feature may import the shells (`web`, `terminal`) and
everything below them; nothing outside this package imports a feature.
"""
