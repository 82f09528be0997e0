"""Encodings of Cookies as numbers: states, observations and histories, in plain Python.

The compiled modules and the learning environments read and write them. No rules and no rendering here.
"""
