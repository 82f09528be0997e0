"""Looking back at plays to get better: what each choice was worth, and what that says of a whole game.

Nothing here knows a particular game: how a game is judged stands in its folder, in `judge.py`, and why
one choice is better than another in `reasons.py`. Nothing is asked, printed or stored here.
"""
