"""Scripted answers to the plain-text prompt."""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator

from support.screen_pilot import quick_adviser
from wonderland.engine import game
from wonderland.terminal import match_setup
from wonderland.terminal.choices import choices_of
from wonderland.terminal.plain_text import PlainTable
from wonderland.terminal.session import Session


def script(*answers: str, then: str | None = None) -> Callable[[str], str]:
    """Return an `input` that gives these answers, then repeats `then`, or ends."""

    def lines() -> Iterator[str]:
        yield from answers
        while then is not None:
            yield then

    source = lines()

    def ask(_: str) -> str:
        try:
            return next(source)
        except StopIteration:
            raise EOFError from None

    return ask


def table(
    name: str, seats: list[str], ask: Callable[[str], str], options: list[str] | None = None
) -> tuple[PlainTable, list[str]]:
    shown: list[str] = []
    match, bots = match_setup.new_match(game(name), seats, options or [], "seed")
    session = Session(match, bots, random.Random(1), adviser=quick_adviser(name))
    return PlainTable(session, ask, shown.append), shown


def first_choice(plain: list[PlainTable]) -> Callable[[str], str]:
    """Return an `input` that always takes the first choice offered."""

    def ask(question: str) -> str:
        session = plain[0].session
        asked = [seat for seat, name in enumerate(session.names) if question == f"{name}: "]
        return next(iter(choices_of(session.match, asked[0]))) if asked else ""

    return ask


def arguments(**given: object) -> argparse.Namespace:
    usual = dict.fromkeys(("game", "seats", "bots", "record", "resume", "first")) | {"seed": "x"}
    return argparse.Namespace(**(usual | {"pace": "none", "plain": True, "light": False} | given))
