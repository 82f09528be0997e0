"""Matches: playing, seeded and given chance outcomes, undo, and what a seat witnessed."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine import (
    CHANCE,
    Acting,
    Chance,
    IllegalAction,
    Match,
    NotationError,
    Over,
    Seeded,
    UsageError,
    game,
)
from wonderland.engine.match import seats_to_act
from wonderland.engine.record_reader import AnyMatch
from wonderland.games.parade import GAME
from wonderland.games.parade.rules.components import DECK
from wonderland.games.parade.rules.events import CardDrawn
from wonderland.games.parade.rules.state import StartWith


def play_match(seed: int, decisions: int, seats: int = 3) -> Match:
    match = Match(GAME, seats, chance=Seeded(seed), date="2026-11-15")
    rng = random.Random(seed)
    while match.decisions < decisions and (seats_acting := seats_to_act(match.turn)):
        seat = seats_acting[0]
        match.play(seat, rng.choice(match.legal(seat)))
    return match


def test_seats_without_names_are_numbered() -> None:
    assert Match(GAME, 2).names == ("Player 1", "Player 2")


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        (["A", ""], "use 1 to 40 characters"),
        (["A", " B"], "single spaces between words"),
        (["A", "B  C"], "single spaces between words"),
        (["A", "x" * 41], "1 to 40 characters"),
        (["A", "B: C"], "it contains ':'"),
        (["A", "B#"], "it contains '#'"),
        (["A", "B\x07"], "it contains"),
        (["Alice", "alice"], "two seats have the same name: Alice, alice"),
    ],
)
def test_names_that_would_not_round_trip_are_rejected(names: list[str], complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        Match(GAME, names)


def test_the_same_seed_gives_the_same_play() -> None:
    assert play_match(3, 20).record == play_match(3, 20).record
    assert play_match(3, 20).record != play_match(4, 20).record


def test_without_a_seed_the_match_waits_for_chance_outcomes() -> None:
    match = Match(GAME, 2)
    assert isinstance(match.turn, Chance)
    match.decide(StartWith(1))
    for card in DECK[:16]:
        match.decide(card)
    assert match.turn == Acting((1,))
    with pytest.raises(IllegalAction):
        match.decide(DECK[20])


@given(seed=st.integers(0, 1000), decisions=st.integers(1, 40), back=st.integers(1, 10))
def test_undo_rereads_the_record_up_to_an_earlier_point(seed: int, decisions: int, back: int) -> None:
    match = play_match(seed, decisions)
    made = match.decisions
    back = min(back, made)
    match.undo(back)
    assert match.decisions == made - back
    earlier = play_match(seed, made - back) if made > back else Match(GAME, 3, chance=Seeded(seed))
    assert match.state == earlier.state
    assert match.moves == earlier.moves
    assert match.events == earlier.events


def test_undoing_more_than_was_played_is_rejected() -> None:
    match = play_match(1, 2)
    for wrong in (0, 3, -1):
        with pytest.raises(UsageError, match="only 2 have been made"):
            match.undo(wrong)


def test_a_match_continues_after_an_undo() -> None:
    match = play_match(2, 5)
    match.undo(2)
    while seats := seats_to_act(match.turn):
        match.play(seats[0], match.legal(seats[0])[0])
    assert isinstance(match.turn, Over)
    assert Match.resume(match.record).state == match.state


def test_a_resumed_match_continues_with_its_seed() -> None:
    match = play_match(2, 5)
    cut = Match.resume(match.record, upto=3)
    assert isinstance(cut.turn, Chance)
    assert len(cut.moves) == 3
    assert isinstance(Match.resume(cut.record, chance=Seeded(1)).turn, Acting)


def test_given_outcomes_precede_seeded_ones() -> None:
    given_cards = {"start": [StartWith(2)], "card": DECK[10:13], "card.parade": DECK[:6]}
    for seed in range(20):
        match = Match(GAME, 3, chance=Seeded(seed), given=given_cards)
        assert match.state.stage.seat == 2
        assert set(DECK[10:13]) <= set(match.state.hands[0])
        assert match.state.parade == DECK[:6]


def test_seeded_outcomes_cannot_contradict_given_ones() -> None:
    match = Match(GAME, 2, given={"start": [StartWith(1)]})
    assert match.moves[0].action == StartWith(1)
    match.rewind(0)
    with pytest.raises(IllegalAction, match="seat1 isn't allowed here: the record gives seat2 here"):
        match.decide(StartWith(0))


def test_given_outcomes_cannot_run_out_silently() -> None:
    with pytest.raises(UsageError, match="nothing is left for card"):
        Match(GAME, 2, chance=Seeded(1), given={"card.parade": DECK})
    with pytest.raises(ValueError, match="there is no number below 0"):
        Seeded(1).below(0, "card")


def test_only_existing_streams_can_be_given() -> None:
    with pytest.raises(NotationError, match="'crd' can't be set in advance"):
        Match(GAME, 2, given={"crd": DECK})


@pytest.mark.parametrize("day", ["yesterday", "2026-99-99", "20261115", "\u0662026-11-15"])
def test_a_nonexistent_date_is_rejected(day: str) -> None:
    with pytest.raises(NotationError, match="isn't written like 2026-11-15"):
        Match(GAME, 2, date=day)


def test_a_match_can_be_viewed_before_an_event() -> None:
    match = play_match(3, 12)
    for place, event in enumerate(match.events):
        earlier = match.before(place)
        assert len(earlier.events) <= place
        assert (
            event
            in GAME.apply(
                earlier.state,
                match.moves[len(earlier.moves)].actor,
                match.moves[len(earlier.moves)].action,
            ).events
        )


def test_a_seat_witnesses_what_it_saw() -> None:
    match = play_match(6, 9)
    for seat in (0, 1, 2, None):
        draws = [event for event in match.events_seen_by(seat) if isinstance(event, CardDrawn)]
        assert len(draws) == 9
        assert {event.seat for event in draws if event.card in DECK} == ({seat} - {None})


def test_an_unwitnessed_event_is_left_out() -> None:
    class Blind(type(GAME)):  # type: ignore[misc] # a subclass of the game that shows less
        @staticmethod
        def witness(event: object, seat: int | None) -> object:
            return None if seat is None else event

    match = Match(Blind(), 2, chance=Seeded(1))
    assert match.events_seen_by(None) == ()
    assert match.events_seen_by(0) == tuple(match.events)


def test_chance_is_not_a_seat() -> None:
    assert seats_to_act(Chance((1,), "spin")) == ()
    assert sum(move.actor is CHANCE for move in play_match(1, 0).moves) == 1 + 15 + 6


@pytest.mark.parametrize("name", ["parade", "letters", "cookies"])
def test_a_match_works_with_any_game(name: str) -> None:
    match: Match = Match(game(name), 2, chance=Seeded(9))
    while seats := seats_to_act(match.turn):
        match.play(seats[0], match.legal(seats[0])[0])
    assert match.record.result is not None


@pytest.mark.parametrize("given_cards", [{}, {"card": DECK[10:30]}])
def test_the_predicted_successor_matches_the_played_one(given_cards: dict[str, Any]) -> None:
    match = Match(GAME, 2, chance=Seeded(7), given=given_cards)
    while not isinstance(match.turn, Over):
        seat = seats_to_act(match.turn)[0]
        action, text = match.legal(seat)[-1], match.record.text()
        after = match.after(seat, action, Seeded(len(match.moves)))
        assert match.record.text() == text, "this one does not change"
        played = match.fork(Seeded(len(match.moves)))
        played.play(seat, action)
        assert after.record.text() == played.record.text()
        assert after.events == played.events
        assert after.before_move(len(match.moves)) == len(match.events)
        match = after
    assert match.before_move(0) == 0


def test_what_was_revealed_comes_again_after_taking_back() -> None:
    match = Match(GAME, 2, chance=Seeded(3))
    rng = random.Random(3)
    for _ in range(6):
        (seat,) = seats_to_act(match.turn)
        match.play(seat, rng.choice(match.legal(seat)))
    before, drawn = len(match.moves), [move.action for move in match.moves if move.actor is CHANCE]
    first = next(number for number, move in enumerate(match.moves) if move.actor is not CHANCE)
    match.take_back(first)
    match.chance = Seeded(4)  # another shuffle: it is asked only when everything has come again
    assert match.next_draw() is None, "it is a seat's turn"
    while len(match.moves) < before:
        (seat,) = seats_to_act(match.turn)
        match.play(seat, match.legal(seat)[-1])
    again = [move.action for move in match.moves if move.actor is CHANCE]
    assert again[: len(drawn)] == drawn[: len(again)]


def test_other_streams_of_a_pool_leave_out_what_was_revealed() -> None:
    letters = game("letters")
    match: AnyMatch = Match(letters, 2, chance=Seeded(1))
    (seat,) = seats_to_act(match.turn)
    kept = len(match.moves)
    match.play(seat, letters.read("5"))
    shown = match.moves[kept + 1].action
    match.take_back(kept)
    match.chance = None
    (seat,) = seats_to_act(match.turn)
    match.play(seat, letters.read("7"))
    turn = match.turn
    assert isinstance(turn, Chance)
    assert shown in turn.outcomes
    assert shown not in match.available(turn).outcomes
    assert match.next_draw() == ("space.7", len(turn.outcomes) - 1)
    match.revealed = {"space.5": turn.outcomes}  # if nothing were left, everything would be possible
    assert match.available(turn) == turn


def test_an_outcome_that_is_no_longer_possible_is_drawn() -> None:
    letters = game("letters")
    match: AnyMatch = Match(letters, 2, chance=Seeded(1))
    (seat,) = seats_to_act(match.turn)
    gone = letters.read("seat1")  # never under a card
    match.revealed = {"space.5": (gone,)}
    match.play(seat, letters.read("5"))
    assert match.moves[-1].action != gone
