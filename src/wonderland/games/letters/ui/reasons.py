"""Why turning one card of Letters is better than turning another: what each is, or may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from wonderland.components.judge import ActionValue
from wonderland.components.reasons import Choices, Fact, compose, side_by_side
from wonderland.engine.language import Language
from wonderland.engine.protocol import LUCK, Seat
from wonderland.engine.values import Value
from wonderland.games.letters.rules.components import CARDS, WORD, Card, Letter, Menace
from wonderland.games.letters.rules.events import LettersPlayed, LettersTurnedDown
from wonderland.games.letters.rules.rules import apply
from wonderland.games.letters.rules.state import FaceUp, State, TurnCard, TurnedDown
from wonderland.games.letters.rules.view import View, in_sight
from wonderland.games.letters.ui.words import COLOURS, card_name

_WINS, _PLAYS, _PREPARES, _IS_NEW, _KNOWN, _GIVES = 4, 3, 2, 1, 1, 0
"""How good a card looks before one thinks."""
_NO_DIFFERENCE = 0.1
"""Cards that look as good as each other are told of, and compared by their chances."""


def reason(
    view: View, best: ActionValue, other: ActionValue, names: Sequence[str], say: Language
) -> str:
    """Why `best` is better than `other` here: a sentence for each, and the chances if those surprise."""
    state, seat = _known(view), _seat(view)
    one, another = best.action.space, other.action.space
    looks = [_look(state, seat, space) for space in (one, another)]
    if not any(isinstance(state.spaces[space], TurnedDown) for space in (one, another)):
        return say(
            "Nothing is known of card {number} or of card {other}: one is as good as the other.",
            number=one + 1,
            other=another + 1,
        )
    hopes = _told(state, seat, one, names, say, wanted=True)
    both = side_by_side(hopes, _told(state, seat, another, names, say, wanted=False), say)
    called = (say("card {number}", number=one + 1), say("card {number}", number=another + 1))
    looks_better = Fact(looks[0] - looks[1] or _NO_DIFFERENCE, both)
    return compose(Choices(best, other, called), [looks_better], say)


def _seat(view: View) -> Seat:
    assert view.seat is not None  # noqa: S101 - a spectator has no choice to explain
    return view.seat


def _known(view: View) -> State:
    """The state as it is to someone who knows what the view shows, letters turned down included."""
    seen = in_sight(view.options, view.spaces, view.rails, view.removed)
    unseen = tuple(card for card in CARDS if card not in seen)
    return State(view.stage, view.options, view.spaces, view.rails, view.removed, unseen)


class Turned(Value, frozen=True):
    """What comes of turning a card, if it is a certain one."""

    played: tuple[Letter, ...]
    """What the seat plays."""
    risked: tuple[Letter, ...]
    """Letters of the seat that are turned down."""
    wins: bool


def _turned(state: State, seat: Seat, space: int, card: Card) -> Turned:
    step = apply(apply(state, seat, TurnCard(space)).state, LUCK, card)
    played: tuple[Letter, ...] = ()
    risked: tuple[Letter, ...] = ()
    for event in step.events:
        if isinstance(event, LettersPlayed) and event.seat == seat:
            played = event.letters
        elif isinstance(event, LettersTurnedDown):
            risked = tuple(it for it in event.letters if it.colour == state.options.colours[seat])
    return Turned(played, risked, wins=step.state.rails[seat] == len(WORD))


def _look(state: State, seat: Seat, space: int) -> int:
    lies = state.spaces[space]
    if not isinstance(lies, TurnedDown):
        sure = all(_turned(state, seat, space, card).wins for card in state.unseen)
        return _WINS if sure else _IS_NEW
    turned = _turned(state, seat, space, lies.card)
    if turned.played:
        return _WINS if turned.wins else _PLAYS
    if lies.card.colour == state.options.colours[seat]:
        return _PREPARES
    return _KNOWN if _missing(state, lies.card) else _GIVES


def _told(  # noqa: PLR0913 - a card, and for whom it is told
    state: State, seat: Seat, space: int, names: Sequence[str], say: Language, *, wanted: bool
) -> str:
    """A card with what it does, or may do: what speaks for it, if it is wanted, or against it."""
    lies = state.spaces[space]
    if not isinstance(lies, TurnedDown):
        return _new(state, seat, space, say, wanted=wanted)
    letter, turned = lies.card, _turned(state, seat, space, lies.card)
    fields: dict[str, Any] = {"place": space + 1, "letter": card_name(letter, say)}
    if turned.played:
        return _plays(turned, letter, fields, say)
    if letter.colour != state.options.colours[seat]:
        return _of_another(state, letter, fields, names, say)
    fields["missing"] = _missing(state, letter)
    if wanted:
        return say("card {place} is {letter}, which can follow once {missing} is there", **fields)
    return say("card {place} is {letter}, which has to wait for {missing}", **fields)


def _plays(turned: Turned, letter: Letter, fields: dict[str, Any], say: Language) -> str:
    """A card that is no menace, so that letters are played: L6, L9, L12."""
    if turned.wins:
        return say("card {place} is {letter}, and A-L-I-C-E is complete", **fields)
    if turned.played == (letter,):
        return say("card {place} is {letter}, the letter that is needed next", **fields)
    return say.plural(
        "card {place} is {letter}: {letters} is played at once",
        "card {place} is {letter}: {letters} are played at once",
        len(turned.played),
        letters=_spelt(turned.played),
        **fields,
    )


def _spelt(letters: Iterable[Letter]) -> str:
    return "-".join(letter.letter for letter in letters)


def _missing(state: State, letter: Letter) -> str:
    """The letters that its owner needs before this one, and that lie nowhere open."""
    placed = state.rails[state.options.colours.index(letter.colour)]
    needed = [Letter(letter.colour, place) for place in range(placed, letter.place)]
    return _spelt(it for it in needed if FaceUp(it) not in state.spaces)


def _of_another(
    state: State, letter: Letter, fields: dict[str, Any], names: Sequence[str], say: Language
) -> str:
    """A letter of somebody else that would lie open for them: L8."""
    owner = state.options.colours.index(letter.colour)
    fields["name"], fields["missing"] = names[owner], _missing(state, letter)
    if not fields["missing"]:
        return say("card {place} is {letter}, which {name} could then play", **fields)
    return say("card {place} is {letter}, which {name} can't play before {missing}", **fields)


def _new(state: State, seat: Seat, space: int, say: Language, *, wanted: bool) -> str:
    """A card of which nothing is known, with what it may be."""
    fields = {"place": space + 1, "all": len(state.unseen)}
    return (_new_hopes if wanted else _new_risks)(state, seat, space, fields, say)


def _new_hopes(state: State, seat: Seat, space: int, fields: dict[str, Any], say: Language) -> str:
    """What speaks for something new: L6, L9, L12."""
    outcomes = [_turned(state, seat, space, card) for card in state.unseen]
    own = _unseen_letters(state, seat)
    fields["colour"] = say(COLOURS[state.options.colours[seat]])
    needed = Letter(state.options.colours[seat], state.rails[seat])
    if wins := sum(turned.wins for turned in outcomes):
        return say.plural(
            "card {place} is new: {number} of the {all} cards it may be completes A-L-I-C-E",
            "card {place} is new: {number} of the {all} cards it may be complete A-L-I-C-E",
            wins,
            **fields,
        )
    if needed in own:
        return say.plural(
            "card {place} is new: of the {all} cards it may be, {number} is a {colour} letter, "
            "the {letter} that is needed next",
            "card {place} is new: of the {all} cards it may be, {number} are {colour} letters, "
            "among them the {letter} that is needed next",
            len(own),
            letter=needed.letter,
            **fields,
        )
    if not any(turned.risked for turned in outcomes):
        return say("card {place} is new, and no menace can do any harm", **fields)
    return _own_among(own, fields, say)


def _new_risks(state: State, seat: Seat, space: int, fields: dict[str, Any], say: Language) -> str:
    """What speaks against something new: L10."""
    menaces = [card for card in state.unseen if isinstance(card, Menace)]
    risked = _turned(state, seat, space, menaces[0]).risked if menaces else ()
    if risked:
        return say.plural(
            "card {place} is new: of the {all} cards it may be, {number} is a menace "
            "and would turn {letters} down again",
            "card {place} is new: of the {all} cards it may be, {number} are menaces "
            "and would turn {letters} down again",
            len(menaces),
            letters=_spelt(sorted(risked)),
            **fields,
        )
    fields["colour"] = say(COLOURS[state.options.colours[seat]])
    return _own_among(_unseen_letters(state, seat), fields, say)


def _unseen_letters(state: State, seat: Seat) -> list[Card]:
    """The letters of a seat that may lie anywhere."""
    own = [Letter(state.options.colours[seat], place) for place in range(len(WORD))]
    return [letter for letter in own if letter in state.unseen]


def _own_among(own: Sequence[Card], fields: dict[str, Any], say: Language) -> str:
    if not own:
        return say("card {place} is new, and can't be a {colour} letter", **fields)
    return say.plural(
        "card {place} is new: only {number} of the {all} cards it may be is a {colour} letter",
        "card {place} is new: only {number} of the {all} cards it may be are {colour} letters",
        len(own),
        **fields,
    )
