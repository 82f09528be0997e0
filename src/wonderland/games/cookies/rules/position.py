"""One-line notation of a position of Cookies; `position_check.py` decides whether it is possible."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, assert_never

from wonderland.engine.errors import Impossible, NotationError, convert_error, quote, wrong_player_count
from wonderland.engine.position import (
    NOTHING,
    check_seat_count,
    check_stage_field,
    read_line,
    read_list,
    read_number,
    read_word,
    write_line,
    write_list,
)
from wonderland.engine.protocol import FACE_DOWN, FaceDown
from wonderland.games.cookies.rules.components import (
    COOKIE_VALUES,
    DECK,
    SEATS,
    SMALL_COOKIES,
    Card,
    large_cookies,
)
from wonderland.games.cookies.rules.error_codes import ErrorCode
from wonderland.games.cookies.rules.notation import read, read_card, write
from wonderland.games.cookies.rules.options import OPTIONS, Options
from wonderland.games.cookies.rules.position_check import fault
from wonderland.games.cookies.rules.scoring import result_of
from wonderland.games.cookies.rules.state import (
    Climbing,
    Dealing,
    Deciding,
    Drawing,
    Ended,
    Hand,
    Larder,
    PlayCard,
    Playing,
    Spinning,
    Stage,
    Starting,
    State,
    Taking,
    TakingDown,
    TurningFirst,
    TurningUp,
    cards_played,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from wonderland.engine.protocol import Seat

T = TypeVar("T")

_KEYS = (
    "stage",
    "turn",
    "spins",
    "cats",
    "hands",
    "played",
    "pawns",
    "stuck",
    "cookies",
    "small",
    "up",
    "spinner",
    "last",
    "options",
)
_SEAT_STAGES: dict[str, Callable[[Seat], Stage]] = {
    "first": TurningFirst,
    "play": Playing,
    "spin": Spinning,
    "tea": Taking,
    "down": TakingDown,
    "draw": Drawing,
}
_STAGES: dict[str, Callable[..., Stage]] = {
    "start": Starting,
    "deal": Dealing,
    "climb": Climbing,
    "decide": Deciding,
    "up": TurningUp,
    "over": Ended,
    **_SEAT_STAGES,
}


def write_position(state: State) -> str:
    """Write the state as one line such as `cookies stage=play turn=1 …`."""
    stage = state.stage
    turn, spins, cats = _write_stage(stage)
    face_up = state.larder.face_up
    facts = {
        "stage": next(word for word, kind in _STAGES.items() if type(stage) is kind),
        "turn": turn,
        "spins": spins,
        "cats": cats,
        "hands": _write_per_seat(map(_write_card, hand) for hand in state.hands),
        "played": _write_per_seat(
            (card.mark for card in cards_played(hand, unseen))
            for hand, unseen in zip(state.hands, state.unseen, strict=True)
        ),
        "pawns": "/".join(
            f"{space + 1}{'L' if state.large == seat else ''}" for seat, space in enumerate(state.pawns)
        ),
        "stuck": write_list(str(seat + 1) for seat, stuck in enumerate(state.stuck) if stuck),
        "cookies": _write_per_seat(map(str, taken) for taken in state.larder.large),
        "small": "/".join(map(str, state.larder.small)),
        "up": NOTHING if face_up is None else str(face_up),
        "spinner": NOTHING if state.spinner is None else str(state.spinner + 1),
        "last": NOTHING if state.last is None else write(state.last),
        "options": _write_options(state.options),
    }
    return write_line("cookies", facts)


def _write_stage(stage: Stage) -> tuple[str, str, str]:
    """The fields `turn` (the seat to move, or the start player), `spins` left, and `cats` used."""
    match stage:
        case Starting() | Ended():
            return NOTHING, NOTHING, NOTHING
        case Dealing(first, _) | TurningFirst(first):
            return str(first + 1), NOTHING, NOTHING
        case Climbing(seat, spins) | Deciding(seat, spins):
            return str(seat + 1), str(spins), NOTHING
        case TurningUp(seat, cats):
            return str(seat + 1), NOTHING, write_list(str(cat + 1) for cat in cats)
        case Playing(seat) | Spinning(seat) | Taking(seat) | TakingDown(seat) | Drawing(seat):
            return str(seat + 1), NOTHING, NOTHING
    assert_never(stage)


def _write_per_seat(lists: Iterable[Iterable[str]]) -> str:
    return "/".join(map(write_list, lists))


def _write_card(card: Card | FaceDown) -> str:
    return "?" if card is FACE_DOWN else card.mark


def _write_options(options: Options) -> str:
    """Write the options that differ from the defaults, as in a record, separated by commas."""
    usual = Options()
    words = [
        f"{option.name}={option.write(getattr(options, option.name))}"
        for option in OPTIONS
        if getattr(options, option.name) != getattr(usual, option.name)
    ]
    return ",".join(words) or NOTHING


def read_position(text: str) -> State:
    """Parse a state from a line; raise `NotationError` with the reason if it is invalid."""
    facts = read_line("cookies", text, _KEYS)
    options = _read_options(facts["options"])
    spaces = _space_numbers(options)
    hands = tuple(read_list(hand, _read_card) for hand in facts["hands"].split("/"))
    seats = len(hands)
    if seats not in SEATS:
        wrong = wrong_player_count("Cookies", SEATS, seats, "C2")
        raise convert_error(wrong, NotationError)
    for key in ("played", "pawns", "cookies", "small"):
        check_seat_count(key, facts[key], facts[key].count("/") + 1, seats)
    pawns, large = _read_pawns(facts["pawns"], spaces)
    stuck = read_list(facts["stuck"], lambda word: read_number("stuck", word, range(1, seats + 1)))
    larder = _read_larder(facts, seats)
    stage = _read_stage(facts, options, hands, Ended(result_of(larder.large, larder.small, pawns)))
    for key, needed in zip(("turn", "spins", "cats"), _write_stage(stage), strict=True):
        if needed == NOTHING:
            check_stage_field(key, facts[key], facts["stage"])
    state = State(
        options,
        stage,
        hands,
        tuple(map(_read_unseen, hands, facts["played"].split("/"), range(seats))),
        pawns,
        large,
        tuple(seat + 1 in stuck for seat in range(seats)),
        larder,
        _read_optional(facts["spinner"], lambda word: read_number("spinner", word, spaces) - 1),
        _read_optional(facts["last"], _read_play),
    )
    if reason := fault(state):
        raise reason
    return state


def _read_stage(
    facts: Mapping[str, str], options: Options, hands: tuple[Hand, ...], over: Ended
) -> Stage:
    kind = read_word("stage", facts["stage"], _STAGES)
    if kind is Starting:
        return Starting()
    if kind is Ended:
        return over
    seat = read_number("turn", facts["turn"], range(1, len(hands) + 1)) - 1
    if kind is Dealing:  # one seat after another
        return Dealing(first=seat, seat=sum(map(len, hands)) // options.hand_size)
    if kind is Climbing:
        return Climbing(seat, _read_spins(facts))
    if kind is Deciding:
        return Deciding(seat, _read_spins(facts))
    if kind is TurningUp:
        spaces = _space_numbers(options)
        cats = read_list(facts["cats"], lambda word: read_number("cats", word, spaces) - 1)
        return TurningUp(seat, cats)
    return _SEAT_STAGES[facts["stage"]](seat)


def _space_numbers(options: Options) -> range:
    return range(1, len(options.board.spaces) + 1)


def _read_spins(facts: Mapping[str, str]) -> int:
    return read_number("spins", facts["spins"], range(1, 6))


def _read_optional(text: str, parse: Callable[[str], T]) -> T | None:
    return None if text == NOTHING else parse(text)


def _read_card(text: str) -> Card | FaceDown:
    return FACE_DOWN if text == "?" else read_card(text)


def _read_cookie(text: str) -> int:
    return read_number("cookies", text, COOKIE_VALUES)


def _read_play(text: str) -> PlayCard:
    play = read(text)
    if not isinstance(play, PlayCard):
        raise NotationError("{text} isn't a card played, such as left3.", rule="C7", text=quote(text))
    return play


def _read_pawns(text: str, spaces: range) -> tuple[tuple[int, ...], int | None]:
    """Parse the spaces of the pawns, and the seat whose pawn is large, marked by an L (C15)."""
    words = text.split("/")
    large = [seat for seat, word in enumerate(words) if word.endswith("L")]
    if len(large) > 1:
        raise NotationError(
            "pawns={pawns} has {number} large pawns, but only one pawn can be large.",
            rule="C15",
            pawns=text,
            number=len(large),
        )
    pawns = tuple(read_number("pawns", word.removesuffix("L"), spaces) - 1 for word in words)
    return pawns, large[0] if large else None


def _read_unseen(hand: Hand, text: str, seat: int) -> tuple[Card, ...]:
    """Cards a seat has neither played nor face up in its hand."""
    cards = list(DECK)
    for card in (*hand, *read_list(text, read_card)):
        if card is FACE_DOWN:
            continue
        if card not in cards:
            raise Impossible(
                "{seat} has more copies of card {card} than there are.",
                ErrorCode.TOO_MANY_COPIES,
                seat=seat,
                card=card.mark,
            )
        cards.remove(card)
    return tuple(cards)


def _read_larder(facts: Mapping[str, str], seats: int) -> Larder:
    """Parse the cookies taken and those left; the stack is whatever is nowhere else (C1)."""
    large = tuple(tuple(sorted(read_list(word, _read_cookie))) for word in facts["cookies"].split("/"))
    face_up = _read_optional(facts["up"], _read_cookie)
    stack = list(large_cookies(seats))
    for cookie in (cookie for cookies in (*large, (face_up,)) for cookie in cookies):
        if cookie is None:
            continue
        if cookie not in stack:
            raise Impossible(
                "there are more cookies worth {value} than a game for {seats} players has.",
                ErrorCode.TOO_MANY_LARGE_COOKIES,
                value=cookie,
                seats=seats,
            )
        stack.remove(cookie)
    allowed = range(SMALL_COOKIES + 1)
    small = tuple(read_number("small", word, allowed) for word in facts["small"].split("/"))
    return Larder(large, small, tuple(stack), face_up, SMALL_COOKIES - sum(small))


def _read_options(text: str) -> Options:
    """Parse the named options, with defaults for the rest."""
    known = {option.name: option for option in OPTIONS}
    chosen = {}
    for word in () if text == NOTHING else text.split(","):
        name, equals, option = word.partition("=")
        if not equals or name not in known or name in chosen:
            raise NotationError(
                "options={options} can't be read: the options are {known}.",
                options=text,
                known=tuple(known),
            )
        chosen[name] = known[name].read(option)
    return Options(**chosen)
