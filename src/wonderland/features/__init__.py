"""What one can do with a game besides playing it: one package for each feature.

A feature's package holds its model, its command, its pages and its files for the browser; its
`__init__.py` is the manifest that `wonderland.discovery` reads. A feature may import the shells
(`web`, `terminal`) and all below them; nothing outside this package imports a feature.
"""
