"""Who plays Letters: the levels, the judge of a decision, and the rules of thumb.

Bots see views, never states. What is shown to a person is in `ui`.
"""
