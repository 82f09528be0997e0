"""Numeric encodings of Parade's states, observations and histories, in plain Python.

The compiled modules and the learning environments read and write these formats.
"""
