"""Tutorial for Parade: a first game with a stacked deck, and the guidance shown at each turn.

Each turn introduces one idea, using the cards on the table. After the essentials, the guide only recaps
the learner's last card until something new happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wonderland.components.tutorial import Guidance, Tutorial, TutorialContext, winner_sentence
from wonderland.engine.language import Language
from wonderland.engine.protocol import FACE_DOWN
from wonderland.games.parade.rules.components import Card, Colour
from wonderland.games.parade.rules.events import CardPlayed, CardsTaken, Event
from wonderland.games.parade.rules.rules import split_parade
from wonderland.games.parade.rules.scoring import points_with, score_sheets
from wonderland.games.parade.rules.state import Ended, Ending, Keeping, Playing
from wonderland.games.parade.ui.words import COLOURS, card_name, list_cards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.engine.protocol import Seat
    from wonderland.games.parade.rules.scoring import ColourScore
    from wonderland.games.parade.rules.view import View

TUTORIAL = Tutorial(
    bots=("dodo",),
    given={
        "start": "seat1",
        "card.parade": "+R2 +G7 +B4 +P1 +O6 +Y3",
        # The Dodo gets low cards, which take many others, so the sixth colour comes soon.
        "card": "+G3 +R8 +O0 +P5 +B10  +Y1 +R6 +B2 +G1 +P3 "
        "+Y6 +O1 +P7 +Y2 +O5 +B0 +R4 +P0 +B8 +G2 +G5 +R1 +Y9 +O3 +P2 +Y4 +R9 +B1 +O8 +G0 +B6 +R3",
    },
)

_MAJORITY_TURN = 4
"""The number of turns after which majorities are explained."""


def guide(view: View, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """Return the guidance for the learner's current situation."""
    seat, say = view.seat, words.say
    if seat is None:
        return Guidance()
    match view.stage:
        case Ended():
            return Guidance(_explain_result(view, seat, words))
        case Keeping(_, kept):
            return Guidance(
                (_explain_keeping(view, seat, say) if kept[seat] is None else confirm_kept(say),)
            )
        case Playing(turn, left, ending) if left is not None:
            last = _explain_last_card(view, seat, witnessed, words) if turn == seat else ()
            return Guidance(explain_last_round(ending, say) + last)
        case Playing(turn) if turn == seat:
            return _guide_turn(view, seat, witnessed, words)
        case _:
            return Guidance(recap_turn(seat, witnessed, say))


# The learner's turns


def _guide_turn(view: View, seat: Seat, witnessed: Sequence[Event], words: TutorialContext) -> Guidance:
    """Recap the last card, and introduce one new idea."""
    recap, say = recap_turn(seat, witnessed, words.say), words.say
    hand = [card for card in view.hands[seat] if card is not FACE_DOWN]
    match count_turns(seat, witnessed):
        case 0:
            return Guidance(_explain_goal(say))
        case 1:
            card = _choose_example(view, hand)
            return Guidance(
                (*recap, _explain_safe(view, card, say)), (str(card), *_safe_cards(view, card))
            )
        case 2:
            card = _choose_example(view, hand)
            leaving, _ = split_parade(view.parade, card)
            return Guidance(
                (*recap, *_explain_leaving(card, leaving, say)), (str(card), *map(str, leaving))
            )
        case 3:
            return Guidance((*recap, _explain_score(view, seat, say)))
        case 4:  # _MAJORITY_TURN
            return Guidance((*recap, explain_majority(view, say), point_out_majority(view, words)))
        case 5:
            return Guidance((*recap, *_explain_ending(view, words)))
        case 6:
            return Guidance((*recap, _advise_on_keeping(say)))
        case _:
            return Guidance(recap + _warn_of_sixth_colour(view, words))


def count_turns(seat: Seat, witnessed: Sequence[Event]) -> int:
    """Count the cards that the learner has played."""
    return sum(isinstance(event, CardPlayed) and event.seat == seat for event in witnessed)


def _explain_goal(say: Language) -> tuple[str, ...]:
    return (
        say(
            "The parade is on the march! Play one card from your hand at its end. Other "
            "cards may then leave the parade and come to you. They're worth points, and "
            "the lowest score wins!"
        ),
        say(
            "Choose a card to see which ones would leave. Its badge shows how many points "
            "that would cost you."
        ),
    )


