"""Explanations of why an action is illegal. Legality itself is decided in `rules.py` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from wonderland.engine.errors import GameOver, IllegalAction
from wonderland.games.cookies.rules.notation import write
from wonderland.games.cookies.rules.state import (
    Action,
    BeforeTheEnd,
    Climbing,
    Dealing,
    Deciding,
    Drawing,
    Ended,
    PlayCard,
    Playing,
    Side,
    Spinning,
    Stage,
    Starting,
    State,
    Taking,
    TakingDown,
    TurningFirst,
    TurningUp,
)

if TYPE_CHECKING:
    from wonderland.engine.protocol import Seat


def refusal(state: State, seat: Seat, action: Action) -> IllegalAction | GameOver:
    """Return the error for an illegal action of a seat."""
    stage = state.stage
    if isinstance(stage, Ended):
        return GameOver(write(action))
    if isinstance(stage, Playing) and stage.seat == seat and isinstance(action, PlayCard):
        reason, rule = _explain_card(state, seat, action)
    else:
        reason, rule = _explain_stage(stage)
    return IllegalAction(write(action), reason, rule)


def chance_refusal(stage: Stage, outcome: Action) -> IllegalAction | GameOver:
    """Return the error for a chance outcome that is impossible at this stage."""
    if isinstance(stage, Ended):
        return GameOver(write(outcome))
    return IllegalAction(write(outcome), *_explain_stage(stage))


def _explain_card(state: State, seat: Seat, play: PlayCard) -> tuple[str, str]:
    """Explain why a card can't be played, and name the rule."""
    hand = state.hands[seat]
    if play.side is Side.RIGHT and len(hand) == 1:
        return "the only card of a hand is its left one", "C7"
    if play.number not in play.card.numbers:
        return f"a card {play.card.mark} does not stand for {play.number}", "C8"
    if play.plus and state.large != seat:
        return "only a large pawn adds 1", "C8"
    if play.walk and not (state.options.kind_hole and state.stuck[seat]):
        return "the Rabbit Hole is plain only with kind_hole, after a turn that failed to climb", "C22"
    if play.card in hand[1:-1]:
        return "the centre card can't be played", "C7"
    return f"the {play.side.name.lower()} card is another one", "C7"


def _explain_stage(stage: BeforeTheEnd) -> tuple[str, str]:
    """Explain what has to happen at this stage, and name the rule."""
    match stage:
        case Starting():
            return "luck decides who begins", "C6"
        case Dealing():
            return "the cards are being dealt", "C6"
        case TurningFirst():
            return "the first large cookie is turned up now", "C5"
        case Playing():
            return f"seat {stage.seat + 1} is to play a card", "C7"
        case Climbing():
            return f"seat {stage.seat + 1} spins to climb out of the Rabbit Hole", "C18"
        case Deciding():
            return f"seat {stage.seat + 1} is to accept the spin or to spin again", "C18"
        case Spinning():
            return f"seat {stage.seat + 1} spins for small cookies", "C14"
        case Taking():
            return f"seat {stage.seat + 1} is to take a large cookie, face up or face down", "C13"
        case TakingDown():
            return f"seat {stage.seat + 1} takes the top cookie of the stack", "C13"
        case TurningUp():
            return "the next large cookie is turned up", "C10"
        case Drawing():
            return f"seat {stage.seat + 1} draws a card", "C12"
    assert_never(stage)
