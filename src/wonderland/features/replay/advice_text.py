"""The coach's verdict on a position of a replay, and expected play, as lines of text for terminals."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from wonderland.components.bots import Budget
from wonderland.components.formatting import percent
from wonderland.components.text_layout import align_left
from wonderland.engine.errors import UsageError
from wonderland.engine.language import Language, phrase
from wonderland.engine.protocol import Seat
from wonderland.engine.record_reader import AnyMatch
from wonderland.features.positions.verdict import Verdict, judge_position
from wonderland.features.replay.expected_play import expect_play
from wonderland.features.replay.model import Replay
from wonderland.features.replay.variations import Branches, Line, VariationMove, seat_to_ask

_FEW = 3
"""So many choices that are exactly alike are all listed."""


def verdict_lines(replay: Replay, number: int, budget: Budget | None = None) -> Iterator[str]:
    """The choices at a position, best first; `UsageError` if there are none to see."""
    match, seat, played = _ask(replay, number)
    done = match.game.read(played.action) if played is not None and played.seat == seat else None
    say, names = replay.say, replay.names
    verdict = judge_position(match.game, match.state, seat, names, say, budget, played=done)
    yield say("{name}'s choices", name=names[seat])
    yield from _choice_lines(verdict, say)
    if text := say.sentences([verdict.summary, verdict.reason]):
        yield text


def _choice_lines(verdict: Verdict, say: Language) -> Iterator[str]:
    """One line for each choice; many that are exactly alike share one."""
    rows: list[tuple[str, str]] = []
    for (chance, _), group in groupby(verdict.choices, lambda each: (each.chance, each.error)):
        alike = sorted(group, key=lambda each: each.action != verdict.played)
        shown = alike[:1] if len(alike) > _FEW else alike
        for each in shown:
            figure = percent(chance, say, 0) + (f" ± {each.margin}" if each.margin else "")
            mark = f" ({say('played')})" if each.action == verdict.played else ""
            rows.append((figure, f"{each.says}{mark}"))
        if more := len(alike) - len(shown):
            others = say.plural(
                "{number} other is just as good", "{number} others are just as good", more
            )
            rows.append(("", others))
    widest = max(len(figure) for figure, _ in rows)
    for figure, says in rows:
        yield f"  {align_left(figure, widest)}  {says}"


def expected_lines(replay: Replay, number: int, budget: Budget | None = None) -> Iterator[str]:
    """The line that is expected after a position; `UsageError` if nobody's choices can be seen."""
    match, seat, _ = _ask(replay, number)
    branches, say = Branches(replay.record), replay.say
    moves = expect_play(branches, Line(number), seat, budget).moves
    yield say("Expected play")
    for place, move in enumerate(moves, start=1):
        before = len(match.events)
        branches.apply(match, move)
        yield f"  {place}. {say.sentences(replay.told(match, before))}"
    if moves:
        yield say(EXPECTED)
    else:
        yield say("The coach can't tell, because a hand isn't known.")


EXPECTED = phrase(
    "Everyone makes the best move for what they know. Cards come as they did in this game, and at "
    "random after that."
)


def _ask(replay: Replay, number: int) -> tuple[AnyMatch, Seat, VariationMove | None]:
    """The match at a position, the seat to ask there, and what was played."""
    branches = Branches(replay.record)
    match, played = branches.match(Line(number)), branches.played(number)
    seat = seat_to_ask(match, played, replay.seat)
    if seat is None:
        raise UsageError(phrase("From this view, nobody has a choice here."))
    return match, seat, played
