"""Explanations of why turning one card in Letters beats turning another: what each is, or may be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from wonderland.components.judge import ActionValue
from wonderland.components.reasons import Choices, Fact, compose, side_by_side
from wonderland.engine.language import Language, phrase
from wonderland.engine.protocol import CHANCE, Seat
from wonderland.engine.values import Value
from wonderland.games.letters.rules.components import CARDS, WORD, Card, Letter, Menace
from wonderland.games.letters.rules.events import LettersPlayed, LettersTurnedDown
from wonderland.games.letters.rules.rules import apply
from wonderland.games.letters.rules.state import Choosing, FaceUp, State, TurnCard, TurnedDown
from wonderland.games.letters.rules.view import View, in_sight
from wonderland.games.letters.ui.words import COLOURS, card_name

_WINS, _PLAYS, _PREPARES, _IS_NEW, _KNOWN, _GIVES = 4, 3, 2, 1, 1, 0
"""Heuristic ratings of a card at first sight."""
_NO_DIFFERENCE = 0.1
"""Weight of the fact if both cards look equally good; their win probabilities then decide."""


def reason(
    view: View, best: ActionValue, other: ActionValue, names: Sequence[str], say: Language
) -> str:
    """Explain why `best` beats `other`: a clause for each, and win probabilities if they surprise."""
    state, seat = _known_state(view), _seat(view)
    one, another = best.action.space, other.action.space
    ratings = [_rate(state, seat, space) for space in (one, another)]
    if not any(isinstance(state.spaces[space], TurnedDown) for space in (one, another)):
        return say(
            "Nothing is known about card {number} or card {other}: one is as good as the other.",
            number=one + 1,
            other=another + 1,
        )
    gains = _describe(state, seat, one, names, say, wanted=True)
    both = side_by_side(gains, _describe(state, seat, another, names, say, wanted=False), say)
    labels = (say("card {number}", number=one + 1), say("card {number}", number=another + 1))
    facts = [Fact(ratings[0] - ratings[1] or _NO_DIFFERENCE, both)]
    threats = [_next_player_wins(state, seat, space) for space in (one, another)]
    if threats[1] and not threats[0]:
        name = names[(seat + 1) % len(names)]
        facts.append(Fact(_WINS, say(_LETS_WIN, choice=labels[1], name=name)))
    return compose(Choices(best, other, labels), facts, say)


_LETS_WIN = phrase("After {choice}, {name} can complete A-L-I-C-E on the next turn.")


def _next_player_wins(state: State, seat: Seat, space: int) -> bool:
    """Whether the next player wins at once by turning a card they know, whatever card this one is."""
    content = state.spaces[space]
    cards = [content.card] if isinstance(content, TurnedDown) else state.unseen
    chosen = apply(state, seat, TurnCard(space)).state
    return all(_has_sure_win(apply(chosen, CHANCE, card).state, seat) for card in cards)


def _has_sure_win(state: State, before: Seat) -> bool:
    """Whether the seat to move, which is not the one before, wins with a card that is known: L8, L9."""
    if not isinstance(state.stage, Choosing):
        return state.rails[before] < len(WORD)  # somebody else has won at the start of their turn
    return any(
        _turn_effect(state, state.stage.seat, space, content.card).wins
        for space, content in enumerate(state.spaces)
        if isinstance(content, TurnedDown)
    )


def _seat(view: View) -> Seat:
    assert view.seat is not None  # noqa: S101 - a spectator has no choice to explain
    return view.seat


def _known_state(view: View) -> State:
    """Return the state implied by the view, including letters turned down again."""
    seen = in_sight(view.options, view.spaces, view.rails, view.removed)
    unseen = tuple(card for card in CARDS if card not in seen)
    return State(view.stage, view.options, view.spaces, view.rails, view.removed, unseen)


class TurnEffect(Value, frozen=True):
    """The effect of turning up a particular card."""

    played: tuple[Letter, ...]
    """The letters that the seat plays."""
    risked: tuple[Letter, ...]
    """The seat's letters that are turned down."""
    wins: bool


def _turn_effect(state: State, seat: Seat, space: int, card: Card) -> TurnEffect:
    step = apply(apply(state, seat, TurnCard(space)).state, CHANCE, card)
    played: tuple[Letter, ...] = ()
    risked: tuple[Letter, ...] = ()
    for event in step.events:
        if isinstance(event, LettersPlayed) and event.seat == seat:
            played = event.letters
        elif isinstance(event, LettersTurnedDown):
            risked = tuple(
                letter for letter in event.letters if letter.colour == state.options.colours[seat]
            )
    return TurnEffect(played, risked, wins=step.state.rails[seat] == len(WORD))


def _rate(state: State, seat: Seat, space: int) -> int:
    content = state.spaces[space]
    if not isinstance(content, TurnedDown):
        certain = all(_turn_effect(state, seat, space, card).wins for card in state.unseen)
        return _WINS if certain else _IS_NEW
    effect = _turn_effect(state, seat, space, content.card)
    if effect.played:
        return _WINS if effect.wins else _PLAYS
    if content.card.colour == state.options.colours[seat]:
        return _PREPARES
    return _KNOWN if _spell_missing(state, content.card) else _GIVES


