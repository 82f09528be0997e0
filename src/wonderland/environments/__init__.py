"""The games in the interfaces that learning agents know: vectors of plays, PettingZoo, OpenSpiel.

Each module needs an extra of its own (`pip install 'wonderland[openspiel]'`); nothing else needs them.
What an agent may do and know in a game is in the game's folder, in `learning.py`.
"""
