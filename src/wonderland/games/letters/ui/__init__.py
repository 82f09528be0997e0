"""User interface of Letters: wording, web scene, terminal, tutorial, reasons, editor and `solve`.

Optional components only; the game can be played and simulated without any of them.
"""