def _choose_example(view: View, hand: Sequence[Card]) -> Card:
    """Return the most instructive card: ideally some cards are safe from it, some leave, some stay."""

    def instructiveness(card: Card) -> tuple[bool, bool, int]:
        leaving, _ = split_parade(view.parade, card)
        safe = min(card.value, len(view.parade))
        return bool(leaving) and safe > 0, bool(leaving), len(view.parade) - safe - len(leaving)

    return max(hand, key=instructiveness)


def _safe_cards(view: View, card: Card) -> list[str]:
    return [str(other) for other in view.parade[max(len(view.parade) - card.value, 0) :]]


def _explain_safe(view: View, card: Card, say: Language) -> str:
    """Explain P5 with a card of the hand."""
    name, length = card_name(card, say), len(view.parade)
    if card.value == 0:
        return say("Your {card} is a 0, so no card in the parade is safe.", card=name)
    if card.value >= length:
        return say(
            "Count back from the end of the parade: the number on the card you play says "
            "how many cards are safe. Your {card} keeps all {length} safe, so none of them "
            "leave.",
            card=name,
            length=length,
        )
    return say.plural(
        "Count back from the end of the parade: the number on the card you play says "
        "how many cards are safe. Your {card} keeps the last card safe. Only the cards "
        "ahead of it can leave.",
        "Count back from the end of the parade: the number on the card you play says "
        "how many cards are safe. Your {card} keeps the last {number} cards safe. Only "
        "the cards ahead of them can leave.",
        card.value,
        card=name,
    )


def _explain_leaving(card: Card, leaving: Sequence[Card], say: Language) -> tuple[str, ...]:
    """Explain P6 with a card of the hand."""
    rule = say(
        "Of the cards that aren't safe, every card of the same colour leaves, and so "
        "does every card with the same number or a lower one."
    )
    if not leaving:
        return rule, say("Right now, none of your cards would make any others leave.")
    return rule, say(
        "Your {card} would take {cards}.",
        card=card_name(card, say),
        cards=_list_with_reasons(card, leaving, say),
    )


def _list_with_reasons(card: Card, leaving: Sequence[Card], say: Language) -> str:
    return say.join_list(
        say("{card} (same colour)", card=card_name(other, say))
        if other.colour is card.colour
        else say("{card} ({value} or lower)", card=card_name(other, say), value=card.value)
        for other in leaving
    )


def recap_turn(seat: Seat, witnessed: Sequence[Event], say: Language) -> tuple[str, ...]:
    """Recap what the learner's last card took, with the reason for each card."""
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
        return (say("Your {card} took nothing.", card=name),)
    return (say("Your {card} took {cards}.", card=name, cards=_list_with_reasons(played, taken, say)),)


def _explain_score(view: View, seat: Seat, say: Language) -> str:
    """Explain P14 with the learner's own zone."""
    if not view.zones[seat]:
        return say(
            "You haven't taken anything yet: 0 points. Cards you take are sorted by "
            "colour, and each one counts its number."
        )
    sheet = score_sheets(view.zones)[seat]
    if any(score.majority for score in sheet.colours):
        return say.plural(
            "The cards you've taken are in front of you, sorted by colour. Each one counts "
            "its number, or just 1 where there's a star ★: {number} point so far.",
            "The cards you've taken are in front of you, sorted by colour. Each one counts "
            "its number, or just 1 where there's a star ★: {number} points so far.",
            sheet.total,
        )
    return say.plural(
        "The cards you've taken are in front of you, sorted by colour. Each one counts "
        "its number: {number} point so far.",
        "The cards you've taken are in front of you, sorted by colour. Each one counts "
        "its number: {number} points so far.",
        sheet.total,
    )


def explain_majority(view: View, say: Language) -> str:
    """Explain P12 or P13."""
    if len(view.zones) == 2:
        return say(
            "There's a way to avoid big scores. If you have at least two more cards of a "
            "colour than your opponent, each of them counts only 1, whatever its number. "
            "We call that the majority, and a star ★ marks it."
        )
    return say(
        "There's a way to avoid big scores. If you have the most cards of a colour, "
        "each of them counts only 1, whatever its number. We call that the majority, "
        "and a star ★ marks it."
    )


def point_out_majority(view: View, words: TutorialContext) -> str:
    """Point out a player who has a majority, if any."""
    say = words.say
    for name, sheet in zip(words.names, score_sheets(view.zones), strict=True):
        for score in sheet.colours:
            if score.majority:
                return _describe_majority(name, score, say)
    return say("Nobody has a majority yet.")


