"""Why one card of Parade is better than another, or one pair: from the rules, and from playing on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from wonderland.components.judge import ActionValue
from wonderland.components.reasons import Choices, Fact, Outlook, compare_playouts, compose, side_by_side
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
"""What the last round, and being near it, weigh in points."""
_SAFE_LATER, _OFTEN_SAFE_LATER, _HIGH = 2.0, 1.0, 7
"""What a card weighs that is safe next time for sure, or mostly: one of a high value."""
_EACH_CARD = 0.3
"""What a card more in front, or one more for the next player to fear, weighs."""


class Try(Value, frozen=True):
    """What a choice does at once."""

    called: str
    taken: tuple[Card, ...]
    zones: Zones
    """What lies in front of everyone after it."""
    parade: tuple[Card, ...]
    points: int
    """Of the seat, as things lie then."""


def reason(
    view: View, best: ActionValue, other: ActionValue, names: Sequence[str], say: Language
) -> str:
    """Why `best` is better than `other` here, in one or two sentences."""
    tries = (_tried(view, best.action, say), _tried(view, other.action, say))
    facts = list(_facts(view, (best.action, other.action), tries, names, say))
    found = _played_on(view, best.action, other.action)
    if found is not None and found.difference >= 0:  # the fewest points win
        found = None
    return compose(Choices(best, other, (tries[0].called, tries[1].called)), facts, say, found)


def _seat(view: View) -> int:
    assert view.seat is not None  # noqa: S101 - a spectator has no choice to explain
    return view.seat


def _tried(view: View, action: Choice, say: Language) -> Try:
    """What an action does at once, as far as what lies open tells."""
    seat, parade = _seat(view), view.parade
    if isinstance(action, PlayCard):
        called = card_name(action.card, say)
        taken, parade = split_parade(parade, action.card)
        parade = (*parade, action.card)
    else:
        first, second = card_name(action.first, say), card_name(action.second, say)
        called = say("keeping {first} and {second}", first=first, second=second)
        taken = [action.first, action.second]
    zone = tuple(sorted((*view.zones[seat], *taken)))
    zones = (*view.zones[:seat], zone, *view.zones[seat + 1 :])
    return Try(called, tuple(taken), zones, parade, totals(zones)[seat])


def _facts(
    view: View,
    actions: tuple[Choice, Choice],
    tries: tuple[Try, Try],
    names: Sequence[str],
    say: Language,
) -> Iterator[Fact]:
    """All that the rules say for the first of two choices; what both do at once comes first."""
    best, other = actions
    if isinstance(best, PlayCard) and isinstance(other, PlayCard):
        yield _taken(view, best, other, tries, say)
        if isinstance(view.stage, Playing) and view.stage.turns_left is not None:
            yield from _last_cards(view, best, other, tries, say)
        else:
            yield from _endings(view, tries, names, say)
            yield from _next_turn(view, best, other, tries, say)
            yield _for_the_next(view, tries, names, say)
    else:
        yield _kept(tries, say)
    yield from _majorities(view, tries, names, say)


def _points(number: int, say: Language) -> str:
    return say.plural("{number} point", "{number} points", number)


# What is taken now: P5 and P6.


def _taken(view: View, best: PlayCard, other: PlayCard, tries: tuple[Try, Try], say: Language) -> Fact:
    """What both cards take."""
    one, another = tries
    weight = float(another.points - one.points)
    if not weight:
        weight = max(0.0, _EACH_CARD * (len(another.taken) - len(one.taken)))
    now = totals(view.zones)[_seat(view)]
    first = _takes(view, best.card, one, one.points - now, say)
    second = _takes(view, other.card, another, another.points - now, say)
    return Fact(weight, side_by_side(first, second, say))


def _takes(view: View, card: Card, played: Try, cost: int, say: Language) -> str:
    """A card with what it takes, or why it takes nothing."""
    stand = len(view.parade)
    if played.taken:
        more = say.plural("{signed} point", "{signed} points", abs(cost), signed=f"{cost:+}")
        return say.plural(
            "{card} takes {number} card: {points}",
            "{card} takes {number} cards: {points}",
            len(played.taken),
            card=played.called,
            points=more,
        )
    if card.value >= stand:  # P5
        return say.plural(
            "{card} is safe: only {number} card stands in the parade",
            "{card} is safe: only {number} cards stand in the parade",
            stand,
            card=played.called,
        )
    return say.plural(
        "{card} takes nothing: the one card that it reaches is of another colour and higher",
        "{card} takes nothing: the {number} cards that it reaches are of other colours and higher",
        stand - card.value,
        card=played.called,
    )


# What that does to the count: P12 to P14.


def _majorities(
    view: View, tries: tuple[Try, Try], names: Sequence[str], say: Language
) -> Iterator[Fact]:
    """Majorities that `best` wins, or takes from others, and `other` does not."""
    seat, one = _seat(view), tries[0]
    before, after, instead = map(score_sheets, (view.zones, one.zones, tries[1].zones))
    for colour in Colour:
        own, own_instead = after[seat].colours[colour], instead[seat].colours[colour]
        printed = sum(card.value for card in own.cards)
        if own.majority and not own_instead.majority and printed > own.points:
            text = say(
                "{choice} wins the majority in {colour}: {points} there instead of {printed}.",
                choice=one.called,
                colour=say(COLOURS[colour]),
                points=_points(own.points, say),
                printed=printed,
            )
            yield Fact(printed - own.points, text)
        for theirs, name in enumerate(names):
            had, has, would = (sheets[theirs].colours[colour] for sheets in (before, after, instead))
            lost = has.points - had.points
            if theirs != seat and had.majority and not has.majority and would.majority and lost > 0:
                text = say(
                    "{choice} takes the majority in {colour} from {name}: {points} more there.",
                    choice=one.called,
                    colour=say(COLOURS[colour]),
                    name=name,
                    points=_points(lost, say),
                )
                yield Fact(lost / (len(names) - 1), text)


def _kept(tries: tuple[Try, Try], say: Language) -> Fact:
    """P11: what two pairs count."""
    one, another = tries
    text = say(
        "{best} makes {points} as things lie; {other} makes {more}.",
        best=one.called,
        other=another.called,
        points=_points(one.points, say),
        more=_points(another.points, say),
    )
    return Fact(another.points - one.points, text)


def _last_cards(
    view: View, best: PlayCard, other: PlayCard, tries: tuple[Try, Try], say: Language
) -> Iterator[Fact]:
    """P9, P11: in the last round, which two of the cards that stay in the hand would be kept."""
    found = []
    for played, tried in zip((best, other), tries, strict=True):
        hand = [
            card for card in view.hands[_seat(view)] if card is not FACE_DOWN and card != played.card
        ]
        if len(hand) < KEPT:
            return  # nobody has noted what it holds
        found.append(
            min(_counted_with(tried.zones, _seat(view), pair) for pair in combinations(hand, KEPT))
        )
    text = say(
        "After {best} the best two to keep make {points} as things lie; after {other} they make {more}.",
        best=tries[0].called,
        other=tries[1].called,
        points=_points(found[0], say),
        more=_points(found[1], say),
    )
    yield Fact(found[1] - found[0], text)


def _counted_with(zones: Zones, seat: int, pair: Sequence[Card]) -> int:
    return totals((*zones[:seat], (*zones[seat], *pair), *zones[seat + 1 :]))[seat]


# What comes later: the last round (P8), the next turn, and the next player.


def _endings(view: View, tries: tuple[Try, Try], names: Sequence[str], say: Language) -> Iterator[Fact]:
    """Who sets off the last round, or comes near it, and whether that is a good time."""
    seat = _seat(view)
    colours = [len({card.colour for card in tried.zones[seat]}) for tried in tries]
    sets_off = [has_all_colours(tried.zones[seat]) for tried in tries]
    for tried, ends, wanted in zip(tries, sets_off, (True, False), strict=True):
        scores = list(totals(tried.zones))
        fewest, rival = min((score, theirs) for theirs, score in enumerate(scores) if theirs != seat)
        if ends and sets_off != [True, True] and (scores[seat] < fewest) is wanted:
            text = say(
                "{card} takes the sixth colour and sets off the last round, "
                "with {points} against {fewest} of {name}.",
                card=tried.called,
                points=_points(scores[seat], say),
                fewest=fewest,
                name=names[rival],
            )
            yield Fact(_SETS_OFF, text)
    if colours[0] < _FIFTH == colours[1]:
        text = say(
            "{card} takes the fifth colour: one more sets off the last round.", card=tries[1].called
        )
        yield Fact(_NEARLY_SETS_OFF, text)


def _next_turn(
    view: View, best: PlayCard, other: PlayCard, tries: tuple[Try, Try], say: Language
) -> Iterator[Fact]:
    """A card that can be kept back, since it will take nothing next time whatever the others play."""
    others = len(view.hands) - 1  # each of them adds one card at most
    longest = [len(tried.parade) + others for tried in tries]
    if other.card.value >= longest[0] and best.card.value < longest[1]:
        text = say(
            "{card} is worth keeping: next time at most {number} cards stand in the parade, "
            "and it takes none of them.",
            card=tries[1].called,
            number=longest[0],
        )
        yield Fact(_SAFE_LATER, text)
    elif other.card.value >= _HIGH and other.card.value - best.card.value > others:
        text = say(
            "{card} is worth keeping for later: whatever stands in the parade, "
            "the last {number} cards are safe from it.",
            card=tries[1].called,
            number=other.card.value,
        )
        yield Fact(_OFTEN_SAFE_LATER, text)


def _for_the_next(view: View, tries: tuple[Try, Try], names: Sequence[str], say: Language) -> Fact:
    """A longer parade is safe for fewer cards."""
    one, another = tries
    text = say.plural(
        "{best} leaves {number} card in the parade for {name}, {other} only {fewer}.",
        "{best} leaves {number} cards in the parade for {name}, {other} only {fewer}.",
        len(one.parade),
        best=one.called,
        other=another.called,
        name=names[(_seat(view) + 1) % len(names)],
        fewer=len(another.parade),
    )
    return Fact(_EACH_CARD * (len(one.parade) - len(another.parade)), text)


# What playing on shows, where the rules show nothing.


def _played_on(view: View, best: Choice, other: Choice) -> Outlook | None:
    """How both end, if the others choose with care what to keep."""
    stage = view.stage
    if isinstance(stage, Keeping):  # what others have chosen is not known: they choose anew
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
