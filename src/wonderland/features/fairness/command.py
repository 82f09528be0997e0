"""Arguments of the `wonderland verify` command."""

from __future__ import annotations

import argparse

from wonderland.features.fairness.verification import verify

_ABOUT = """\
Check that nobody chose the luck of a recorded game: that the secret in its Luck line belongs to
the commitment, and that every card, spin and turn of luck follows from the secret and what the
players' devices added to it. Nothing but the record is needed.

Compare the commitment with the one that the table showed before the game, and your own part of
the Luck line with what your device added: only you know these.

  wonderland verify tonight.record
  wonderland verify *.record
  wonderland verify - < tonight.record

The exit code is 0 if all is well, 1 if a record fails the check, and 2 if there was none that
failed but one that can't be read or checked.
"""


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland verify` to its parser."""
    parser.description = _ABOUT
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("files", metavar="FILE", nargs="+", help="a record; - is standard input")
    parser.set_defaults(run=verify)
