"""User interface of Parade: wording, web scene, terminal, tutorial, reasons, editor and score pad.

Optional components only; the game can be played and simulated without any of them.
"""
