"""Arguments of the `wonderland verify` command."""

from __future__ import annotations

import argparse

from wonderland.features.fairness.verification import verify

_ABOUT = """\
Verify that a recorded game was shuffled fairly. This checks that the secret in the record's Luck line
matches the commitment, and that every card and spin follows from that secret and the players'
contributions. It needs only the record.

Two things only you can check: that the commitment is the one the table showed before the game, and that
your seat's part of the Luck line is what your own device contributed.

  wonderland verify tonight.record
  wonderland verify *.record
  wonderland verify - < tonight.record

Exit codes: 0 if all records pass, 1 if any record fails, 2 if none fails but one can't be read or
checked.
"""


def add_verify(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland verify` to its parser."""
    parser.description = _ABOUT
    parser.add_argument(
        "files", metavar="FILE", nargs="+", help="the record of a game; - reads standard input"
    )
    parser.set_defaults(run=verify)
