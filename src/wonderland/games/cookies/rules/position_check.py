"""Check that a position of Cookies is possible, since positions may be written by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.engine.errors import Impossible
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.cookies.rules.board import Kind
from wonderland.games.cookies.rules.components import DECK
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
        return Impossible("a card is face down, but this game is played with open hands.", "C20")
    stage = state.stage
    if isinstance(stage, Starting | Dealing | TurningFirst):
        return _fault_before_play(state)
    turns = [len(cards_played(*cards)) for cards in zip(state.hands, state.unseen, strict=True)]
    if isinstance(stage, Ended):
        if min(turns) < len(DECK):
            return Impossible("not all cards have been played yet.", "C19")
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
        return Impossible("nothing can have happened before the first turn.", "C5")
    if any(cards_played(*cards) for cards in zip(state.hands, state.unseen, strict=True)):
        return Impossible("nobody can have played a card before the first turn.", "C6")
    dealt = [len(hand) for hand in state.hands]
    if isinstance(stage, Starting):
        return Impossible("the cards are dealt later.", "C6") if any(dealt) else None
    if isinstance(stage, TurningFirst):
        return (
            None
            if set(dealt) == {size}
            else Impossible("not everyone has {size} cards in hand.", "C6", size=size)
        )
    in_order = [min(max(sum(dealt) - size * seat, 0), size) for seat in range(len(dealt))]
    if dealt != in_order or dealt[-1] == size:
        return Impossible("the hands are dealt one after another, {size} cards each.", "C6", size=size)
    return None


def _fault_of_turns(state: State, stage: Playing | InTurn, turns: Sequence[int]) -> Impossible | None:
    """Every seat has had the same number of turns, or one more if it played earlier this round."""
    before = list(turns)
    before[stage.seat] -= not isinstance(stage, Playing)
    in_order = before[stage.seat :] + before[: stage.seat]
    if in_order != sorted(in_order) or in_order[-1] - in_order[0] > 1 or in_order[0] < 0:
        return Impossible("the number of cards played doesn't match whose turn it is.", "C7")
    if in_order[0] == len(DECK):
        return Impossible("all cards have been played, so the game is over.", "C19")
    if (state.last is None) != (not any(turns)):
        return Impossible("last must be the last card played, if there is one.", "C7")
    if state.last is None:
        return None
    player = stage.seat if not isinstance(stage, Playing) else stage.seat - 1
    if state.last.card not in cards_played(state.hands[player], state.unseen[player]):
        return Impossible("the last card played isn't among the cards played.", "C7")
    if state.last.walk and not state.options.kind_hole:
        return Impossible("nobody can walk out of a Rabbit Hole without kind_hole.", "C22")
    return None


def _fault_of_hands(state: State, stage: Playing | InTurn, turns: Sequence[int]) -> Impossible | None:
    """Hands are refilled at the end of each turn, as long as there is a pile (C12)."""
    for seat, hand in enumerate(state.hands):
        in_turn = seat == stage.seat and not isinstance(stage, Playing)
        size = min(state.options.hand_size, len(DECK) - turns[seat] + in_turn) - in_turn
        if len(hand) != size:
            return Impossible(
                "{seat} has {cards} cards in hand instead of {size}.",
                "C12",
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
            return Impossible("{seat} hasn't had a turn yet, but their pawn has moved.", "C5", seat=seat)
        if turns[seat] and pawns.count(space) > 1:
            return Impossible("two pawns are on space {space}.", "C9", space=space + 1)
        if state.stuck[seat] and not state.in_hole(seat):
            return Impossible(
                "{seat} isn't in a Rabbit Hole, so can't be stuck in one.", "C18", seat=seat
            )
    if state.large is not None and not board.has(Kind.CATERPILLAR):
        return Impossible("there is no Caterpillar to make a pawn large.", "C15")
    return None


def _fault_of_cookies(state: State) -> Impossible | None:
    larder = state.larder
    if larder.small_left < 0:
        return Impossible("there are only 20 small cookies.", "C1")
    if any(larder.small) and not state.options.board.has(Kind.SMALL_COOKIES):
        return Impossible("there is no space where small cookies can be taken.", "C14")
    turned = isinstance(state.stage, TurningUp)
    if turned and (larder.face_up is not None or not larder.stack):
        return Impossible("there is no cookie to turn up, or one is already face up.", "C10")
    if larder.stack and larder.face_up is None and not turned:
        return Impossible("while there is a stack, one large cookie must be face up.", "C10")
    return None


def _fault_of_turn(state: State, stage: InTurn) -> Impossible | None:
    """Check the middle of a turn."""
    seat, board = stage.seat, state.options.board
    space = state.pawns[seat]
    if isinstance(stage, Drawing):
        return (
            None
            if state.piles[seat]
            else Impossible("{seat} has no pile to draw from.", "C12", seat=seat)
        )
    if state.stuck[seat]:
        return Impossible(
            "{seat} has played a card and may still get out of the Rabbit Hole.", "C18", seat=seat
        )
    if isinstance(stage, Climbing | Deciding):
        return _fault_of_climbing(state, stage)
    if isinstance(stage, Spinning):
        if board.spaces[space].kind is not Kind.SMALL_COOKIES or not state.larder.small_left:
            return Impossible("{seat} has no small cookies to spin for.", "C14", seat=seat)
    elif isinstance(stage, Taking | TakingDown):
        if space != TEA_PARTY or not state.larder.stack:
            return Impossible("{seat} has no large cookie to choose.", "C13", seat=seat)
    elif len(set(stage.cats)) < len(stage.cats) or any(
        space == TEA_PARTY or board.spaces[cat].kind is not Kind.CHESHIRE_CAT for cat in stage.cats
    ):
        return Impossible("cats must list the Cheshire Cat spaces the pawn has used this turn.", "C16")
    return None


def _fault_of_climbing(state: State, stage: Climbing | Deciding) -> Impossible | None:
    last, board = state.last, state.options.board
    if not state.in_hole(stage.seat):
        return Impossible(
            "{seat} isn't in a Rabbit Hole, so can't climb out of one.", "C18", seat=stage.seat
        )
    spun = isinstance(stage, Deciding)
    assert last is not None  # noqa: S101 - a turn begins with a card
    if last.plus or last.walk or stage.spins + spun > last.steps:
        return Impossible("the last card played doesn't allow that many spins.", "C18")
    if spun and (state.spinner is None or not can_climb_to(board, state.pawns, state.spinner)):
        return Impossible("the space the spinner points to can't be accepted.", "C18")
    return None