def _describe(  # noqa: PLR0913 - a card, and the audience
    state: State, seat: Seat, space: int, names: Sequence[str], say: Language, *, wanted: bool
) -> str:
    """Say what a card does or may do: in its favour if `wanted`, else against it."""
    content = state.spaces[space]
    if not isinstance(content, TurnedDown):
        return _describe_new(state, seat, space, say, wanted=wanted)
    letter, effect = content.card, _turn_effect(state, seat, space, content.card)
    fields: dict[str, Any] = {"place": space + 1, "letter": card_name(letter, say)}
    if effect.played:
        return _describe_played(effect, letter, fields, say)
    if letter.colour != state.options.colours[seat]:
        return _describe_other(state, letter, fields, names, say)
    fields["missing"] = _spell_missing(state, letter)
    if wanted:
        return say("card {place} is the {letter}, which can follow once {missing} is there", **fields)
    return say("card {place} is the {letter}, which has to wait for {missing}", **fields)


def _describe_played(effect: TurnEffect, letter: Letter, fields: dict[str, Any], say: Language) -> str:
    """Say which letters are played when this letter is turned: L6, L9, L12."""
    if effect.wins:
        return say("card {place} is the {letter}, which completes A-L-I-C-E", **fields)
    if effect.played == (letter,):
        return say("card {place} is the {letter}, which is needed next", **fields)
    return say.plural(
        "card {place} is the {letter}: {letters} is played at once",
        "card {place} is the {letter}: {letters} are played at once",
        len(effect.played),
        letters=_spell(effect.played),
        **fields,
    )


def _spell(letters: Iterable[Letter]) -> str:
    return "-".join(letter.letter for letter in letters)


def _spell_missing(state: State, letter: Letter) -> str:
    """Spell the letters that the owner needs before this one and that are not face up."""
    placed = state.rails[state.options.colours.index(letter.colour)]
    needed = [Letter(letter.colour, place) for place in range(placed, letter.place)]
    return _spell(other for other in needed if FaceUp(other) not in state.spaces)


def _describe_other(
    state: State, letter: Letter, fields: dict[str, Any], names: Sequence[str], say: Language
) -> str:
    """Say what another player gains from their letter being exposed: L8."""
    owner = state.options.colours.index(letter.colour)
    fields["name"], fields["missing"] = names[owner], _spell_missing(state, letter)
    if not fields["missing"]:
        return say("card {place} is the {letter}, which {name} could then play", **fields)
    return say("card {place} is the {letter}, which {name} can't play before {missing}", **fields)


def _describe_new(state: State, seat: Seat, space: int, say: Language, *, wanted: bool) -> str:
    """Say what an unknown card may be."""
    fields = {"place": space + 1, "all": len(state.unseen)}
    return (_describe_new_gains if wanted else _describe_new_risks)(state, seat, space, fields, say)


def _describe_new_gains(
    state: State, seat: Seat, space: int, fields: dict[str, Any], say: Language
) -> str:
    """Say what favours a new card: L6, L9, L12."""
    outcomes = [_turn_effect(state, seat, space, card) for card in state.unseen]
    own = _unseen_letters(state, seat)
    fields["colour"] = say(COLOURS[state.options.colours[seat]])
    needed = Letter(state.options.colours[seat], state.rails[seat])
    if wins := sum(effect.wins for effect in outcomes):
        return say.plural(
            "card {place} is new: {number} of the {all} cards it could be completes A-L-I-C-E",
            "card {place} is new: {number} of the {all} cards it could be complete A-L-I-C-E",
            wins,
            **fields,
        )
    if needed in own:
        return say.plural(
            "card {place} is new: of the {all} cards it could be, {number} is a {colour} "
            "letter, the {letter} that is needed next",
            "card {place} is new: of the {all} cards it could be, {number} are {colour} "
            "letters, including the {letter} that is needed next",
            len(own),
            letter=needed.letter,
            **fields,
        )
    if not any(effect.risked for effect in outcomes):
        return say("card {place} is new, and a menace could do no harm", **fields)
    return _count_own_letters(own, fields, say)


def _describe_new_risks(
    state: State, seat: Seat, space: int, fields: dict[str, Any], say: Language
) -> str:
    """Say what is against a new card: L10."""
    menaces = [card for card in state.unseen if isinstance(card, Menace)]
    risked = _turn_effect(state, seat, space, menaces[0]).risked if menaces else ()
    if risked:
        return say.plural(
            "card {place} is new: of the {all} cards it could be, {number} is a menace and "
            "would turn {letters} face down again",
            "card {place} is new: of the {all} cards it could be, {number} are menaces and "
            "would turn {letters} face down again",
            len(menaces),
            letters=_spell(sorted(risked)),
            **fields,
        )
    fields["colour"] = say(COLOURS[state.options.colours[seat]])
    return _count_own_letters(_unseen_letters(state, seat), fields, say)


def _unseen_letters(state: State, seat: Seat) -> list[Card]:
    """Return the seat's letters that were never turned."""
    own = [Letter(state.options.colours[seat], place) for place in range(len(WORD))]
    return [letter for letter in own if letter in state.unseen]


def _count_own_letters(own: Sequence[Card], fields: dict[str, Any], say: Language) -> str:
    if not own:
        return say("card {place} is new, and can't be a {colour} letter", **fields)
    return say.plural(
        "card {place} is new: only {number} of the {all} cards it could be is a {colour} letter",
        "card {place} is new: only {number} of the {all} cards it could be are {colour} letters",
        len(own),
        **fields,
    )
