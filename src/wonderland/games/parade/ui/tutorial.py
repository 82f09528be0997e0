"""Parade's lesson: a first game with prepared cards, and what a newcomer is told at each turn of it.

One thing is explained at a time, by the cards that lie there. After the essentials the guide only says
what the learner's last card did, until something new comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.components.tutorial import Guidance, Tutorial, TutorialContext, winner_sentence
from wonderland.engine.language import Language
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.parade.rules.components import Card, Colour
from wonderland.games.parade.rules.events import CardPlayed, CardsTaken, Event
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import score_sheets
from wonderland.games.parade.rules.state import Ended, Ending, Keeping, Playing
from wonderland.games.parade.ui.words import COLOURS, card_name, list_cards, points_with

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.engine.protocol import Seat
    from wonderland.games.parade.rules.scoring import ColourScore
    from wonderland.games.parade.rules.view import View

LESSON = Tutorial(
    bots=("dodo",),
    given={
        "start": "seat1",
        "card.parade": "+R2 +G7 +B4 +P1 +O6 +Y3",
        # The Dodo gets low cards, which make many leave: so the sixth colour comes soon.
        "card": "+G3 +R8 +O0 +P5 +B10  +Y1 +R6 +B2 +G1 +P3 "
        "+Y6 +O1 +P7 +Y2 +O5 +B0 +R4 +P0 +B8 +G2 +G5 +R1 +Y9 +O3 +P2 +Y4 +R9 +B1 +O8 +G0 +B6 +R3",
    },
)

_STARS_TOLD = 4
"""The turn in which majorities are explained."""


def guide(view: View, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """What to look at now."""
    seat, say = view.seat, words.say
    if seat is None:
        return Guidance()
    match view.stage:
        case Ended():
            return Guidance(_counted(view, seat, words))
        case Keeping(_, kept):
            return Guidance((_to_keep(view, seat, say) if kept[seat] is None else _has_kept(say),))
        case Playing(turn, left, ending) if left is not None:
            last = _last_card(view, seat, witnessed, words) if turn == seat else ()
            return Guidance(_last_round(ending, say) + last)
        case Playing(turn) if turn == seat:
            return _my_turn(view, seat, witnessed, words)
        case _:
            return Guidance(_recap(seat, witnessed, say))


# One's own turns


def _my_turn(view: View, seat: Seat, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """What the last card did, and one thing that is new."""
    recap, say = _recap(seat, witnessed, words.say), words.say
    hand = [card for card in view.hands[seat] if card is not FACE_DOWN]
    match _turns(seat, witnessed):
        case 0:
            return Guidance(_goal(say))
        case 1:
            card = _example(view, hand)
            return Guidance((*recap, _safe(view, card, say)), (str(card), *_safe_ones(view, card)))
        case 2:
            card = _example(view, hand)
            leaving, _ = split_parade(view.parade, card)
            return Guidance((*recap, *_leaving(card, leaving, say)), (str(card), *map(str, leaving)))
        case 3:
            return Guidance((*recap, _count_so_far(view, seat, say)))
        case 4:  # as _STARS_TOLD says
            return Guidance((*recap, _majority(view, say), _who_has_one(view, words)))
        case 5:
            return Guidance((*recap, *_how_it_ends(view, words)))
        case 6:
            return Guidance((*recap, _think_of_two(say)))
        case _:
            return Guidance(recap + _sixth_is_near(view, words))


def _turns(seat: Seat, witnessed: Sequence[Event]) -> int:
    """How many cards the learner has played."""
    return sum(isinstance(event, CardPlayed) and event.seat == seat for event in witnessed)


def _goal(say: Language) -> tuple[str, ...]:
    return (
        say(
            "The parade is on the march. You lay one card of your hand at its end; then others may "
            "leave it and come to you. They are points, and the fewest points win!"
        ),
        say("Choose a card to see who would leave: the number on it says how many points that costs."),
    )


def _example(view: View, hand: Sequence[Card]) -> Card:
    """The card of the hand that shows most: some are safe from it, some leave, some stay."""

    def shows(card: Card) -> tuple[bool, bool, int]:
        leaving, _ = split_parade(view.parade, card)
        safe = min(card.value, len(view.parade))
        return bool(leaving) and safe > 0, bool(leaving), len(view.parade) - safe - len(leaving)

    return max(hand, key=shows)


def _safe_ones(view: View, card: Card) -> list[str]:
    return [str(other) for other in view.parade[max(len(view.parade) - card.value, 0) :]]


def _safe(view: View, card: Card, say: Language) -> str:
    """P5, by a card of the hand."""
    name, length = card_name(card, say), len(view.parade)
    if card.value == 0:
        return say("Your {card} is a 0: it keeps nobody in the parade safe.", card=name)
    if card.value >= length:
        return say(
            "Count from the end of the parade: a card keeps as many safe as its number says. From your "
            "{card} all {length} are safe, so nobody leaves.",
            card=name,
            length=length,
        )
    return say.plural(
        "Count from the end of the parade: a card keeps as many safe as its number says. Your {card} "
        "keeps the last card safe; only those before it may leave.",
        "Count from the end of the parade: a card keeps as many safe as its number says. Your {card} "
        "keeps the last {number} cards safe; only those before them may leave.",
        card.value,
        card=name,
    )


def _leaving(card: Card, leaving: Sequence[Card], say: Language) -> tuple[str, ...]:
    """P6, by a card of the hand."""
    rule = say(
        "Of those who are not safe, all of the same colour leave, and all whose number is "
        "the same or lower."
    )
    if not leaving:
        return rule, say("Just now none of your cards would make anybody leave.")
    return rule, say(
        "Your {card} would take {cards}.", card=card_name(card, say), cards=_reasons(card, leaving, say)
    )


def _reasons(card: Card, leaving: Sequence[Card], say: Language) -> str:
    return say.join_list(
        say("{card} (same colour)", card=card_name(other, say))
        if other.colour is card.colour
        else say("{card} (not higher than {value})", card=card_name(other, say), value=card.value)
        for other in leaving
    )


def _recap(seat: Seat, witnessed: Sequence[Event], say: Language) -> tuple[str, ...]:
    """What the learner's last card did, with the reason for each that left."""
    played: Card | None = None
    taken: tuple[Card, ...] = ()
    for event in witnessed:
        if isinstance(event, CardPlayed) and event.seat == seat:
            played, taken = event.card, ()
        elif isinstance(event, CardsTaken) and event.seat == seat:
            taken = event.cards
    if played is None:
        return ()
    name = card_name(played, say)
    if not taken:
        return (say("Your {card} took nobody.", card=name),)
    return (say("Your {card} took {cards}.", card=name, cards=_reasons(played, taken, say)),)


