"""Explanations of why an action is illegal. Legality itself is decided in `rules.py` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from wonderland.engine.errors import GameOver, IllegalAction
from wonderland.engine.language import phrase
from wonderland.games.cookies.rules.error_codes import ErrorCode
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
        return _refuse_card(state, seat, action)
    return _refuse_at(stage, action)


def chance_refusal(stage: Stage, outcome: Action) -> IllegalAction | GameOver:
    """Return the error for a chance outcome that is impossible at this stage."""
    return GameOver(write(outcome)) if isinstance(stage, Ended) else _refuse_at(stage, outcome)


def _refuse_card(state: State, seat: Seat, play: PlayCard) -> IllegalAction:
    """Explain why a card can't be played."""
    hand, word = state.hands[seat], write(play)
    if play.side is Side.RIGHT and len(hand) == 1:
        return IllegalAction(word, "the only card of a hand is the left card.", ErrorCode.ONLY_LEFT_CARD)
    if play.number not in play.card.numbers:
        reason = phrase("card {mark} doesn't stand for {number}.")
        return IllegalAction(
            word, reason, ErrorCode.WRONG_NUMBER, mark=play.card.mark, number=play.number
        )
    if play.plus and state.large != seat:
        return IllegalAction(word, "only a large pawn moves one extra space.", ErrorCode.PAWN_NOT_LARGE)
    if play.walk and not (state.options.kind_hole and state.stuck[seat]):
        reason = phrase(
            "you can walk out of the Rabbit Hole only with the option kind_hole, after a failed climb."
        )
        return IllegalAction(word, reason, ErrorCode.NO_WALK)
    if play.card in hand[1:-1]:
        return IllegalAction(word, "the middle card is locked.", ErrorCode.MIDDLE_CARD_LOCKED)
    if play.side is Side.LEFT:
        return IllegalAction(word, "the left card is a different one.", ErrorCode.DIFFERENT_CARD)
    return IllegalAction(word, "the right card is a different one.", ErrorCode.DIFFERENT_CARD)


def _refuse_at(stage: BeforeTheEnd, action: Action) -> IllegalAction:
    """Explain what has to happen at this stage."""
    reason, code = _needed_at(stage)
    if isinstance(stage, Starting | Dealing | TurningFirst):
        return IllegalAction(write(action), reason, code)
    return IllegalAction(write(action), reason, code, seat=stage.seat)


def _needed_at(stage: BeforeTheEnd) -> tuple[str, ErrorCode]:
    """Return what has to happen at this stage, and the code of the error."""
    match stage:
        case Starting():
            return phrase("it isn't decided yet who goes first."), ErrorCode.START_NOT_DECIDED
        case Dealing():
            return phrase("the cards are being dealt."), ErrorCode.STILL_DEALING
        case TurningFirst():
            return phrase("the first large cookie is being turned up."), ErrorCode.STILL_TURNING_FIRST
        case Playing():
            return phrase("it's {seat}'s turn to play a card."), ErrorCode.NOT_YOUR_TURN
        case Climbing():
            return phrase(
                "{seat} is spinning to climb out of the Rabbit Hole."
            ), ErrorCode.STILL_CLIMBING
        case Deciding():
            return phrase("{seat} must accept the spin or spin again."), ErrorCode.MUST_DECIDE_SPIN
        case Spinning():
            return phrase("{seat} is spinning for small cookies."), ErrorCode.STILL_SPINNING
        case Taking():
            return phrase(
                "{seat} must take a large cookie, face up or from the stack."
            ), ErrorCode.MUST_TAKE_COOKIE
        case TakingDown():
            return phrase("{seat} is taking the top cookie of the stack."), ErrorCode.STILL_TAKING
        case TurningUp():
            return phrase("the next large cookie is being turned up."), ErrorCode.STILL_TURNING_UP
        case Drawing():
            return phrase("{seat} is drawing a card."), ErrorCode.STILL_DRAWING
    assert_never(stage)
