"""What the terminal picture of Cookies is made of: the ring, the grid it is drawn on, the preview.

Only `terminal.py` beside this folder uses it; nothing here knows more than a view.
"""