def _count_so_far(view: View, seat: Seat, say: Language) -> str:
    """P14, by what lies before the learner."""
    if not view.zones[seat]:
        return say(
            "Nothing lies before you yet: 0 points. What you take is sorted by colour, and each card "
            "counts what is printed on it."
        )
    sheet = score_sheets(view.zones)[seat]
    if any(score.majority for score in sheet.colours):
        return say.plural(
            "Before you lies what you took, sorted by colour. Each card counts what is printed on it, "
            "or only 1 where a star ★ stands: {number} point so far.",
            "Before you lies what you took, sorted by colour. Each card counts what is printed on it, "
            "or only 1 where a star ★ stands: {number} points so far.",
            sheet.total,
        )
    return say.plural(
        "Before you lies what you took, sorted by colour. Each card counts what is printed on it: "
        "{number} point so far.",
        "Before you lies what you took, sorted by colour. Each card counts what is printed on it: "
        "{number} points so far.",
        sheet.total,
    )


def _majority(view: View, say: Language) -> str:
    """P12 and P13."""
    if len(view.zones) == 2:
        return say(
            "There is a way out of high points: who has two cards more of a colour than the other "
            "counts them 1 each, whatever is printed on them. A star ★ marks that."
        )
    return say(
        "There is a way out of high points: who has the most cards of a colour counts them "
        "1 each, whatever is printed on them. A star ★ marks that."
    )


