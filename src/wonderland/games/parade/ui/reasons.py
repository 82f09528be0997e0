"""Explanations of why one choice in Parade beats another, from the rules and from playouts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from wonderland.components.formatting import MINUS
from wonderland.components.judge import ActionValue
from wonderland.components.reasons import (
    Choices,
    Fact,
    PlayoutComparison,
    compare_playouts,
    compose,
    side_by_side,
)
from wonderland.engine.language import Language
from wonderland.engine.protocol import FACE_DOWN
from wonderland.engine.values import Value
from wonderland.games.parade.bots.levels import policy_for
from wonderland.games.parade.rules.components import KEPT, Card, Colour
from wonderland.games.parade.rules.rules import has_all_colours, split_parade
from wonderland.games.parade.rules.scoring import score_sheets, totals
from wonderland.games.parade.rules.state import KeepCards, Keeping, PlayCard, Playing
from wonderland.games.parade.rules.view import View
from wonderland.games.parade.ui.words import COLOURS, card_name

Choice: TypeAlias = PlayCard | KeepCards
Zones: TypeAlias = tuple[tuple[Card, ...], ...]

_FIFTH, _SIXTH = 5, 6
_SETS_OFF, _NEARLY_SETS_OFF = 8.0, 1.5
"""Weights, in points, of triggering the last round and of coming near it."""
_SAFE_LATER, _OFTEN_SAFE_LATER, _HIGH = 2.0, 1.0, 7
"""Weights of a card that is certainly or usually safe next turn; the lowest value that usually is."""
_RACE, _RACE_POINTS = 1.0, 2
"""Weight of the race for the last round, and the fewest points that it makes urgent."""
_EACH_CARD = 0.3
"""Weight of one more card in a zone, or in the parade that the next player faces."""


class Effect(Value, frozen=True):
    """The immediate effect of a choice."""

    label: str
    taken: tuple[Card, ...]
    zones: Zones
    """All zones afterwards."""
    parade: tuple[Card, ...]
    points: int
    """The seat's score afterwards."""


def reason(
    view: View, best: ActionValue, other: ActionValue, names: Sequence[str], say: Language
) -> str:
    """Explain in one or two sentences why `best` is better than `other`."""
    effects = (_effect_of(view, best.action, say), _effect_of(view, other.action, say))
    facts = list(_find_facts(view, (best.action, other.action), effects, names, say))
    outlook = _compare_playouts(view, best.action, other.action)
    found = None if outlook is None else outlook.in_favour(names, more_wins=False, has_race=True)
    return compose(Choices(best, other, (effects[0].label, effects[1].label)), facts, say, found)


def _seat(view: View) -> int:
    assert view.seat is not None  # noqa: S101 - a spectator has no choice to explain
    return view.seat


def _effect_of(view: View, action: Choice, say: Language) -> Effect:
    """Return the immediate effect of an action, judging by the face-up cards alone."""
    seat, parade = _seat(view), view.parade
    if isinstance(action, PlayCard):
        label = card_name(action.card, say)
        taken, parade = split_parade(parade, action.card)
        parade = (*parade, action.card)
    else:
        first, second = card_name(action.first, say), card_name(action.second, say)
        label = say("keeping {first} and {second}", first=first, second=second)
        taken = [action.first, action.second]
    zone = tuple(sorted((*view.zones[seat], *taken)))
    zones = (*view.zones[:seat], zone, *view.zones[seat + 1 :])
    return Effect(label, tuple(taken), zones, parade, totals(zones)[seat])


def _find_facts(
    view: View,
    actions: tuple[Choice, Choice],
    effects: tuple[Effect, Effect],
    names: Sequence[str],
    say: Language,
) -> Iterator[Fact]:
    """Yield the facts in favour of the first choice, starting with the immediate effects of both."""
    best, other = actions
    if isinstance(best, PlayCard) and isinstance(other, PlayCard):
        yield _compare_taken(view, best, other, effects, say)
        if isinstance(view.stage, Playing) and view.stage.turns_left is not None:
            yield from _compare_last_cards(view, best, other, effects, say)
        else:
            yield from _find_endings(view, effects, names, say)
            yield from _find_race(view, effects, names, say)
            yield from _find_cards_to_keep(view, best, other, effects, say)
            yield _compare_parades_left(view, effects, names, say)
    else:
        yield _compare_pairs(effects, say)
    yield from _find_majorities(view, effects, names, say)


