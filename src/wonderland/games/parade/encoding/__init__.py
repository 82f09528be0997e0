"""States, observations and histories of Parade as numbers, in plain Python.

What the compiled modules and the learning environments read and write. No play and no drawing here.
"""
