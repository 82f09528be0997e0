"""Check that a position of Cookies is possible, since positions may be written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.engine.errors import Impossible
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.components import DECK
from wonderland.games.cookies.rules.error_codes import ErrorCode
from wonderland.games.cookies.rules.journey import TEA_PARTY, can_climb_to
from wonderland.games.cookies.rules.state import (
    Climbing,
    Dealing,
    Deciding,
    Drawing,
    Ended,
    Playing,
    Spinning,
    Starting,
    State,
    Taking,
    TakingDown,
    TurningFirst,
    TurningUp,
    cards_played,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.games.cookies.rules.state import InTurn


def fault(state: State) -> Impossible | None:
    """Return the reason why a state is impossible, or `None`."""
    if state.options.hands == "open" and any(FACE_DOWN in hand for hand in state.hands):
        return Impossible(
            "a card is face down, but this game is played with open hands.",
            ErrorCode.FACE_DOWN_IN_OPEN_GAME,
        )
    stage = state.stage
    if isinstance(stage, Starting | Dealing | TurningFirst):
        return _fault_before_play(state)
    turns = [len(cards_played(*cards)) for cards in zip(state.hands, state.unseen, strict=True)]
    if isinstance(stage, Ended):
        if min(turns) < len(DECK):
            return Impossible("not all cards have been played yet.", ErrorCode.NOT_OVER)
    elif reason := _fault_of_turns(state, stage, turns) or _fault_of_hands(state, stage, turns):
        return reason
    reason = _fault_of_seats(state, turns) or _fault_of_cookies(state)
    if reason or isinstance(stage, Ended | Playing):
        return reason
    return _fault_of_turn(state, stage)


def _fault_before_play(state: State) -> Impossible | None:
    size, stage = state.options.hand_size, state.stage
    happened = (state.large, state.larder.face_up, state.spinner, state.last)
    if any(fact is not None for fact in happened) or any(
        (*state.pawns, *state.stuck, *state.larder.large, *state.larder.small)
    ):
        return Impossible(
            "nothing can have happened before the first turn.", ErrorCode.CHANGED_BEFORE_START
        )
    if any(cards_played(*cards) for cards in zip(state.hands, state.unseen, strict=True)):
        return Impossible(
            "nobody can have played a card before the first turn.", ErrorCode.PLAYED_BEFORE_START
        )
    dealt = [len(hand) for hand in state.hands]
    if isinstance(stage, Starting):
        return (
            Impossible("the cards are dealt later.", ErrorCode.DEALT_TOO_EARLY) if any(dealt) else None
        )
    if isinstance(stage, TurningFirst):
        return (
            None
            if set(dealt) == {size}
            else Impossible(
                "not everyone has {size} cards in hand.", ErrorCode.DEAL_INCOMPLETE, size=size
            )
        )
    in_order = [min(max(sum(dealt) - size * seat, 0), size) for seat in range(len(dealt))]
    if dealt != in_order or dealt[-1] == size:
        return Impossible(
            "the hands are dealt one after another, {size} cards each.", ErrorCode.WRONG_DEAL, size=size
        )
    return None


def _fault_of_turns(state: State, stage: Playing | InTurn, turns: Sequence[int]) -> Impossible | None:
    """Every seat has had the same number of turns, or one more if it played earlier this round."""
    before = list(turns)
    before[stage.seat] -= not isinstance(stage, Playing)
    in_order = before[stage.seat :] + before[: stage.seat]
    if in_order != sorted(in_order) or in_order[-1] - in_order[0] > 1 or in_order[0] < 0:
        return Impossible(
            "the number of cards played doesn't match whose turn it is.", ErrorCode.WRONG_TURN
        )
    if in_order[0] == len(DECK):
        return Impossible("all cards have been played, so the game is over.", ErrorCode.ALREADY_OVER)
    if (state.last is None) != (not any(turns)):
        return Impossible(
            "last must be the last card played, if there is one.", ErrorCode.WRONG_LAST_CARD
        )
    if state.last is None:
        return None
    player = stage.seat if not isinstance(stage, Playing) else stage.seat - 1
    if state.last.card not in cards_played(state.hands[player], state.unseen[player]):
        return Impossible(
            "the last card played isn't among the cards played.", ErrorCode.WRONG_LAST_CARD
        )
    if state.last.walk and not state.options.kind_hole:
        return Impossible(
            "nobody can walk out of a Rabbit Hole without kind_hole.", ErrorCode.NO_KIND_HOLE
        )
    return None


def _fault_of_hands(state: State, stage: Playing | InTurn, turns: Sequence[int]) -> Impossible | None:
    """Hands are refilled at the end of each turn, as long as there is a pile (C12)."""
    for seat, hand in enumerate(state.hands):
        in_turn = seat == stage.seat and not isinstance(stage, Playing)
        size = min(state.options.hand_size, len(DECK) - turns[seat] + in_turn) - in_turn
        if len(hand) != size:
            return Impossible(
                "{seat} has {cards} cards in hand instead of {size}.",
                ErrorCode.WRONG_HAND_SIZE,
                seat=seat,
                cards=len(hand),
                size=size,
            )
    return None


def _fault_of_seats(state: State, turns: Sequence[int]) -> Impossible | None:
    board, pawns = state.options.board, state.pawns
    for seat, space in enumerate(pawns):
        cookies = state.larder.large[seat] or state.larder.small[seat]
        if not turns[seat] and (space != TEA_PARTY or state.large == seat or cookies):
            return Impossible(
                "{seat} hasn't had a turn yet, but their pawn has moved.",
                ErrorCode.MOVED_BEFORE_TURN,
                seat=seat,
            )
        if turns[seat] and pawns.count(space) > 1:
            return Impossible(
                "two pawns are on space {space}.", ErrorCode.TWO_PAWNS_ON_SPACE, space=space + 1
            )
        if state.stuck[seat] and not state.in_hole(seat):
            return Impossible(
                "{seat} isn't in a Rabbit Hole, so can't be stuck in one.",
                ErrorCode.NOT_IN_HOLE,
                seat=seat,
            )
    if state.large is not None and not board.has(Kind.CATERPILLAR):
        return Impossible("there is no Caterpillar to make a pawn large.", ErrorCode.NO_CATERPILLAR)
    return None


def _fault_of_cookies(state: State) -> Impossible | None:
    larder = state.larder
    if larder.small_left < 0:
        return Impossible("there are only 20 small cookies.", ErrorCode.TOO_MANY_SMALL_COOKIES)
    if any(larder.small) and not state.options.board.has(Kind.SMALL_COOKIES):
        return Impossible(
            "there is no space where small cookies can be taken.", ErrorCode.NO_SMALL_COOKIE_SPACE
        )
    turned = isinstance(state.stage, TurningUp)
    if turned and (larder.face_up is not None or not larder.stack):
        return Impossible(
            "there is no cookie to turn up, or one is already face up.", ErrorCode.NOTHING_TO_TURN_UP
        )
    if larder.stack and larder.face_up is None and not turned:
        return Impossible(
            "while there is a stack, one large cookie must be face up.", ErrorCode.NO_COOKIE_FACE_UP
        )
    return None


def _fault_of_turn(state: State, stage: InTurn) -> Impossible | None:
    """Check the middle of a turn."""
    seat, board = stage.seat, state.options.board
    space = state.pawns[seat]
    if isinstance(stage, Drawing):
        return (
            None
            if state.piles[seat]
            else Impossible("{seat} has no pile to draw from.", ErrorCode.NO_PILE, seat=seat)
        )
    if state.stuck[seat]:
        return Impossible(
            "{seat} has played a card and may still get out of the Rabbit Hole.",
            ErrorCode.MAY_STILL_CLIMB,
            seat=seat,
        )
    if isinstance(stage, Climbing | Deciding):
        return _fault_of_climbing(state, stage)
    if isinstance(stage, Spinning):
        if board.spaces[space].kind is not Kind.SMALL_COOKIES or not state.larder.small_left:
            return Impossible(
                "{seat} has no small cookies to spin for.", ErrorCode.NO_SMALL_COOKIES, seat=seat
            )
    elif isinstance(stage, Taking | TakingDown):
        if space != TEA_PARTY or not state.larder.stack:
            return Impossible(
                "{seat} has no large cookie to choose.", ErrorCode.NO_LARGE_COOKIE, seat=seat
            )
    elif len(set(stage.cats)) < len(stage.cats) or any(
        space == TEA_PARTY or board.spaces[cat].kind is not Kind.CHESHIRE_CAT for cat in stage.cats
    ):
        return Impossible(
            "cats must list the Cheshire Cat spaces the pawn has used this turn.", ErrorCode.WRONG_CATS
        )
    return None


def _fault_of_climbing(state: State, stage: Climbing | Deciding) -> Impossible | None:
    last, board = state.last, state.options.board
    if not state.in_hole(stage.seat):
        return Impossible(
            "{seat} isn't in a Rabbit Hole, so can't climb out of one.",
            ErrorCode.NOT_IN_HOLE,
            seat=stage.seat,
        )
    spun = isinstance(stage, Deciding)
    assert last is not None  # noqa: S101 - a turn begins with a card
    if last.plus or last.walk or stage.spins + spun > last.steps:
        return Impossible(
            "the last card played doesn't allow that many spins.", ErrorCode.TOO_MANY_SPINS
        )
    if spun and (state.spinner is None or not can_climb_to(board, state.pawns, state.spinner)):
        return Impossible(
            "the space the spinner points to can't be accepted.", ErrorCode.SPIN_NOT_ACCEPTABLE
        )
    return None
