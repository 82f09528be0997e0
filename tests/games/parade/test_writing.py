"""Parade in notation: words, positions, plays recorded from one seat, and plain text."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.components.words import words_of
from wonderland.engine import CHANCE, FACE_DOWN, Acting, Match, NotationError, Over, Seeded, read_record
from wonderland.games.parade import GAME
from wonderland.games.parade.rules.components import DECK, Card
from wonderland.games.parade.rules.notation import read_card
from wonderland.games.parade.rules.state import Action, KeepCards, PlayCard, StartWith
from wonderland.games.parade.rules.view import View

CARDS = st.sampled_from(DECK)
ACTIONS: st.SearchStrategy[Action] = st.one_of(
    CARDS,
    st.just(FACE_DOWN),
    CARDS.map(PlayCard),
    st.integers(0, 5).map(StartWith),
    st.lists(CARDS, min_size=2, max_size=2, unique=True).map(lambda pair: KeepCards(*sorted(pair))),
)


@given(ACTIONS)
def test_notation_round_trips(action: Action) -> None:
    assert GAME.read(GAME.write(action)) == action


def test_t_means_ten_and_lower_case_is_accepted() -> None:
    assert read_card("RT") == read_card("r10") == read_card("R10")
    assert GAME.read("b4&rt") == KeepCards(read_card("R10"), read_card("B4"))


@pytest.mark.parametrize("word", ["", "X3", "R11", "R", "3", "R3&", "R3&X", "+", "+X"])
def test_an_invalid_word_is_named(word: str) -> None:
    with pytest.raises(NotationError, match="isn't a card: a card is one of R B P G Y O"):
        GAME.read(word)


@pytest.mark.parametrize("word", ["seat0", "seat7", "seat", "seat12"])
def test_an_unknown_seat_is_named(word: str) -> None:
    with pytest.raises(NotationError, match=f"'{word}' isn't a seat: the seats are seat1 to seat6"):
        GAME.read(word)


def test_a_card_cannot_be_kept_twice() -> None:
    with pytest.raises(NotationError, match="'R3&R3' keeps the same card twice"):
        GAME.read("R3&R3")


GOOD = (
    "parade stage=play turn=1 hands=R1.R2.R3.R4.R5/B1.B2.B3.B4.B5 parade=G1.G2.G3.G4.G5.G6 "
    "zones=-/- ending=- left=- kept=-"
)


def test_a_position_is_sorted_when_read() -> None:
    mixed = GOOD.replace("R1.R2.R3.R4.R5", "R5.?.R3.R1.R2").replace("zones=-/-", "zones=Y5.Y4/-")
    tidy = GOOD.replace("R1.R2.R3.R4.R5", "R1.R2.R3.R5.?").replace("zones=-/-", "zones=Y4.Y5/-")
    assert GAME.write_position(GAME.read_position(mixed)) == tidy


@pytest.mark.parametrize(
    ("change", "to", "complaint"),
    [
        ("parade stage", "letters stage", "starts with 'parade', not with 'letters'"),
        ("stage=play", "stage=sleep", "stage=sleep isn't possible: stage must be one of start, deal"),
        ("turn=1", "turn=3", "turn=3 isn't possible: turn must be a number from 1 to 2"),
        ("turn=1", "turn=x", "turn=x isn't possible"),
        ("turn=1", "", "turn=… is missing"),
        ("turn=1", "turn=1 turn=1", "'turn=1' doesn't belong here"),
        ("turn=1", "turn=1 weather=fine", "'weather=fine' doesn't belong here"),
        ("R5/B1.B2.B3.B4.B5", "R5", "Parade is for 2 to 6 players, not 1"),
        ("zones=-/-", "zones=-", "zones=- doesn't have one entry for each of the 2 players"),
        ("R1.", "B1.", "B1 is in two places"),
        ("R1.R2.", "R0.R0.", "R0 is in two places"),
        ("R1.", "R1.R6.", "player 1 has 6 cards in hand instead of 5"),
        ("parade=G1.G2.G3.G4.G5.G6", "parade=-", "the parade is empty"),
        ("left=-", "left=2", "ending and left belong together"),
        ("zones=-/-", "zones=R0.B0.P0.G0.Y0.O0/-", "someone has all six colours"),
        ("ending=-", "ending=boredom", "ending=boredom isn't possible"),
        ("stage=play turn=1", "stage=keep turn=-", "stage=keep needs an ending: sixth-colour"),
        ("kept=-", "kept=junk", "kept=junk doesn't belong to stage=play: kept must be - there."),
        ("ending=- left=-", "ending=empty-pile left=2", "the draw pile isn't empty (50)"),
        ("ending=- left=-", "ending=both left=2", "the draw pile isn't empty (50)"),
        (
            "ending=- left=-",
            "ending=sixth-colour left=2",
            "player 2 started the last round, but doesn't have all six colours (rule P8)",
        ),
        (
            "zones=-/- ending=- left=-",
            "zones=R0.B0.P0.G0.Y0.O0/R6.B6.P6.G7.Y6.O6 ending=sixth-colour left=2",
            "player 1 has all six colours and would have started the last round (rule P8)",
        ),
        ("zones=-/-", "zones=G8/-", "player 1 hasn't had a turn yet, so can't have taken anything"),
        ("G5.G6", "G5", "the draw pile has 51 cards, but it can't have more than 50 (rule P3)"),
        ("stage=play", "stage=deal", "everyone already has five cards"),
        ("stage=play", "stage=form", "the parade is already complete"),
        ("stage=play turn=1", "stage=start turn=-", "player 1 has 5 cards in hand instead of 0"),
        ("stage=play", "stage=draw", "player 1 has 5 cards in hand instead of 4"),
    ],
)
def test_an_impossible_position_is_rejected_with_the_reason(
    change: str, to: str, complaint: str
) -> None:
    assert change in GOOD
    with pytest.raises(NotationError) as refused:
        GAME.read_position(GOOD.replace(change, to))
    assert complaint in str(refused.value)


SIX_COLOURS = "R0.B0.P0.G0.Y0.O0"
KEEPING = (
    "parade stage=keep turn=- hands=R1.R2.R3.R4/B1.B2.B3.B4 parade=G1.G2.G3 "
    f"zones={SIX_COLOURS}/- ending=sixth-colour left=- kept="
)
DRAWING = (
    "parade stage=draw turn=1 hands=R1.R2.R3.R4/B1.B2.B3.B4.B5 parade=G1.G2.G3.G4.G5.G6.G7 "
    "zones=-/- ending=- left=- kept=-"
)
BEFORE = "parade stage=start turn=- hands=-/- parade=- zones=-/- ending=- left=- kept=-"
OVER = (
    "parade stage=over turn=- hands=R3.R4/B3.B4 parade=G1.G2.G3 "
    "zones=R0.R1.R2.B0.P0.G0.Y0.O0/B1.B2 ending=sixth-colour left=- kept=-"
)
ALL_UNKNOWN = GOOD.replace("R1.R2.R3.R4.R5/B1.B2.B3.B4.B5", "?.?.?.?.?/?.?.?.?.?")
OTHER_BAD_POSITIONS = {
    "nothing can have been taken before": (
        "parade stage=start turn=- hands=-/- parade=- zones=R1/- ending=- left=- kept=-"
    ),
    "the parade is laid out after the deal": (
        "parade stage=deal turn=1 hands=R1/- parade=R2 zones=-/- ending=- left=- kept=-"
    ),
    "player 2 keeps cards that aren't in their hand": f"{KEEPING}-/R1&R2",
    "isn't two cards such as R3&B4": f"{KEEPING}-/R1",
    "doesn't have one entry for each of the 2 players": f"{KEEPING}-",
    "nobody draws in the last round": DRAWING.replace("ending=-", "ending=empty-pile"),
    "the draw pile is empty, so the last round has started": ALL_UNKNOWN.replace(
        "G1.G2.G3.G4.G5.G6", ".".join(map(str, DECK[:56]))
    ),
    "more cards are face down than the deck has left": ALL_UNKNOWN.replace(
        "G1.G2.G3.G4.G5.G6", ".".join(map(str, DECK[:57]))
    ),
}


@pytest.mark.parametrize("complaint", OTHER_BAD_POSITIONS)
def test_other_impossible_positions_are_rejected(complaint: str) -> None:
    with pytest.raises(NotationError) as refused:
        GAME.read_position(OTHER_BAD_POSITIONS[complaint])
    assert complaint in str(refused.value)


ELSEWHERE = "R1.R2.R3.R4.R5.B1.B2.B3.B4.B5.G1.G2.G3.G4"
TAKEN = [str(card) for card in DECK if str(card) not in ELSEWHERE.split(".")]
EMPTY_PILE = (
    "parade stage=play turn=1 hands=R1.R2.R3.R4.R5/B1.B2.B3.B4.B5 parade=G1.G2.G3.G4 "
    f"zones={'.'.join(TAKEN[:9])}/{'.'.join(TAKEN[9:])} ending=empty-pile left=2 kept=-"
)
"""All cards are in the hands, in the parade, or taken: by seat 1 reds and blues, by seat 2 the rest."""
THREE_KEEP = (
    "parade stage=keep turn=- hands=?.?.?.?/B1.?.?.?/R1.R2.R3.R4 parade=G1.G2.G3.G4 "
    f"zones={SIX_COLOURS}/-/- ending=sixth-colour left=- kept=O5&O6/-/-"
)


@pytest.mark.parametrize(
    ("line", "change", "to", "complaint"),
    [
        (BEFORE, "turn=-", "turn=1", "turn=1 doesn't belong to stage=start: turn must be - there."),
        (BEFORE, "turn=-", "turn=zz", "turn=zz doesn't belong to stage=start"),
        (BEFORE, "ending=-", "ending=both", "ending=both doesn't belong to stage=start"),
        (BEFORE, "left=-", "left=9", "left=9 doesn't belong to stage=start"),
        (BEFORE, "kept=-", "kept=x", "kept=x doesn't belong to stage=start"),
        (DRAWING, "left=-", "left=77", "left=77 doesn't belong to stage=draw: left must be - there."),
        (DRAWING, "kept=-", "kept=-/-", "kept=-/- doesn't belong to stage=draw"),
        (DRAWING, "ending=-", "ending=both", "nobody draws in the last round (rule P9)"),
        (DRAWING, "ending=-", "ending=sixth-colour", "player 1 started the last round, but doesn't"),
        (DRAWING, ".G7", "", "the draw pile has 51 cards, but it can't have more than 50 (rule P3)"),
        (DRAWING, "zones=-/-", f"zones={SIX_COLOURS}/-", "someone has all six colours"),
        (DRAWING, "G6.G7 zones=-/-", "G6 zones=-/G7", "player 2 hasn't had a turn yet"),
        (
            DRAWING,
            "zones=-/- ending=-",
            f"zones={SIX_COLOURS}/R6.B6.P6.G8.Y6.O6 ending=sixth-colour",
            "player 2 has all six colours and would have started the last round (rule P8)",
        ),
        (f"{KEEPING}-/-", "turn=-", "turn=1", "turn=1 doesn't belong to stage=keep"),
        (f"{KEEPING}-/-", "left=-", "left=1", "left=1 doesn't belong to stage=keep"),
        (f"{KEEPING}-/-", "sixth-colour", "both", "the draw pile isn't empty (49)"),
        (f"{KEEPING}-/-", ".O0", ".Y1", "nobody has all six colours"),
        (
            f"{KEEPING}-/-",
            ".G3",
            "",
            "the draw pile has 50 cards, but it can't have more than 49 (rule P3)",
        ),
        (f"{KEEPING}-/-", "-/-", "R1&R2/B1&B2", "everyone has chosen, so the game is over (rule P11)"),
        (OVER, "kept=-", "kept=-/-", "kept=-/- doesn't belong to stage=over"),
        (OVER, "turn=-", "turn=2", "turn=2 doesn't belong to stage=over"),
        (OVER, "ending=sixth-colour", "ending=-", "stage=over needs an ending"),
        (OVER, "ending=sixth-colour", "ending=empty-pile", "the draw pile isn't empty (49)"),
        (OVER, "G3 zones=R0.", "G3.R0 zones=", "nobody has all six colours"),
        (OVER, "/B1.B2", ".B2/B1", "player 2 is missing the two cards they kept (rule P11)"),
        (
            EMPTY_PILE,
            "ending=empty-pile",
            "ending=sixth-colour",
            "ending must be empty-pile or both (rule P8)",
        ),
        (
            EMPTY_PILE,
            "ending=empty-pile",
            "ending=both",
            "player 2 started the last round, but doesn't have",
        ),
        (
            EMPTY_PILE,
            "ending=empty-pile left=2",
            "ending=- left=-",
            "the draw pile is empty, so the last",
        ),
        (EMPTY_PILE, "R10.B0.B6.B7/", "B0.B6.B7/R10.", "player 2 has all six colours and would have"),
        (THREE_KEEP, "O6/-/-", "O6/O6&O7/-", "two seats keep O6, but there's only one (rule P1)"),
        (
            THREE_KEEP,
            "O6/-/-",
            "O6/G1&O7/-",
            "player 2 keeps cards that aren't in their hand (rule P11)",
        ),
        (
            THREE_KEEP,
            "O6/-/-",
            "O6/R1&B1/-",
            "player 2 keeps cards that aren't in their hand (rule P11)",
        ),
        (
            THREE_KEEP,
            "O6/-/-",
            "O6/-/R1&O7",
            "player 3 keeps cards that aren't in their hand (rule P11)",
        ),
        (THREE_KEEP, "O5&O6", "R1&R2", "player 1 keeps cards that aren't in their hand (rule P11)"),
    ],
)
def test_an_unreachable_position_is_rejected_with_the_reason(
    line: str, change: str, to: str, complaint: str
) -> None:
    assert change in line
    assert GAME.write_position(GAME.read_position(line)) == line
    with pytest.raises(NotationError) as refused:
        GAME.read_position(line.replace(change, to))
    assert complaint in str(refused.value)


def test_p10_a_sixth_colour_in_the_last_round_does_not_change_its_trigger() -> None:
    taken_late = EMPTY_PILE.replace("R10.B0.B6.B7/", "B0.B6.B7/R10.").replace(
        "B1.B2.B3.B4.B5", "B1.B2.B3.B4"
    )
    line = taken_late.replace("G3.G4", "G3.G4.B5").replace("left=2", "left=1")
    assert GAME.read_position(line).pile == 0
    with pytest.raises(NotationError, match="player 1 started the last round, but doesn't have all six"):
        GAME.read_position(line.replace("empty-pile", "both"))


@given(st.text(max_size=80))
def test_any_text_is_a_position_or_a_notation_error(text: str) -> None:
    for line in (text, f"parade {text}", GOOD.replace("R1", text)):
        try:
            GAME.read_position(line)
        except NotationError as error:
            assert str(error).endswith(".")  # noqa: PT017 - most texts are rejected, a few may not be


def as_seen_by(match: Match, seat: int) -> str:
    """The record as this seat could have written it: cards drawn by others are unknown."""
    lines = []
    for line in match.record.text().splitlines():
        name, colon, rest = line.partition(": ")
        if colon and name in match.names and name != match.names[seat]:
            words = ["+?" if word.startswith("+") else word for word in rest.split()]
            lines.append(f"{name}: {' '.join(words)}")
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_play_recorded_from_one_seat_has_the_same_result(seats: int) -> None:
    match = Match(GAME, list("ABCDEF"[:seats]), chance=Seeded(seats))
    while isinstance(match.turn, Acting):
        seat = match.turn.seats[0]
        match.play(seat, match.legal(seat)[0])
    noted = read_record(as_seen_by(match, 1))
    assert noted.fault is None
    again = Match.resume(noted.whole)
    assert again.turn == match.turn
    assert noted.whole.text() == as_seen_by(match, 1)
    for (full, _), (partly, _) in zip(match.record.states(), noted.whole.states(), strict=True):
        assert GAME.view(full, 1) == GAME.view(partly, 1) or isinstance(GAME.turn(full), Over)
        assert set(full.unseen) <= set(partly.unseen)
        line = GAME.write_position(partly)
        assert GAME.read_position(line) == partly


def test_a_hand_with_cards_face_down_could_hold_any_unseen_card() -> None:
    state = GAME.read_position(GOOD.replace("B1.B2.B3.B4.B5", "B1.?.?.?.?").replace("turn=1", "turn=2"))
    legal = GAME.legal(state, 1)
    assert len(legal) == 1 + len(state.unseen)
    after = GAME.apply(state, 1, PlayCard(read_card("O7"))).state
    assert after.hands[1] == (read_card("B1"), FACE_DOWN, FACE_DOWN, FACE_DOWN)
    assert read_card("O7") not in after.unseen
    keeping = GAME.read_position(f"{KEEPING}-/-".replace("B4", "?"))
    pairs = GAME.legal(keeping, 1)
    assert KeepCards(read_card("B1"), read_card("O10")) in pairs
    assert KeepCards(read_card("O9"), read_card("O10")) not in pairs


def test_a_card_that_is_seen_becomes_known() -> None:
    state = GAME.read_position(DRAWING.replace("R1.R2.R3.R4", "R1.R4.?.?"))
    hand = GAME.apply(state, CHANCE, read_card("R2")).state.hands[0]
    assert hand == (read_card("R1"), read_card("R2"), read_card("R4"), FACE_DOWN, FACE_DOWN)


WORDS = words_of("parade")
NAMES = ["Alice", "Hatter"]


def test_a_whole_play_is_described() -> None:
    match = Match(GAME, NAMES, chance=Seeded(5))
    while isinstance(match.turn, Acting):
        seat = match.turn.seats[-1]
        action = match.legal(seat)[-1]
        assert WORDS.describe_action(match.view(seat), action)
        for viewer in (0, 1, None):
            for line in WORDS.describe(match.view(viewer), match.names):
                assert len(line) <= 80
        match.play(seat, action)
    told = [WORDS.describe_event(event, NAMES) for event in match.events_seen_by(0)]
    assert "Hatter draws a card." in told
    assert any(sentence and sentence.startswith("Alice draws ") for sentence in told)
    assert any(sentence and "keeps two cards" in sentence for sentence in told)
    assert any(sentence and "everyone gets one more turn" in sentence for sentence in told)
    assert told[-1] is not None
    assert "(" in told[-1]
    for state, _ in match.record.states():
        assert WORDS.describe(GAME.reveal(state), NAMES)


def test_offers_state_what_a_card_takes_and_a_pair_scores() -> None:
    view = GAME.view(GAME.read_position(GOOD), 0)
    assert (
        WORDS.describe_action(view, PlayCard(read_card("R2")))
        == "Red 2 takes Green 1, Green 2: +2 points"
    )
    rich = GAME.view(GAME.read_position(GOOD.replace("zones=-/-", "zones=G8/O8")), 0)
    assert (
        WORDS.describe_action(rich, PlayCard(read_card("R2")))
        == "Red 2 takes Green 1, Green 2: \N{MINUS SIGN}5 points"
    )
    one = GAME.view(GAME.read_position(GOOD.replace("G1.", "G0.")), 0)
    assert WORDS.describe_action(one, PlayCard(read_card("R1"))) == "Red 1 takes Green 0: +0 points"
    other = GAME.view(GAME.read_position(GOOD), 1)
    assert WORDS.describe_action(other, PlayCard(read_card("B1"))) == "Blue 1 takes Green 1: +1 point"
    spectator = GAME.view(GAME.read_position(GOOD), None)
    assert WORDS.describe_action(spectator, PlayCard(read_card("B1"))) == "Blue 1 takes Green 1"
    assert WORDS.describe_action(view, PlayCard(read_card("R0"))) == "Red 0 takes nothing"
    keep = KeepCards(read_card("R1"), read_card("R5"))
    assert WORDS.describe_action(view, keep) == "keep Red 1, Red 5: 2 points right now"
    assert WORDS.describe_action(GAME.view(GAME.read_position(GOOD), None), keep) == "keep Red 1, Red 5"
    assert WORDS.describe_action(view, StartWith(1)) == "seat2"


def test_a_view_shows_the_own_hand_and_the_backs_of_others() -> None:
    state = GAME.read_position(GOOD)
    view: View = GAME.view(state, 0)
    assert view.hands == (state.hands[0], (FACE_DOWN,) * 5)
    assert GAME.view(state, None).hands == ((FACE_DOWN,) * 5,) * 2
    assert GAME.reveal(state).hands == state.hands


def test_cards_are_written_as_spoken() -> None:
    assert [str(card) for card in sorted([Card(65), Card(0)])] == ["R0", "O10"]


def test_a_card_is_immutable_and_can_be_pickled() -> None:
    card = read_card("G3")
    with pytest.raises(AttributeError, match="a card can't be changed, so its value can't be set"):
        card.value = 4
    again = pickle.loads(pickle.dumps(card))  # noqa: S301 - our own
    assert (again, again.colour, again.value) == (card, card.colour, 3)
