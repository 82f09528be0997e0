"""Position editor for Parade: the form with the hand, the parade and the zones, read and written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

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
from wonderland.engine.language import Language
from wonderland.engine.position import write_line
from wonderland.games.parade.rules.components import DECK, HAND_SIZE, Card, Colour
from wonderland.games.parade.rules.notation import read_card
from wonderland.games.parade.rules.rules import SEATS, has_all_colours
from wonderland.games.parade.ui.words import card_name, colour_legend

EXAMPLE = (
    "parade stage=play turn=1 hands=B10.P2.G3.Y9.O6/?.?.?.?.?/?.?.?.?.? parade=P5.G0.R7.B3.P7.R1.O4 "
    "zones=R2.R5.Y7/R10.G4.G8/G1.B9 ending=- left=- kept=-"
)
_STAGES = ("play", "keep")
_NOT_YET = "-"
_HIDDEN = "?"


def facts(line: str, seat: int) -> dict[str, str]:
    """Extract the form's fields from a position: this seat's hand and all face-up cards."""
    fields = read_facts(EXAMPLE, line, _STAGES)
    seats = fields["hands"].count("/") + 1
    hands, zones = split_seats(fields["hands"], seats), split_seats(fields["zones"], seats)
    form_fields = {
        "seats": str(seats),
        "seat": str(seat),
        "stage": fields["stage"],
        "turn": fields["turn"],
        "left": fields["left"],
        "ending": fields["ending"],
        "hand": hands[seat] if seat in range(seats) else hands[0],
        "parade": fields["parade"],
    }
    return form_fields | {f"zone{owner}": zone for owner, zone in enumerate(zones)}


@cache
def _deck_rows(say: Language) -> tuple[tuple[Piece, ...], ...]:
    """Return all cards, one row per colour."""
    return tuple(tuple(_piece(card, say) for card in DECK if card.colour is colour) for colour in Colour)


def _piece(card: Card, say: Language) -> Piece:
    look = {"id": str(card), "colour": card.colour.name.lower()}
    return Piece((str(card),), (card_name(card, say),), look)


def form(facts: Facts, names: Sequence[str], say: Language) -> Form:
    """Build the editor's form from these fields."""
    filling, deck = Filling(facts), _deck_rows(say)
    seats = int(filling.choice("seats", say("Players"), [(str(n), str(n)) for n in SEATS]))
    seat = int(filling.choice("seat", say("You are"), [(str(n), names[n]) for n in range(seats)]))
    options = [("play", say("play a card")), ("keep", say("keep two cards"))]
    stage = filling.choice("stage", say("Next step"), options)
    turn, left = _add_turn_choices(filling, seat, seats, names, say) if stage == "play" else (seat, 0)
    sizes = _hand_sizes(stage, turn, left or seats, seats)
    hand = filling.place(PieceArea("hand", say("Your hand"), "●", deck, (), wanted=sizes[seat]))
    parade = filling.place(PieceArea("parade", say("Parade, from the front"), "→", deck, ()))
    taken = 0
    for owner in ((seat + n) % seats for n in range(seats)):
        name = names[owner]
        label = say("In front of {name}", name=name) if owner != seat else say("In front of you")
        taken += len(filling.place(PieceArea(f"zone{owner}", label, name[0], deck, ())))
    pile = len(DECK) - len(parade) - taken - sum(sizes) - max(len(hand) - sizes[seat], 0)
    if stage == "keep" and pile == 0:
        set_off = [("empty-pile", say("the empty draw pile")), ("both", say("a sixth colour as well"))]
        filling.choice("ending", say("What started the last round"), set_off)
    missing = [] if parade else [say("Add the parade's cards, from front to end.")]
    setter = names[(turn + left - 1) % seats] if left else ""
    return filling.form(missing, _notes(pile, setter, say), colour_legend(say))


def _add_turn_choices(
    filling: Filling, seat: int, seats: int, names: Sequence[str], say: Language
) -> tuple[int, int]:
    """Return whose turn it is and the turns left in the last round: 0 before it."""
    order = [(seat + n) % seats for n in range(seats)]  # the viewer's own first
    turn = int(filling.choice("turn", say("Whose turn"), [(str(n + 1), names[n]) for n in order])) - 1
    rounds = [(_NOT_YET, say("not yet"))]
    rounds += [
        (str(n), say.plural("{number} turn left", "{number} turns left", n)) for n in range(seats, 0, -1)
    ]
    left = filling.choice("left", say("Last round"), rounds)
    return turn, 0 if left == _NOT_YET else int(left)


def _hand_sizes(stage: str, turn: int, to_play: int, seats: int) -> list[int]:
    """Return each hand's size (P7, P9): one card fewer after a turn of the last round."""
    if stage == "keep":
        return [HAND_SIZE - 1] * seats
    return [HAND_SIZE - ((seat - turn) % seats >= to_play) for seat in range(seats)]


def _notes(pile: int, setter: str, say: Language) -> list[str]:
    notes = []
    if pile >= 0:
        notes = [
            say.plural(
                "{number} card is in the draw pile.", "{number} cards are in the draw pile.", pile
            )
        ]
    if setter:
        notes.append(say("{name} started the last round.", name=setter))
    return notes


def line(form: Form) -> str:
    """Write the form's position as a line; the cause of the last round mostly follows from it (P8)."""
    seats, seat, stage = int(form.value("seats")), int(form.value("seat")), form.value("stage")
    left = form.value("left") or _NOT_YET
    turn = int(form.value("turn") or 1) - 1
    to_play = seats if left == _NOT_YET else int(left)
    hands: list[Sequence[str]] = [[_HIDDEN] * n for n in _hand_sizes(stage, turn, to_play, seats)]
    hands[seat] = form.pieces_in("hand")
    zones = [form.pieces_in(f"zone{owner}") for owner in range(seats)]
    empty = len(DECK) <= len(form.pieces_in("parade")) + sum(map(len, (*zones, *hands)))
    ending = "-"
    if stage == "keep":
        ending = (form.value("ending") or "empty-pile") if empty else "sixth-colour"
    elif left != _NOT_YET:
        setter = [read_card(word) for word in zones[(turn + to_play - 1) % seats]]
        with_colours = "both" if has_all_colours(setter) else "empty-pile"
        ending = with_colours if empty else "sixth-colour"
    written = {
        "stage": stage,
        "turn": str(turn + 1) if stage == "play" else "-",
        "hands": per_seat(hands),
        "parade": ".".join(form.pieces_in("parade")) or "-",
        "zones": per_seat(zones),
        "ending": ending,
        "left": left,
        "kept": "/".join("-" * seats) if stage == "keep" else "-",
    }
    return write_line("parade", written)
