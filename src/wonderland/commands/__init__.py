"""Subcommands of `wonderland` that are large enough for a file of their own.

Each offers `add`, which describes the command to `argparse` and imports nothing that takes time; what it
does stands beside it. They ask, print and write files; what they find out is worked out in `lab`.
"""
