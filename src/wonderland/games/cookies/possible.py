"""Which positions of Cookies are possible: what a line that was written by hand may get wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.core.protocol import FACE_DOWN
from wonderland.games.cookies.board import Kind
from wonderland.games.cookies.components import DECK
from wonderland.games.cookies.journey import TEA_PARTY, can_climb_to
from wonderland.games.cookies.state import (
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
    played,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.games.cookies.state import InTurn


def fault(state: State) -> str | None:
    """What is impossible about a state, or nothing."""
    if state.options.hands == "open" and any(FACE_DOWN in hand for hand in state.hands):
        return "a card is face down, but hands lie open (C20)"
    stage = state.stage
    if isinstance(stage, Starting | Dealing | TurningFirst):
        return _fault_before_play(state)
    turns = [len(played(*cards)) for cards in zip(state.hands, state.unseen, strict=True)]
    if isinstance(stage, Ended):
        if min(turns) < len(DECK):
            return "not all cards are played yet (C19)"
    elif reason := _fault_of_turns(state, stage, turns) or _fault_of_hands(state, stage, turns):
        return reason
    reason = _fault_of_seats(state, turns) or _fault_of_cookies(state)
    if reason or isinstance(stage, Ended | Playing):
        return reason
    return _fault_of_turn(state, stage)


def _fault_before_play(state: State) -> str | None:
    size, stage = state.options.hand_size, state.stage
    happened = (state.large, state.larder.face_up, state.spinner, state.last)
    if any(fact is not None for fact in happened) or any(
        (*state.pawns, *state.stuck, *state.larder.large, *state.larder.small)
    ):
        return "nothing can have happened before the first turn (C5)"
    if any(played(*cards) for cards in zip(state.hands, state.unseen, strict=True)):
        return "nobody can have played a card before the first turn (C6)"
    dealt = [len(hand) for hand in state.hands]
    if isinstance(stage, Starting):
        return "the cards are dealt later (C6)" if any(dealt) else None
    if isinstance(stage, TurningFirst):
        return None if set(dealt) == {size} else f"not everyone has {size} cards in hand (C6)"
    in_order = [min(max(sum(dealt) - size * seat, 0), size) for seat in range(len(dealt))]
    if dealt != in_order or dealt[-1] == size:
        return f"the hands are dealt one after the other, {size} cards each (C6)"
    return None


def _fault_of_turns(state: State, stage: Playing | InTurn, turns: Sequence[int]) -> str | None:
    """Everyone has had as many turns as the others, or one more if their seat came first."""
    before = list(turns)
    before[stage.seat] -= not isinstance(stage, Playing)
    in_order = before[stage.seat :] + before[: stage.seat]
    if in_order != sorted(in_order) or in_order[-1] - in_order[0] > 1 or in_order[0] < 0:
        return "the numbers of cards played don't fit to whose turn it is (C7)"
    if in_order[0] == len(DECK):
        return "all cards are played, so the game is over (C19)"
    if (state.last is None) != (not any(turns)):
        return "last is the card that was played last, if one has been (C7)"
    if state.last is None:
        return None
    player = stage.seat if not isinstance(stage, Playing) else stage.seat - 1
    if state.last.card not in played(state.hands[player], state.unseen[player]):
        return "the card that was played last is not among those played (C7)"
    if state.last.walk and not state.options.kind_hole:
        return "nobody walks out of a Rabbit Hole without kind_hole (C22)"
    return None


def _fault_of_hands(state: State, stage: Playing | InTurn, turns: Sequence[int]) -> str | None:
    """C12: the hand is drawn up at the end of each turn, as long as there is a pile."""
    for seat, hand in enumerate(state.hands):
        in_turn = seat == stage.seat and not isinstance(stage, Playing)
        size = min(state.options.hand_size, len(DECK) - turns[seat] + in_turn) - in_turn
        if len(hand) != size:
            return f"seat {seat + 1} has {len(hand)} cards in hand instead of {size} (C12)"
    return None


def _fault_of_seats(state: State, turns: Sequence[int]) -> str | None:
    board, pawns = state.options.board, state.pawns
    for seat, space in enumerate(pawns):
        cookies = state.larder.large[seat] or state.larder.small[seat]
        if not turns[seat] and (space != TEA_PARTY or state.large == seat or cookies):
            return f"seat {seat + 1} has not had a turn yet, but its pawn has moved (C5)"
        if turns[seat] and pawns.count(space) > 1:
            return f"two pawns stand on space {space + 1} (C9)"
        if state.stuck[seat] and not state.in_hole(seat):
            return f"seat {seat + 1} is not in a Rabbit Hole to be stuck in (C18)"
    if state.large is not None and not board.has(Kind.CATERPILLAR):
        return "there is no Caterpillar to make a pawn large (C15)"
    return None


def _fault_of_cookies(state: State) -> str | None:
    larder = state.larder
    if larder.small_left < 0:
        return "there are 20 small cookies (C1)"
    if any(larder.small) and not state.options.board.has(Kind.SMALL_COOKIES):
        return "there is no space to take small cookies on (C14)"
    turned = isinstance(state.stage, TurningUp)
    if turned and (larder.face_up is not None or not larder.stack):
        return "there is no cookie to turn up, or no place for it (C10)"
    if larder.stack and larder.face_up is None and not turned:
        return "a large cookie lies face up as long as there is a stack (C10)"
    return None


def _fault_of_turn(state: State, stage: InTurn) -> str | None:
    """What is impossible about a turn that has begun."""
    seat, board = stage.seat, state.options.board
    space = state.pawns[seat]
    if isinstance(stage, Drawing):
        return None if state.piles[seat] else f"seat {seat + 1} has no pile to draw from (C12)"
    if state.stuck[seat]:
        return f"seat {seat + 1} has played a card and may yet get out of the Rabbit Hole (C18)"
    if isinstance(stage, Climbing | Deciding):
        return _fault_of_climbing(state, stage)
    if isinstance(stage, Spinning):
        if board.spaces[space].kind is not Kind.SMALL_COOKIES or not state.larder.small_left:
            return f"seat {seat + 1} has no small cookies to spin for (C14)"
    elif isinstance(stage, Taking | TakingDown):
        if space != TEA_PARTY or not state.larder.stack:
            return f"seat {seat + 1} has no large cookie to choose (C13)"
    elif len(set(stage.cats)) < len(stage.cats) or any(
        space == TEA_PARTY or board.spaces[cat].kind is not Kind.CHESHIRE_CAT for cat in stage.cats
    ):
        return "cats are the Cheshire Cat spaces that a pawn has used on its way (C16)"
    return None


def _fault_of_climbing(state: State, stage: Climbing | Deciding) -> str | None:
    last, board = state.last, state.options.board
    if not state.in_hole(stage.seat):
        return f"seat {stage.seat + 1} is not in a Rabbit Hole to climb out of (C18)"
    spun = isinstance(stage, Deciding)
    if last is None or last.plus or last.walk or stage.spins + spun > last.steps:
        return "the card that was played last does not give that many spins (C18)"
    if spun and (state.spinner is None or not can_climb_to(board, state.pawns, state.spinner)):
        return "where the spinner points can't be accepted (C18)"
    return None
