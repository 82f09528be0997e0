"""Position editor for Letters: the form with the rails and the starred spaces, read and written."""

from __future__ import annotations

from collections.abc import Sequence

from wonderland.components.editor import Facts, Filling, Form, Piece, PieceArea, read_facts
from wonderland.engine.language import Language
from wonderland.engine.position import write_line
from wonderland.games.letters.rules.components import SPACES, WORD, Card, Colour, Letter, Menace
from wonderland.games.letters.rules.options import OPTIONS
from wonderland.games.letters.rules.rules import SEATS
from wonderland.games.letters.ui.words import COLOURS, card_name

EXAMPLE = (
    "letters stage=choose turn=1 space=- ending=- duchess=false claim=after memory=closed "
    "colours=red,blue rails=A/AL spaces=_.?.redC.?.?.blueE.Hare.?.?.redI?._.?.?._.?.?.?.Walrus.?.?.redE."
    "?.?.?._.?.? removed=greenC"
)
_STAGES = ("choose",)
_GONE = "_"
_RAILS = [WORD[:placed] or "-" for placed in range(len(WORD))]
_SWITCHES = tuple(option for option in OPTIONS if option.name != "colours")


def facts(line: str, seat: int) -> dict[str, str]:
    """Extract the form's fields from a position, including letters that were turned down again."""
    fields = read_facts(EXAMPLE, line, _STAGES)
    rails, spaces = fields["rails"].split("/"), fields["spaces"].split(".")
    form_fields = {"seats": str(len(rails)), "seat": str(seat), "turn": fields["turn"]}
    form_fields |= {option.name: fields[option.name] for option in _SWITCHES}
    form_fields |= {f"rail{owner}": rail for owner, rail in enumerate(rails)}
    form_fields |= {
        f"colour{owner}": colour for owner, colour in enumerate(fields["colours"].split(","))
    }
    form_fields |= {f"space{space}": word for space, word in enumerate(spaces)}
    return form_fields | {"removed": fields["removed"]}


def form(facts: Facts, names: Sequence[str], say: Language) -> Form:
    """Build the editor's form from these fields."""
    filling = Filling(facts)
    seats = int(filling.choice("seats", say("Players"), [(str(n), str(n)) for n in SEATS]))
    seat = int(filling.choice("seat", say("You are"), [(str(n), names[n]) for n in range(seats)]))
    order = [(seat + n) % seats for n in range(seats)]  # the viewer's own first
    filling.choice("turn", say("Whose turn"), [(str(n + 1), names[n]) for n in order])
    rails = [
        _RAILS.index(filling.choice(f"rail{owner}", _rail_label(names[owner], say), _rail_options(say)))
        for owner in range(seats)
    ]
    colours = _choose_colours(filling, names[:seats], say)
    for option in _SWITCHES:
        words = [(word, say(option.label(word))) for word in option.examples]
        filling.choice(option.name, say.capital(say(option.meaning)), words, is_rare=True)
    rows, removable = _card_rows(colours, rails, say)
    gone = 0
    for space in SPACES:
        number = str(space + 1)
        label = say("Space {number}", number=number)
        place = PieceArea(f"space{space}", label, number, rows, (), "cards", capacity=1, is_space=True)
        gone += filling.place(place) == (_GONE,)
    removed: tuple[str, ...] = ()
    if removable:
        removed = filling.place(
            PieceArea("removed", say("Out of the game"), "○", removable, (), "cards")
        )
    hint = say("Tap a letter twice if it has been turned face down again.")
    return filling.form(_report_mismatch(sum(rails) + len(removed) - gone, say), [hint])


def _rail_label(name: str, say: Language) -> str:
    return say("{name}'s letters", name=name)


def _rail_options(say: Language) -> list[tuple[str, str]]:
    return [(word, say("none") if word == "-" else "-".join(word)) for word in _RAILS]


def _choose_colours(filling: Filling, names: Sequence[str], say: Language) -> list[Colour]:
    """Add the choice of a colour for each seat, all different (L3), and return them."""
    left = {colour.word: colour for colour in Colour}
    chosen = []
    for owner, name in enumerate(names):
        words = [(word, say(COLOURS[colour])) for word, colour in left.items()]
        label = say("{name}'s colour", name=name)
        chosen.append(left.pop(filling.choice(f"colour{owner}", label, words, is_rare=True)))
    return chosen


Rows = tuple[tuple[Piece, ...], ...]


def _card_rows(colours: Sequence[Colour], rails: Sequence[int], say: Language) -> tuple[Rows, Rows]:
    """Return the rows of cards that may be on a space, and of those that may be out of the game."""
    placed = dict(zip(colours, rails, strict=True))
    rows = [
        tuple(
            _piece(Letter(colour, place), say, remembered=True)
            for place in range(placed[colour], len(WORD))
        )
        for colour in colours
    ]
    empty = Piece((_GONE,), (say("empty"),), {"kind": "empty"}, len(SPACES))
    others = tuple(
        tuple(_piece(Letter(colour, place), say) for place in range(len(WORD)))
        for colour in Colour
        if colour not in colours
    )
    menaces = tuple(_piece(card, say) for card in Menace)
    return (*rows, (*menaces, empty)), others


def _piece(card: Card, say: Language, *, remembered: bool = False) -> Piece:
    name = card_name(card, say)
    if isinstance(card, Menace):
        return Piece((str(card),), (say.capital(name),), {"kind": "menace"})
    look = {"kind": "letter", "colour": card.colour.word}
    if not remembered:
        return Piece((str(card),), (name,), look)
    return Piece((str(card), f"{card}?"), (name, say("{card}, face down again", card=name)), look)


def _report_mismatch(shortfall: int, say: Language) -> list[str]:
    """L6, L11: report a mismatch between empty spaces and letters on rails or out of the game."""
    if shortfall > 0:
        return [
            say.plural(
                "Mark {number} more space as empty: letters on rails have left theirs.",
                "Mark {number} more spaces as empty: letters on rails have left theirs.",
                shortfall,
            )
        ]
    if shortfall < 0:
        return [
            say.plural(
                "{number} space is empty, but its letter isn't on a rail.",
                "{number} spaces are empty, but their letters aren't on a rail.",
                -shortfall,
            )
        ]
    return []


def line(form: Form) -> str:
    """Write the form's position as a line."""
    seats = range(int(form.value("seats")))
    colours = form.value("colour0")
    left = [colour.word for colour in Colour if colour.word != colours]
    for owner in seats[1:]:
        word = form.value(f"colour{owner}") or left[0]
        left.remove(word)
        colours += f",{word}"
    written = {"stage": "choose", "turn": form.value("turn"), "space": "-", "ending": "-"}
    written |= {option.name: form.value(option.name) for option in _SWITCHES} | {"colours": colours}
    written |= {
        "rails": "/".join(form.value(f"rail{owner}") for owner in seats),
        "spaces": ".".join("".join(form.pieces_in(f"space{space}")) or "?" for space in SPACES),
        "removed": ".".join(form.pieces_in("removed")) or "-",
    }
    return write_line("letters", written)
