"""Position editor of Cookies: cards, pawns, cookies and the spinner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wonderland.components.editor import (
    Facts,
    Filling,
    Form,
    Piece,
    PieceArea,
    per_seat,
    read_facts,
    split_seats,
)
from wonderland.engine.errors import NotationError
from wonderland.engine.language import Language
from wonderland.engine.options import Option
from wonderland.engine.position import write_line
from wonderland.games.cookies.rules.board import Board, Kind, read_board
from wonderland.games.cookies.rules.components import (
    COOKIE_VALUES,
    DECK,
    SEATS,
    SMALL_COOKIES,
    Card,
    large_cookies,
)
from wonderland.games.cookies.rules.notation import read
from wonderland.games.cookies.rules.options import OPTIONS
from wonderland.games.cookies.rules.state import PlayCard
from wonderland.games.cookies.ui.words import kind_name, play_name

EXAMPLE = (
    "cookies stage=play turn=1 spins=- cats=- hands=2.5.J/?.?.?/?.?.? played=2.1/3.1/4.5 pawns=4/6L/9 "
    "stuck=- cookies=3/2.4/- small=0/2/0 up=4 spinner=3 last=left5 options=-"
)
_STAGES = ("play", "decide", "tea")
_NONE = "-"
_HIDDEN = "?"
_DEFAULTS = {option.name: option.examples[0] for option in OPTIONS}
_SPINS = range(1, 5)
_STUCK = [str(seat + 1) for seat in range(SEATS[-1])]
Rows = tuple[tuple[Piece, ...], ...]


def facts(line: str, seat: int) -> dict[str, str]:
    """Return the facts of a position line that this seat may know: its own hand, or all if open."""
    said = read_facts(EXAMPLE, line, _STAGES)
    seats = said["hands"].count("/") + 1
    options = dict(word.partition("=")[::2] for word in said["options"].split(","))
    found = {key: said[key] for key in ("stage", "turn", "spins", "up", "spinner", "last")}
    found |= {"seats": str(seats), "seat": str(seat)} | {
        f"option-{key}": options[key] for key in options
    }
    for key in ("hands", "played", "cookies", "small"):
        for owner, words in enumerate(split_seats(said[key], seats)):
            found[f"{key}{owner}"] = words
    for owner, pawn in enumerate(split_seats(said["pawns"], seats)):
        found[f"pawn{owner}"] = pawn.removesuffix("L")
        if pawn.endswith("L"):
            found["large"] = str(owner)
    return found | {
        f"stuck{int(word) - 1}": "yes" for word in said["stuck"].split(".") if word in _STUCK
    }


def form(facts: Facts, names: Sequence[str], say: Language) -> Form:
    """Build the form, filled in with these facts."""
    filling = Filling(facts)
    seats = int(filling.choice("seats", say("Players"), [(str(n), str(n)) for n in SEATS]))
    seat = int(filling.choice("seat", say("You are"), [(str(n), names[n]) for n in range(seats)]))
    order = [(seat + n) % seats for n in range(seats)]  # the viewer first
    stages = [say("play a card"), say("climb out or spin again"), say("take a large cookie")]
    stage = filling.choice("stage", say("Next step"), list(zip(_STAGES, stages, strict=True)))
    turn = int(filling.choice("turn", say("Whose turn"), [(str(n + 1), names[n]) for n in order])) - 1
    options = _add_options(filling, facts, say)
    board = read_board(options["board"])
    _add_pawns(filling, names[:seats], board, say)
    spaces = [(str(n + 1), _space_label(board, n, say)) for n in range(len(board.spaces))]
    spinner = [(_NONE, say("not spun yet")), *spaces] if stage != "decide" else spaces
    filling.choice("spinner", say("The spinner points to"), spinner, is_rare=stage != "decide")
    if stage == "decide":
        filling.choice("spins", say("Spins left"), [(str(n), str(n)) for n in _SPINS])
    played = _add_cards(filling, (stage, turn, seat), options, [names[n] for n in range(seats)], say)
    player = turn if stage != "play" else (turn - 1) % seats
    _add_last_card(filling, facts, (stage, options["kind_hole"]), played[player], say)
    _add_cookies(filling, seat, names[:seats], say)
    return filling.form()


def _space_label(board: Board, space: int, say: Language) -> str:
    """Name a space as short as a list on a phone needs it."""
    kind = board.spaces[space].kind
    return str(space + 1) if kind is Kind.PLAIN else f"{space + 1} · {kind_name(kind, say)}"


def _add_options(filling: Filling, facts: Facts, say: Language) -> dict[str, str]:
    """Add the options; a custom board comes with the position line and can be kept or dropped."""
    found = {}
    for option in OPTIONS:
        words = [*option.examples] if option.name != "board" else [_DEFAULTS["board"]]
        given = facts.get(f"option-{option.name}", "")
        if given not in words and _is_readable(option, given):
            words.append(given)
        shown = [(word, say(option.label(word))) for word in words]
        label = say.capital(say(option.meaning))
        found[option.name] = filling.choice(f"option-{option.name}", label, shown, is_rare=True)
    return found


def _is_readable(option: Option, text: str) -> bool:
    try:
        option.read(text)
    except NotationError:
        return False
    return True


def _add_pawns(filling: Filling, names: Sequence[str], board: Board, say: Language) -> None:
    """Add the place of each pawn, the large pawn, and which pawns failed to climb out of a hole."""
    spaces = [(str(n + 1), _space_label(board, n, say)) for n in range(len(board.spaces))]
    pawns = [
        int(filling.choice(f"pawn{owner}", say("{name}'s pawn", name=name), spaces)) - 1
        for owner, name in enumerate(names)
    ]
    nobody = [(_NONE, say("nobody"))]
    large = filling.choice(
        "large", say("Large pawn"), nobody + [(str(n), name) for n, name in enumerate(names)]
    )
    for owner, space in enumerate(pawns):
        if board.is_hole(space) and large != str(owner):
            label = say("{name} has failed to climb out", name=names[owner])
            words = [("no", say("no")), ("yes", say("yes"))]
            filling.choice(f"stuck{owner}", label, words, is_rare=True)


def _deck(say: Language) -> Rows:
    """The cards of one player."""

    def name(card: Card) -> str:
        return say("Joker") if card is Card.JOKER else card.mark

    return (
        tuple(
            Piece((card.mark,), (name(card),), {"kind": "card", "mark": card.mark}, DECK.count(card))
            for card in Card
        ),
    )


def _add_cards(
    filling: Filling,
    moment: tuple[str, int, int],
    options: Mapping[str, str],
    names: Sequence[str],
    say: Language,
) -> list[tuple[str, ...]]:
    """Add the visible hands and everyone's played cards, and return the latter."""
    stage, turn, seat = moment
    deck, played = _deck(say), []
    for owner, name in enumerate(names):
        label = say("Played by {name}", name=name) if owner != seat else say("Played by you")
        place = PieceArea(f"played{owner}", label, name[0], deck, (), f"cards{owner}")
        played.append(filling.place(place))
    sizes = hand_sizes(stage, turn, int(options["hand_size"]), list(map(len, played)))
    for owner, name in enumerate(names):
        if owner == seat or options["hands"] == "open":
            label = say("{name}'s hand", name=name)
            label = say("Your hand, from left to right") if owner == seat else label
            pool, wanted = f"cards{owner}", sizes[owner]
            filling.place(PieceArea(f"hands{owner}", label, "●", deck, (), pool, wanted))
    filling.places.sort(key=lambda place: place.key != f"hands{seat}")  # the viewer first
    return played


