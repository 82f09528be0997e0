"""Everything about Letters that a person sees or reads: words, scenes, drawings, the tutorial, reasons.

Optional components only; the game can be played and simulated without any of them.
"""