def _who_has_one(view: View, words: TutorialContext) -> str:
    """Somebody who has a majority, if anybody has."""
    say = words.say
    for name, sheet in zip(words.names, score_sheets(view.zones), strict=True):
        for score in sheet.colours:
            if score.majority:
                return _starred(name, score, say)
    return say("Nobody has that yet.")


def _starred(name: str, score: ColourScore, say: Language) -> str:
    return say.plural(
        "{name} has it in {colour}: {number} point in place of {printed}.",
        "{name} has it in {colour}: {number} points in place of {printed}.",
        score.points,
        name=name,
        colour=say(COLOURS[score.cards[0].colour]),
        printed=sum(card.value for card in score.cards),
    )


def _most_colours(view: View, words: TutorialContext) -> tuple[str, int]:
    """Who has cards of the most colours, and how many these are."""
    counts = [len({card.colour for card in zone}) for zone in view.zones]
    return words.names[counts.index(max(counts))], max(counts)


def _how_it_ends(view: View, words: TutorialContext) -> tuple[str, ...]:
    """P8, and how near it is."""
    name, most = _most_colours(view, words)
    return words.say(
        "It ends soon after somebody has cards of all six colours, or the draw pile is empty: "
        "then everyone plays one last card."
    ), words.say.plural(
        "{name} has {number} colour so far.", "{name} has {number} colours so far.", most, name=name
    )


def _think_of_two(say: Language) -> str:
    return say(
        "Think of the end: of your last four cards you must keep two, and these count as well. "
        "Low cards are good to hold on to."
    )


def _sixth_is_near(view: View, words: TutorialContext) -> tuple[str, ...]:
    name, most = _most_colours(view, words)
    if most < len(Colour) - 1:
        return ()
    return (words.say("{name} lacks only one colour: the end is near.", name=name),)


# The end


def _last_round(ending: Ending | None, say: Language) -> tuple[str, ...]:
    """P9."""
    if ending is Ending.EMPTY_PILE:
        began = say("The draw pile is empty: this is the last round, one card each and no drawing.")
    else:
        began = say("Somebody has six colours: this is the last round, one card each and no drawing.")
    return (began,)


def _last_card(
    view: View, seat: Seat, witnessed: Sequence[Event], words: TutorialContext
) -> tuple[str, ...]:
    """P11; and P13, if the end came before that was told."""
    choose = words.say(
        "Which card will you play? Of the four that stay in your hand you will have to keep two."
    )
    early = _turns(seat, witnessed) <= _STARS_TOLD
    return (_majority(view, words.say), choose) if early else (choose,)


def _to_keep(view: View, seat: Seat, say: Language) -> str:
    """P11, with the pair that is best as things lie."""
    hand = [card for card in view.hands[seat] if card is not FACE_DOWN]
    pairs = [(a, b) for a in hand for b in hand if a < b]
    best = min(pairs, key=lambda pair: points_with(view, seat, pair))
    return say.plural(
        "Two of these four cards join those before you; the other two are thrown away. The number says "
        "what you would have. As things lie, {cards} is best: {number} point.",
        "Two of these four cards join those before you; the other two are thrown away. The number says "
        "what you would have. As things lie, {cards} is best: {number} points.",
        points_with(view, seat, best),
        cards=list_cards(best, say),
    )


def _has_kept(say: Language) -> str:
    return say("You have chosen. All see it when everyone has.")


def _counted(view: View, seat: Seat, words: TutorialContext) -> tuple[str, ...]:
    """P12 to P15, with the numbers of this game."""
    say, sheets = words.say, score_sheets(view.zones)
    parts = [
        say("{colour} {value}", colour=say(COLOURS[colour]), value=score.points) + " ★" * score.majority
        for colour, score in zip(Colour, sheets[seat].colours, strict=True)
        if score.cards
    ]
    stage = view.stage
    assert isinstance(stage, Ended)  # noqa: S101 - only asked then
    return (
        say.plural(
            "That was a whole game! You have {number} point: {parts}.",
            "That was a whole game! You have {number} points: {parts}.",
            sheets[seat].total,
            parts=say.join_list(parts),
        ),
        winner_sentence(stage.result, words),
    )