def hand_sizes(stage: str, turn: int, size: int, played: Sequence[int]) -> list[int]:
    """Size of each hand: it is refilled at the end of a turn while there is a pile (C12)."""
    in_turn = [seat == turn and stage != "play" for seat in range(len(played))]
    return [
        max(min(size, len(DECK) - number + acting) - acting, 0)
        for number, acting in zip(played, in_turn, strict=True)
    ]


def _add_last_card(
    filling: Filling, facts: Facts, how: tuple[str, str], played: Sequence[str], say: Language
) -> None:
    """Add the last card played, to be chosen from those of its player."""
    stage, kind_hole = how
    words = [f"{side}{what}" for what in _numbers(played) for side in ("left", "right")]
    given = facts.get("last", "")
    if given not in words and _was_played(given, played, walks=kind_hole == "true"):
        words.append(given)
    shown = [(word, say.capital(play_name(_play(word), say))) for word in words]
    label = say("Last card played")
    filling.choice("last", label, shown or [(_NONE, _NONE)], is_rare=stage != "decide")


def _numbers(played: Sequence[str]) -> list[str]:
    """Numbers the cards may have been played as; a Joker is any number (C8)."""
    marks = sorted(set(played))
    plain = [mark for mark in marks if mark != "J"]
    return plain + [f"J{number}" for number in Card.JOKER.numbers if "J" in marks]