def _format_points(number: int, say: Language) -> str:
    return say.plural("{number} point", "{number} points", number)


# Cards taken now: P5 and P6


def _compare_taken(
    view: View, best: PlayCard, other: PlayCard, effects: tuple[Effect, Effect], say: Language
) -> Fact:
    """Compare what the two cards take."""
    one, another = effects
    weight = float(another.points - one.points)
    if not weight:
        weight = max(0.0, _EACH_CARD * (len(another.taken) - len(one.taken)))
    now = totals(view.zones)[_seat(view)]
    first = _describe_taken(view, best.card, one, one.points - now, say)
    second = _describe_taken(view, other.card, another, another.points - now, say)
    return Fact(weight, side_by_side(first, second, say))


def _describe_taken(view: View, card: Card, played: Effect, cost: int, say: Language) -> str:
    """Say what a card takes, or why it takes nothing."""
    stand = len(view.parade)
    if played.taken:
        signed = f"{cost:+}".replace("-", MINUS)
        more = say.plural("{signed} point", "{signed} points", abs(cost), signed=signed)
        return say.plural(
            "{card} takes {number} card: {points}",
            "{card} takes {number} cards: {points}",
            len(played.taken),
            card=played.label,
            points=more,
        )
    if card.value >= stand:  # P5
        return say.plural(
            "{card} is safe: there is only {number} card in the parade",
            "{card} is safe: there are only {number} cards in the parade",
            stand,
            card=played.label,
        )
    return say.plural(
        "{card} takes nothing: the one card it reaches is higher and of another colour",
        "{card} takes nothing: the {number} cards it reaches are higher and of other colours",
        stand - card.value,
        card=played.label,
    )


# Scoring: P12 to P14


def _find_majorities(
    view: View, effects: tuple[Effect, Effect], names: Sequence[str], say: Language
) -> Iterator[Fact]:
    """Yield the majorities that `best` wins or takes from others and `other` doesn't."""
    seat, one = _seat(view), effects[0]
    before, after, instead = map(score_sheets, (view.zones, one.zones, effects[1].zones))
    for colour in Colour:
        own, own_instead = after[seat].colours[colour], instead[seat].colours[colour]
        printed = sum(card.value for card in own.cards)
        if own.majority and not own_instead.majority and printed > own.points:
            text = say(
                "{choice} wins the majority in {colour}: {points} there instead of {printed}.",
                choice=one.label,
                colour=say(COLOURS[colour]),
                points=_format_points(own.points, say),
                printed=printed,
            )
            yield Fact(printed - own.points, text)
        for other_seat, name in enumerate(names):
            had, has, would = (sheets[other_seat].colours[colour] for sheets in (before, after, instead))
            lost = has.points - had.points
            if other_seat != seat and had.majority and not has.majority and would.majority and lost > 0:
                text = say(
                    "{choice} takes the majority in {colour} away from {name}: {points} more for them.",
                    choice=one.label,
                    colour=say(COLOURS[colour]),
                    name=name,
                    points=_format_points(lost, say),
                )
                yield Fact(lost / (len(names) - 1), text)


def _compare_pairs(effects: tuple[Effect, Effect], say: Language) -> Fact:
    """P11: compare the scores with two pairs."""
    one, another = effects
    text = say(
        "{best} scores {points} right now; {other} scores {more}.",
        best=one.label,
        other=another.label,
        points=_format_points(one.points, say),
        more=_format_points(another.points, say),
    )
    return Fact(another.points - one.points, text)


def _compare_last_cards(
    view: View, best: PlayCard, other: PlayCard, effects: tuple[Effect, Effect], say: Language
) -> Iterator[Fact]:
    """P9, P11: compare the best scores with two of the cards that stay in the hand."""
    scores = []
    for played, effect in zip((best, other), effects, strict=True):
        hand = [
            card for card in view.hands[_seat(view)] if card is not FACE_DOWN and card != played.card
        ]
        if len(hand) < KEPT:
            return  # the hand is not known
        scores.append(
            min(_score_with(effect.zones, _seat(view), pair) for pair in combinations(hand, KEPT))
        )
    text = say(
        "After {best}, the best pair to keep scores {points} right now; after {other}, {more}.",
        best=effects[0].label,
        other=effects[1].label,
        points=_format_points(scores[0], say),
        more=_format_points(scores[1], say),
    )
    yield Fact(scores[1] - scores[0], text)


