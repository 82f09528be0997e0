"""One-line notation for positions of Letters, with validation that a position can occur.

A space is `?` for a card never turned, `redA` face up, `redA?` face down again, `_` empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.engine.errors import (
    Impossible,
    NotationError,
    UsageError,
    convert_error,
    wrong_player_count,
)
from wonderland.engine.position import (
    NOTHING,
    check_stage_field,
    read_line,
    read_list,
    read_number,
    read_word,
    write_line,
    write_list,
)
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.letters.rules.components import CARDS, SPACES, WORD, Card, Letter, Menace
from wonderland.games.letters.rules.error_codes import ErrorCode
from wonderland.games.letters.rules.notation import read_card
from wonderland.games.letters.rules.options import OPTIONS, Options
from wonderland.games.letters.rules.rules import SEATS, is_face_down, result_of
from wonderland.games.letters.rules.state import (
    EMPTY,
    Choosing,
    Ended,
    Ending,
    FaceUp,
    Space,
    Stage,
    Starting,
    State,
    TurnedDown,
    Turning,
)
from wonderland.games.letters.rules.view import in_sight

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wonderland.engine.protocol import Seat

_KEYS = ("stage", "turn", "space", "ending", *(option.name for option in OPTIONS))
_KEYS += ("rails", "spaces", "removed")
_STAGES: dict[str, type[Stage]] = {
    "start": Starting,
    "choose": Choosing,
    "turn": Turning,
    "over": Ended,
}
_STAGE_FIELDS: dict[type[Stage], tuple[str, ...]] = {
    Starting: (),
    Choosing: ("turn",),
    Turning: ("turn", "space"),
    Ended: ("ending",),
}
"""The stage-specific fields that each stage has."""
_ENDINGS = {ending.value.replace(" ", "-"): ending for ending in Ending}
_RAILS = {WORD[:placed] or NOTHING: placed for placed in range(len(WORD) + 1)}
_DOWN = "?"
_GONE = "_"


def write_position(state: State) -> str:
    """Format the state as one line, such as `letters stage=choose turn=1 …`."""
    stage = state.stage
    turn = space = ending = NOTHING
    if isinstance(stage, (Choosing, Turning)):
        turn = str(stage.seat + 1)
    if isinstance(stage, Turning):
        space = str(stage.space + 1)
    if isinstance(stage, Ended):
        ending = stage.result.ending.replace(" ", "-")
    facts = {
        "stage": next(word for word, kind in _STAGES.items() if isinstance(stage, kind)),
        "turn": turn,
        "space": space,
        "ending": ending,
        **{option.name: option.write(getattr(state.options, option.name)) for option in OPTIONS},
        "rails": "/".join(WORD[:placed] or NOTHING for placed in state.rails),
        "spaces": write_list(map(_write_space, state.spaces)),
        "removed": write_list(map(str, state.removed)),
    }
    return write_line("letters", facts)


def _write_space(content: Space) -> str:
    if content is EMPTY:
        return _GONE
    if content is FACE_DOWN:
        return _DOWN
    return f"{content.card}{_DOWN if isinstance(content, TurnedDown) else ''}"


def read_position(text: str) -> State:
    """Parse a position; raise `NotationError` with the reason if it is invalid or impossible."""
    facts = read_line("letters", text, _KEYS)
    rails = tuple(read_word("rails", word, _RAILS) for word in facts["rails"].split("/"))
    if len(rails) not in SEATS:
        wrong = wrong_player_count("Letters", SEATS, len(rails), "L3")
        raise convert_error(wrong, NotationError)
    options = Options(**{option.name: option.read(facts[option.name]) for option in OPTIONS})
    try:
        options = options.seated(len(rails))
    except UsageError as error:
        raise convert_error(error, NotationError) from error
    spaces = read_list(facts["spaces"], _read_space)
    if len(spaces) != len(SPACES):
        raise NotationError(
            "the position has {found} spaces instead of {wanted}.",
            rule="L2",
            found=len(spaces),
            wanted=len(SPACES),
        )
    removed = tuple(sorted(read_list(facts["removed"], _read_letter)))
    seen = in_sight(options, spaces, rails, removed)
    if duplicate := next((card for card in seen if seen.count(card) > 1), None):
        raise Impossible("{card} is in two places.", ErrorCode.CARD_TWICE, card=duplicate)
    unseen = tuple(card for card in CARDS if card not in seen)
    state = State(_read_stage(facts, rails), options, spaces, rails, removed, unseen)
    if fault := next(_find_faults(state), None):
        raise fault
    return state


def _read_space(text: str) -> Space:
    if text == _GONE:
        return EMPTY
    if text == _DOWN:
        return FACE_DOWN
    if text.endswith(_DOWN):
        return TurnedDown(_read_letter(text.removesuffix(_DOWN)))
    return FaceUp(read_card(text))


def _read_letter(text: str) -> Letter:
    card = read_card(text)
    if isinstance(card, Menace):
        raise NotationError(
            "{card} isn't a letter: a menace stays face up on its space.", rule="L10", card=card
        )
    return card


def _read_stage(facts: Mapping[str, str], rails: tuple[int, ...]) -> Stage:
    kind = read_word("stage", facts["stage"], _STAGES)
    for key in ("turn", "space", "ending"):
        if key not in _STAGE_FIELDS[kind]:
            check_stage_field(key, facts[key], facts["stage"])
    if kind is Starting:
        return Starting()
    if kind is Ended:
        if rails.count(len(WORD)) != 1:
            raise NotationError(
                "exactly one player must have A-L-I-C-E when the game is over.", rule="L12"
            )
        ending = read_word("ending", facts["ending"], _ENDINGS)
        return Ended(result_of(rails, rails.index(len(WORD)), ending))
    seat = read_number("turn", facts["turn"], range(1, len(rails) + 1)) - 1
    if kind is Choosing:
        return Choosing(seat)
    return Turning(seat, read_number("space", facts["space"], range(1, len(SPACES) + 1)) - 1)


def _find_faults(state: State) -> Iterator[Impossible]:
    """Yield the reasons why a state is impossible."""
    stage, spaces, rails = state.stage, state.spaces, state.rails
    colours = state.options.colours
    if spaces.count(EMPTY) != sum(rails) + len(state.removed):
        yield Impossible(
            "each empty space must belong to a letter on a rail, or to one that is out of the game.",
            ErrorCode.WRONG_EMPTY_SPACES,
        )
    for content in spaces:
        if isinstance(content, (FaceUp, TurnedDown)) and _is_unused(state, content.card):
            yield Impossible(
                "{card} is of a colour nobody is playing, so it leaves the game when it is turned.",
                ErrorCode.COLOUR_NOT_IN_PLAY,
                card=content.card,
            )
    if used := next((letter for letter in state.removed if letter.colour in colours), None):
        yield Impossible(
            "{card} is of a colour in play, so it can't be out of the game.",
            ErrorCode.COLOUR_IN_PLAY,
            card=used,
        )
    yield from _check_menaces(state)
    if isinstance(stage, Starting) and len(state.unseen) < len(CARDS):
        yield Impossible(
            "no card can be turned before someone goes first.", ErrorCode.TURNED_BEFORE_START
        )
    if isinstance(stage, (Choosing, Turning)):
        yield from _check_turn(state, stage)
    if isinstance(stage, Turning) and not is_face_down(spaces[stage.space]):
        yield Impossible(
            "there is no face-down card on space {space}.",
            ErrorCode.NO_FACE_DOWN_CARD,
            space=stage.space + 1,
        )
    if isinstance(stage, Ended):
        yield from _check_ending(state, stage)


def _exposed_cards(state: State) -> set[Card]:
    return {content.card for content in state.spaces if isinstance(content, FaceUp)}


def _is_unused(state: State, card: Card) -> bool:
    return isinstance(card, Letter) and card.colour not in state.options.colours


def _check_menaces(state: State) -> Iterator[Impossible]:
    """L10, L14: letters are turned down by menaces, which stay face up."""
    menaces = _exposed_cards(state).intersection(Menace)
    if state.options.duchess and Menace.DUCHESS in menaces:
        return
    turned_down = {content.card.colour for content in state.spaces if isinstance(content, TurnedDown)}
    if len(turned_down) > len(menaces):
        yield Impossible(
            "letters of more colours have been turned face down than menaces have been turned up.",
            ErrorCode.TOO_MANY_TURNED_BACK,
        )


def _check_turn(state: State, stage: Choosing | Turning) -> Iterator[Impossible]:
    seats = len(state.rails)
    if len(WORD) in state.rails:
        yield Impossible(
            "{seat} has A-L-I-C-E, so the game is over.",
            ErrorCode.ALREADY_OVER,
            seat=state.rails.index(len(WORD)),
        )
    elif not any(map(is_face_down, state.spaces)):
        yield Impossible(
            "the player who turned the last card has all their letters, so the game is over.",
            ErrorCode.LAST_CARD_TURNED,
        )
    done = [(stage.seat - 1) % seats]
    if state.options.claim == "first":
        done.append(stage.seat)
    for seat in done:
        yield from _check_waiting(state, seat)
    if _exposed_cards(state).isdisjoint(Menace):  # so no card was turned twice
        turns = len(CARDS) - len(state.unseen)
        for seat in ((stage.seat - 1 - back) % seats for back in range(turns, seats)):
            if state.rails[seat] and seat not in done:
                yield Impossible(
                    "{seat} hasn't had a turn yet, so can't have played a letter.",
                    ErrorCode.PLAYED_BEFORE_TURN,
                    seat=seat,
                )


def _check_waiting(state: State, seat: Seat) -> Iterator[Impossible]:
    """L9: after a turn, none of the player's playable letters is still exposed."""
    letter = Letter(state.options.colours[seat], state.rails[seat])
    if letter in _exposed_cards(state):
        yield Impossible(
            "{card} is face up, but {seat} would have played it.",
            ErrorCode.LETTER_NOT_PLAYED,
            card=letter,
            seat=seat,
        )


def _check_ending(state: State, stage: Ended) -> Iterator[Impossible]:
    (winner,), ending = stage.result.winners, Ending(stage.result.ending)
    claim, colours = state.options.claim, state.options.colours
    if ending is (Ending.CLAIMED_AFTER if claim == "first" else Ending.CLAIMED_FIRST):
        yield Impossible(
            "{ending} can't happen with claim={claim}.",
            ErrorCode.WRONG_ENDING,
            ending=ending.value,
            claim=claim,
        )
    if ending is not Ending.CLAIMED_AFTER:  # so the last card turned wasn't the previous player's
        yield from _check_waiting(state, (winner - 1) % len(colours))
    elif not state.removed and not any(isinstance(card, Letter) for card in _exposed_cards(state)):
        yield Impossible(
            "the last card turned must have been a letter of another colour, but there is none.",
            ErrorCode.NO_LAST_CARD,
        )
