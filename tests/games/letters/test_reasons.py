"""Letters: why turning one card is better than turning another. Every reason must be true."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import reason_checker
from support.reason_checker import NAMES, Moment, check_reason, examples, moment_at, moments
from wonderland.components.judge import ActionValue
from wonderland.engine import CHANCE, FACE_DOWN
from wonderland.engine.language import ENGLISH
from wonderland.games.letters import GAME
from wonderland.games.letters.rules.components import CARDS, WORD, Card, Letter, Menace
from wonderland.games.letters.rules.events import Event, LettersPlayed, LettersTurnedDown
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import Ended, FaceUp, State, TurnedDown
from wonderland.games.letters.ui import reasons
from wonderland.games.letters.ui.words import card_name

OPTIONS = st.builds(
    Options, st.booleans(), st.sampled_from(["after", "first"]), st.sampled_from(["closed", "open"])
)


def name_of(action: Any) -> str:
    return f"card {action.space + 1}"


def result_of_turning(moment: Moment, choice: Any, card: Card) -> tuple[State, tuple[Event, ...]]:
    """The result of turning this card up at the chosen space."""
    step = GAME.apply(GAME.apply(moment.state, moment.seat, choice).state, CHANCE, card)
    return step.state, step.events


def letters_played(moment: Moment, choice: Any, card: Card) -> str:
    """The letters that the seat plays at once."""
    _, events = result_of_turning(moment, choice, card)
    mine = [event for event in events if isinstance(event, LettersPlayed) and event.seat == moment.seat]
    return "-".join(letter.letter for event in mine for letter in event.letters)


def is_complete(moment: Moment, choice: Any, card: Card) -> bool:
    stage = result_of_turning(moment, choice, card)[0].stage
    return isinstance(stage, Ended) and stage.result.winners == (moment.seat,)


def is_there(moment: Moment, choice: Any, letter: str) -> Letter | None:
    """The letter that everyone has seen there, if it is the one named."""
    lies = moment.state.spaces[choice.space]
    return lies.card if isinstance(lies, TurnedDown) and card_name(lies.card) == letter else None


def colour_of(moment: Moment) -> Any:
    return moment.state.options.colours[moment.seat]


def as_good(moment: Moment, best: Any, other: Any) -> bool:
    spaces = [moment.state.spaces[choice.space] for choice in (best, other)]
    return spaces == [FACE_DOWN, FACE_DOWN]


def completes(moment: Moment, choice: Any, letter: str) -> bool:
    card = is_there(moment, choice, letter)
    return card is not None and is_complete(moment, choice, card)


def is_next(moment: Moment, choice: Any, letter: str) -> bool:
    card = is_there(moment, choice, letter)
    return card == Letter(colour_of(moment), moment.state.rails[moment.seat])


def plays(moment: Moment, choice: Any, letter: str, letters: str) -> bool:
    card = is_there(moment, choice, letter)
    return card is not None and letters_played(moment, choice, card) == letters


def waits(moment: Moment, choice: Any, letter: str, missing: str) -> bool:
    """An own letter that is not played before these others."""
    card = is_there(moment, choice, letter)
    return card is not None and card.colour == colour_of(moment) and _lacks(moment, card, missing)


def _lacks(moment: Moment, card: Letter, missing: str) -> bool:
    owner = moment.state.options.colours.index(card.colour)
    before = WORD[moment.state.rails[owner] : card.place]
    hidden = [
        it for it in before if FaceUp(Letter(card.colour, WORD.index(it))) not in moment.state.spaces
    ]
    return "-".join(hidden) == missing != ""


def gives(moment: Moment, choice: Any, letter: str, name: str) -> bool:
    card = is_there(moment, choice, letter)
    assert card is not None
    owner = moment.state.options.colours.index(card.colour)
    state, _ = result_of_turning(moment, choice, card)
    needed = [Letter(card.colour, place) for place in range(state.rails[owner], card.place + 1)]
    is_open = all(FaceUp(it) in state.spaces for it in needed)
    return name == NAMES[owner] != NAMES[moment.seat] and is_open


def cannot(moment: Moment, choice: Any, letter: str, name: str, missing: str) -> bool:
    card = is_there(moment, choice, letter)
    assert card is not None
    return name == NAMES[moment.state.options.colours.index(card.colour)] and _lacks(
        moment, card, missing
    )


def unseen(moment: Moment, choice: Any) -> tuple[Card, ...]:
    """The cards that a never-turned card may be."""
    assert moment.state.spaces[choice.space] is FACE_DOWN
    return tuple(card for card in CARDS if card in moment.state.unseen)


def may_complete(moment: Moment, choice: Any, number: int, cards: int) -> bool:
    found = [is_complete(moment, choice, card) for card in unseen(moment, choice)]
    return len(found) == cards and sum(found) == number


def menaces(moment: Moment, choice: Any, cards: int, number: int, letters: str) -> bool:
    left = unseen(moment, choice)
    names = [card for card in left if isinstance(card, Menace)]
    for name in names:
        _, events = result_of_turning(moment, choice, name)
        down = [event.letters for event in events if isinstance(event, LettersTurnedDown)]
        mine = sorted(letter for it in down for letter in it if letter.colour == colour_of(moment))
        assert "-".join(letter.letter for letter in mine) == letters
    return len(left) == cards and len(names) == number


def own_letters(moment: Moment, choice: Any, cards: int, number: int, colour: str) -> bool:
    left = unseen(moment, choice)
    own = [card for card in left if isinstance(card, Letter) and card.colour == colour_of(moment)]
    return len(left) == cards and len(own) == number and colour == colour_of(moment).word


def own_with_next(  # noqa: PLR0913, PLR0917 - as the sentence has it
    moment: Moment, choice: Any, cards: int, number: int, colour: str, letter: str
) -> bool:
    needed = Letter(colour_of(moment), moment.state.rails[moment.seat])
    is_among = needed in unseen(moment, choice) and needed.letter == letter
    return is_among and own_letters(moment, choice, cards, number, colour)


def harmless(moment: Moment, choice: Any) -> bool:
    for card in unseen(moment, choice):
        down = [
            it for it in result_of_turning(moment, choice, card)[1] if isinstance(it, LettersTurnedDown)
        ]
        if any(letter.colour == colour_of(moment) for event in down for letter in event.letters):
            return False
    return True


def no_own(moment: Moment, choice: Any, colour: str) -> bool:
    return own_letters(moment, choice, len(moment.state.unseen), 0, colour)


def next_wins(moment: Moment, choice: Any, name: str) -> bool:
    """Whatever the card is, the next player knows one with which they win."""
    lies = moment.state.spaces[choice.space]
    cards = [lies.card] if isinstance(lies, TurnedDown) else unseen(moment, choice)
    rival = (moment.seat + 1) % len(moment.state.rails)

    def is_won(state: State) -> bool:
        if isinstance(state.stage, Ended):
            return state.stage.result.winners == (rival,)
        known = [it for it in GAME.legal(state, rival) if isinstance(state.spaces[it.space], TurnedDown)]
        return any(
            is_complete(Moment(GAME, state, rival, moment.best, moment.other), it, _card(state, it))
            for it in known
        )

    return name == NAMES[rival] and all(
        is_won(result_of_turning(moment, choice, card)[0]) for card in cards
    )


def _card(state: State, action: Any) -> Card:
    lies = state.spaces[action.space]
    assert isinstance(lies, TurnedDown)
    return lies.card


CARD = r"(?P<choice>card \d+) is"
KNOWN = rf"{CARD} the (?P<letter>\w+ [ALICE])"
NEW = rf"{CARD} new"
MAY_BE = r"of the (?P<cards>\d+) cards it could be"
TRUTHS = {
    r"nothing is known about (?P<best>card \d+) or (?P<other>card \d+): "
    "one is as good as the other": as_good,
    rf"{KNOWN}, which completes A-L-I-C-E": completes,
    rf"{KNOWN}, which is needed next": is_next,
    rf"{KNOWN}: (?P<letters>[ALICE-]+) (is|are) played at once": plays,
    rf"{KNOWN}, which can follow once (?P<missing>[ALICE-]+) is there": waits,
    rf"{KNOWN}, which has to wait for (?P<missing>[ALICE-]+)": waits,
    rf"{KNOWN}, which (?P<name>\w+) could then play": gives,
    rf"{KNOWN}, which (?P<name>\w+) can't play before (?P<missing>[ALICE-]+)": cannot,
    r"after (?P<choice>card \d+), (?P<name>\w+) can complete A-L-I-C-E on the next turn": next_wins,
    rf"{NEW}: (?P<number>\d+) {MAY_BE} completes? A-L-I-C-E": may_complete,
    rf"{NEW}: {MAY_BE}, (?P<number>\d+) (is a menace|are menaces) and would turn (?P<letters>[ALICE-]+) "
    "face down again": menaces,
    rf"{NEW}: {MAY_BE}, (?P<number>\d+) (is a|are) (?P<colour>\w+) letters?,( including)? "
    "the (?P<letter>[ALICE]) that is needed next": own_with_next,
    rf"{NEW}: only (?P<number>\d+) {MAY_BE} (is a|are) (?P<colour>\w+) letters?": own_letters,
    rf"{NEW}, and a menace could do no harm": harmless,
    rf"{NEW}, and can't be a (?P<colour>\w+) letter": no_own,
    reason_checker.CHANCES: reason_checker.chances,
    reason_checker.ALIKE: reason_checker.alike,
}


@given(moments(GAME, OPTIONS))
def test_every_reason_is_true(moment: Moment) -> None:
    check_reason(moment, name_of, TRUTHS)


@pytest.mark.parametrize(("written", "text"), examples(__file__))
def test_examples(written: str, text: str) -> None:
    assert moment_at(GAME, written).reason.startswith(text)


def test_a_card_that_hands_over_the_win_is_called_that() -> None:
    moment = moment_at(
        GAME,
        "letters stage=choose turn=2 space=- ending=- duchess=false claim=after memory=closed "
        "colours=red,blue,yellow,green rails=A/-/ALI/A spaces=_._.?.blueC?.yellowC?.blueI?.?.greenE."
        "yellowE?.greenC.redC._._.greenI.?.blueE.Hare.?._.Carpenter.redE.Hatter.Turtle.?.blueL."
        "Duchess.? removed=-\n2: 3 > 5",
    )
    assert "After card 5, Dinah can complete A-L-I-C-E on the next turn." in moment.reason
    check_reason(moment, name_of, TRUTHS)


def test_a_player_who_forgot_a_letter_is_not_told_about_it() -> None:
    position = (
        "letters stage=choose turn=2 space=- ending=- duchess=false claim=after memory=closed "
        "colours=red,blue rails=-/A removed=yellowI.yellowE "
        "spaces=?.?.?.?.?.?._.?._.?.?.?.?.blueC?.?.?._.Hatter.?.Duchess.?.?.?.King.?.?.?"
    )
    state = GAME.read_position(position)
    values = [ActionValue(GAME.read(word), 0.5, 0.0) for word in ("14", "2")]
    said = reasons.reason(GAME.view(state, 1), *values, NAMES[:2], ENGLISH)
    assert said == "Nothing is known about card 14 or card 2: one is as good as the other."