def _play(word: str) -> PlayCard:
    found = read(word)
    assert isinstance(found, PlayCard)  # noqa: S101 - its words are all plays
    return found


def _was_played(word: str, played: Sequence[str], *, walks: bool) -> bool:
    """Whether a word is a possible play of these cards, including by a large pawn or out of a hole."""
    try:
        found = read(word)
    except NotationError:
        return False
    return isinstance(found, PlayCard) and found.card.mark in played and (walks or not found.walk)


def _add_cookies(filling: Filling, seat: int, names: Sequence[str], say: Language) -> None:
    """Add the cookies everyone has taken, and the face-up large cookie."""
    all_of_them = large_cookies(len(names))
    row = tuple(
        Piece(
            (str(value),),
            (say("Cookie worth {number}", number=value),),
            {"kind": "cookie", "value": value},
            all_of_them.count(value),
        )
        for value in COOKIE_VALUES
    )
    taken = 0
    for owner, name in enumerate(names):
        label = say("{name}'s large cookies", name=name) if owner != seat else say("Your large cookies")
        place = PieceArea(f"cookies{owner}", label, name[0], (row,), (), "cookies")
        taken += len(filling.place(place))
    label, wanted = say("Face-up cookie"), int(taken < len(all_of_them))
    filling.place(PieceArea("up", label, "▲", (row,), (), "cookies", wanted, capacity=1))
    numbers = [(str(n), str(n)) for n in range(SMALL_COOKIES + 1)]
    for owner, name in enumerate(names):
        filling.choice(f"small{owner}", say("{name}'s small cookies", name=name), numbers)


def line(form: Form) -> str:
    """Write the position line of a form."""
    seats, stage = range(int(form.value("seats"))), form.value("stage")
    turn, seat = int(form.value("turn")) - 1, int(form.value("seat"))
    options = {name: form.value(f"option-{name}") or usual for name, usual in _DEFAULTS.items()}
    played = [form.pieces_in(f"played{owner}") for owner in seats]
    sizes = hand_sizes(stage, turn, int(options["hand_size"]), list(map(len, played)))
    hands = [
        form.pieces_in(f"hands{owner}")
        if owner == seat or options["hands"] == "open"
        else (_HIDDEN,) * sizes[owner]
        for owner in seats
    ]
    large = form.value("large")
    written = {
        "stage": stage,
        "turn": str(turn + 1),
        "spins": form.value("spins") or _NONE,
        "cats": _NONE,
        "hands": per_seat(hands),
        "played": per_seat(played),
        "pawns": "/".join(form.value(f"pawn{n}") + ("L" if large == str(n) else "") for n in seats),
        "stuck": ".".join(str(n + 1) for n in seats if form.value(f"stuck{n}") == "yes") or _NONE,
        "cookies": per_seat([form.pieces_in(f"cookies{owner}") for owner in seats]),
        "small": "/".join(form.value(f"small{owner}") for owner in seats),
        "up": "".join(form.pieces_in("up")) or _NONE,
        "spinner": form.value("spinner"),
        "last": (form.value("last") or _NONE) if any(played) else _NONE,
        "options": ",".join(
            f"{name}={text}" for name, text in options.items() if text != _DEFAULTS[name]
        )
        or _NONE,
    }
    return write_line("cookies", written)