def _describe_majority(name: str, score: ColourScore, say: Language) -> str:
    return say.plural(
        "{name} has the majority in {colour}: {number} point instead of {printed}.",
        "{name} has the majority in {colour}: {number} points instead of {printed}.",
        score.points,
        name=name,
        colour=say(COLOURS[score.cards[0].colour]),
        printed=sum(card.value for card in score.cards),
    )


def _most_colours(view: View, words: TutorialContext) -> tuple[str, int]:
    """Return the player with the most colours, and how many; no name for the viewer."""
    counts = [len({card.colour for card in zone}) for zone in view.zones]
    leader = counts.index(max(counts))
    return "" if leader == view.seat else words.names[leader], max(counts)


def _explain_ending(view: View, words: TutorialContext) -> tuple[str, ...]:
    """Explain P8, and how near it is."""
    say, (name, most) = words.say, _most_colours(view, words)
    rule = say(
        "The last round starts when someone has cards of all six colours, or when the "
        "draw pile runs out. Then everyone plays one last card."
    )
    if not name:
        return rule, say.plural(
            "You have {number} colour so far.", "You have {number} colours so far.", most
        )
    return rule, say.plural(
        "{name} has {number} colour so far.", "{name} has {number} colours so far.", most, name=name
    )


def _advise_on_keeping(say: Language) -> str:
    return say(
        "Think ahead: you'll have to keep two of your last four cards, and they count "
        "too. Low cards are good to hold on to."
    )


def _warn_of_sixth_colour(view: View, words: TutorialContext) -> tuple[str, ...]:
    name, most = _most_colours(view, words)
    if most < len(Colour) - 1:
        return ()
    if not name:
        return (words.say("You need only one more colour: the end is near."),)
    return (words.say("{name} needs only one more colour: the end is near.", name=name),)


# The end


def explain_last_round(ending: Ending | None, say: Language) -> tuple[str, ...]:
    """Explain P9."""
    if ending is Ending.EMPTY_PILE:
        explanation = say(
            "The draw pile is empty, so this is the last round: one card each, and no drawing."
        )
    else:
        explanation = say(
            "Someone has all six colours, so this is the last round: one card each, and no drawing."
        )
    return (explanation,)


def _explain_last_card(
    view: View, seat: Seat, witnessed: Sequence[Event], words: TutorialContext
) -> tuple[str, ...]:
    """Explain P11; also P12 or P13 if the end came before they were explained."""
    choose = words.say(
        "Which card will you play? You'll have to keep two of the four left in your hand."
    )
    early = count_turns(seat, witnessed) <= _MAJORITY_TURN
    return (explain_majority(view, words.say), choose) if early else (choose,)


def _explain_keeping(view: View, seat: Seat, say: Language) -> str:
    """Explain P11 with the pair that is currently best."""
    hand = [card for card in view.hands[seat] if card is not FACE_DOWN]
    pairs = [(a, b) for a in hand for b in hand if a < b]
    best = min(pairs, key=lambda pair: points_with(view.zones, seat, pair))
    return say.plural(
        "Two of these four cards are added to the ones in front of you; the other two "
        "are discarded. The number shows what your score would be. Right now, the best "
        "pair is {cards}: {number} point.",
        "Two of these four cards are added to the ones in front of you; the other two "
        "are discarded. The number shows what your score would be. Right now, the best "
        "pair is {cards}: {number} points.",
        points_with(view.zones, seat, best),
        cards=list_cards(best, say),
    )


def confirm_kept(say: Language) -> str:
    return say("You've chosen. All the cards are revealed once everyone has.")


def _explain_result(view: View, seat: Seat, words: TutorialContext) -> tuple[str, ...]:
    """Explain P12 to P15 with the score of this game."""
    say, sheets = words.say, score_sheets(view.zones)
    parts = [
        say("{colour} {value}", colour=say(COLOURS[colour]), value=score.points) + " ★" * score.majority
        for colour, score in zip(Colour, sheets[seat].colours, strict=True)
        if score.cards
    ]
    stage = view.stage
    assert isinstance(stage, Ended)  # noqa: S101 - called only when the game is over
    return (
        say.plural(
            "That was a whole game! You scored {number} point: {parts}.",
            "That was a whole game! You scored {number} points: {parts}.",
            sheets[seat].total,
            parts=say.join_list(parts),
        ),
        winner_sentence(stage.result, words),
    )