def _score_with(zones: Zones, seat: int, pair: Sequence[Card]) -> int:
    return totals((*zones[:seat], (*zones[seat], *pair), *zones[seat + 1 :]))[seat]


# Later turns: the last round (P8), the next turn, and the next player


def _find_endings(
    view: View, effects: tuple[Effect, Effect], names: Sequence[str], say: Language
) -> Iterator[Fact]:
    """Yield whether a choice triggers the last round or comes near it, and whether that is good now."""
    seat = _seat(view)
    colours = [len({card.colour for card in effect.zones[seat]}) for effect in effects]
    sets_off = [has_all_colours(effect.zones[seat]) for effect in effects]
    for effect, ends, wanted in zip(effects, sets_off, (True, False), strict=True):
        scores = list(totals(effect.zones))
        fewest, rival = min(
            (score, other_seat) for other_seat, score in enumerate(scores) if other_seat != seat
        )
        if ends and sets_off != [True, True] and (scores[seat] < fewest) is wanted:
            text = say(
                "{card} takes the sixth colour and starts the last round, with {points} "
                "against {name}'s {fewest}.",
                card=effect.label,
                points=_format_points(scores[seat], say),
                fewest=fewest,
                name=names[rival],
            )
            yield Fact(_SETS_OFF, text)
    if colours[0] < _FIFTH == colours[1]:
        text = say(
            "{card} takes the fifth colour: one more starts the last round.", card=effects[1].label
        )
        yield Fact(_NEARLY_SETS_OFF, text)


def _find_race(
    view: View, effects: tuple[Effect, Effect], names: Sequence[str], say: Language
) -> Iterator[Fact]:
    """Yield why points count now: another player may start the last round any turn."""
    seat, saved = _seat(view), effects[1].points - effects[0].points
    for other_seat, name in enumerate(names):
        colours = {card.colour for card in view.zones[other_seat]}
        if other_seat != seat and len(colours) == _FIFTH and saved >= _RACE_POINTS:
            text = say(
                "{name} already has five colours: the last round could start any turn, so points "
                "count now.",
                name=name,
            )
            yield Fact(_RACE, text)
            return


def _find_cards_to_keep(
    view: View, best: PlayCard, other: PlayCard, effects: tuple[Effect, Effect], say: Language
) -> Iterator[Fact]:
    """Yield that a card is better kept, because it is still safe next turn whatever the others play."""
    others = len(view.hands) - 1  # each adds at most one card
    longest = [len(effect.parade) + others for effect in effects]
    if other.card.value >= longest[0] and best.card.value < longest[1]:
        text = say(
            "{card} is worth keeping: next turn the parade will have at most {number} "
            "cards, and it won't take any of them.",
            card=effects[1].label,
            number=longest[0],
        )
        yield Fact(_SAFE_LATER, text)
    elif other.card.value >= _HIGH and other.card.value - best.card.value > others:
        text = say(
            "{card} is worth keeping for later: the last {number} cards of the parade are "
            "always safe from it.",
            card=effects[1].label,
            number=other.card.value,
        )
        yield Fact(_OFTEN_SAFE_LATER, text)


def _compare_parades_left(
    view: View, effects: tuple[Effect, Effect], names: Sequence[str], say: Language
) -> Fact:
    """Compare the parades left to the next player: in a longer one, fewer cards are safe to play."""
    one, another = effects
    text = say.plural(
        "{best} leaves {name} {number} card in the parade, so fewer of theirs are safe; {other} "
        "leaves only {fewer}.",
        "{best} leaves {name} {number} cards in the parade, so fewer of theirs are safe; {other} "
        "leaves only {fewer}.",
        len(one.parade),
        best=one.label,
        other=another.label,
        name=names[(_seat(view) + 1) % len(names)],
        fewer=len(another.parade),
    )
    return Fact(_EACH_CARD * (len(one.parade) - len(another.parade)), text)


# Playouts, for when the rules alone show no difference


def _compare_playouts(view: View, best: Choice, other: Choice) -> PlayoutComparison | None:
    """Compare the final scores in playouts in which the others keep their best pair."""
    stage = view.stage
    if isinstance(stage, Keeping):  # the others' choices are hidden, so they choose again
        view = View(
            view.seat,
            Keeping(stage.ending, (None,) * len(stage.kept)),
            view.hands,
            view.parade,
            view.zones,
            view.pile,
        )
    seats = len(view.hands)
    return compare_playouts("parade", view, (best, other), [policy_for(seats)] * seats)
