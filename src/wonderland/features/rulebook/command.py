"""The `wonderland rules` command: show a game's rulebook, or a single rule."""

from __future__ import annotations

import argparse
import os
import sys

from wonderland.arguments import add_game_name, language_code
from wonderland.components.rulebook import one_rule, rulebook
from wonderland.engine.registry import game

_ABOUT = """\
Show a game's rulebook, or a single rule.

  wonderland rules parade
  wonderland rules parade P6
"""
_WIDTH = 88


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland rules` to its parser."""
    parser.description = _ABOUT
    add_game_name(parser)
    parser.add_argument("rule", nargs="?", help="show only this rule, such as P6")
    parser.set_defaults(run=rules)


def rules(options: argparse.Namespace) -> int:
    """Show the rulebook, or the requested rule."""
    name = game(options.game).info.name
    language = language_code(options)
    show(one_rule(name, options.rule, language) if options.rule else rulebook(name, language))
    return 0


def show(markdown: str) -> None:
    """Print Markdown: formatted and paged on a terminal, as plain text elsewhere."""
    if not sys.stdout.isatty():
        print(markdown.rstrip())
        return
    from rich.console import Console  # noqa: PLC0415 - slow to import, and only a terminal needs it
    from rich.markdown import Markdown  # noqa: PLC0415 - the same

    os.environ.setdefault("LESS", "-RFX")
    console = Console(width=min(_WIDTH, Console().width))
    with console.pager(styles=not console.no_color):
        console.print(Markdown(markdown))
