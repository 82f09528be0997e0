"""Records as text: what is read, what is rejected and where, and that nothing breaks the reader."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.engine import Match, NotationError, Seeded, game, game_names, read_record
from wonderland.engine.match import seats_to_act
from wonderland.games.parade import GAME
from wonderland.games.parade.rules.components import DECK


def whole_play(name: str = "parade", seats: int = 2, seed: int = 1) -> str:
    match: Any = Match(game(name), ["Alice", "Hatter", "Hare", "Dodo"][:seats], chance=Seeded(seed))
    rng = random.Random(seed)
    while waiting := seats_to_act(match.turn):
        match.play(waiting[0], rng.choice(match.legal(waiting[0])))
    text: str = match.record.text()
    return text


TEXT = whole_play()
LINES = TEXT.split("\n")
FIRST_MOVE = next(n for n, line in enumerate(LINES) if n > 5 and line.startswith("Parade")) + 1


def error_in(text: str | bytes) -> tuple[int, int, str]:
    fault = read_record(text).fault
    assert fault is not None
    assert str(fault) == f"line {fault.line}, column {fault.column}: {fault.sentence}"
    return fault.line, fault.column, fault.sentence


def test_a_record_round_trips_byte_for_byte() -> None:
    assert read_record(TEXT).whole.text() == TEXT
    assert read_record(TEXT.encode()).whole.text() == TEXT
    assert read_record(b"\xef\xbb\xbf" + TEXT.encode()).whole.text() == TEXT


def test_handwritten_records_may_be_less_tidy() -> None:
    untidy = (
        TEXT.replace("Alice: ", "  alice :   ")
        .replace("Game:", "# by hand\nGAME :")
        .replace("\n", "\r\n")
    )
    untidy = untidy.replace("Start:", "# now it begins\n\nstart:")
    assert read_record(untidy).whole.text() == TEXT


def test_headings_may_be_omitted_where_the_actor_is_clear() -> None:
    moves = TEXT[TEXT.index("Start:") :]
    bare = TEXT.replace(moves, "\n".join(line.partition(": ")[2] for line in moves.split("\n")))
    reading = read_record(bare)
    assert reading.record is not None
    assert error_in(bare)[2].endswith("but expected a line for Alice, Hatter.")
    assert len(reading.record.moves) == len(read_record(TEXT).whole.moves) - 2


def test_the_result_may_be_omitted_but_not_wrong() -> None:
    result = next(line for line in LINES if line.startswith("Result"))
    assert read_record(TEXT.replace(result + "\n", "")).whole.text() == TEXT
    line, column, sentence = error_in(TEXT.replace(result, "Result: Queen wins (0 0)"))
    assert (line, column) == (LINES.index(result) + 1, 9)
    assert "'Queen wins (0 0)'" in sentence
    assert sentence.endswith(f", but the moves lead to '{result[8:]}'.")
    cut = "\n".join(LINES[:-4]) + "\n"
    assert "but the moves lead to 'unfinished'" in error_in(cut)[2]


def test_a_record_that_stops_early_is_partial() -> None:
    match = Match(GAME, 2, chance=Seeded(1))
    assert "Result: unfinished" in match.record.text()
    assert read_record(match.record.text()).whole.text() == match.record.text()
    empty = read_record("Game: parade\nRules: 1\nSeats: A, B").whole
    assert empty.moves == ()
    assert read_record(empty.text()).whole == empty


def with_line(line: int, text: str) -> str:
    return "\n".join([*LINES[:line], text, *LINES[line + 1 :]])


def test_a_broken_record_gives_the_play_up_to_the_error() -> None:
    broken = with_line(FIRST_MOVE + 4, "Alice: R3 X9")
    reading = read_record(broken)
    assert reading.record is not None
    assert reading.record.moves == read_record(TEXT).whole.moves[: len(reading.record.moves)]
    assert 17 <= len(reading.record.moves) < 40
    with pytest.raises(NotationError, match=f"line {FIRST_MOVE + 5}"):
        _ = reading.whole


def test_each_error_gives_its_place_and_what_was_expected() -> None:
    mover, _, words = LINES[FIRST_MOVE].partition(": ")
    other = "Hatter" if mover == "Alice" else "Alice"
    card = words.split()[0]
    hand = [
        word for line in LINES[:FIRST_MOVE] if line.startswith(f"{mover}:") for word in line.split()[1:]
    ]
    elsewhere = next(str(other) for other in DECK if f"+{other}" not in hand)
    at = FIRST_MOVE + 1
    column = len(mover) + 3
    assert error_in(with_line(FIRST_MOVE, f"{other}: {words}")) == (
        at,
        1,
        f"found '{other}', but expected a line for {mover}.",
    )
    where, column_found, sentence = error_in(with_line(FIRST_MOVE, f"{mover}: Q7"))
    assert (where, column_found) == (at, column)
    assert sentence.startswith("'Q7' isn't a card")
    assert all(word[1:] in sentence.partition("Expected here: ")[2] for word in hand)
    assert error_in(with_line(FIRST_MOVE, f"{mover}: {elsewhere}"))[2].startswith(
        f"{elsewhere} isn't allowed here: {mover} doesn't have"
    )
    line, column_found, sentence = error_in(with_line(FIRST_MOVE, f"{mover}: {words} R1"))
    assert (line, column_found) == (at, column + len(words) + 1)
    assert sentence == f"found 'R1', but expected a line for {other}."
    assert error_in(TEXT + "Alice: R1")[2] == "found 'Alice', but the game is already over."
    assert error_in(TEXT + "R1")[2] == "found 'R1', but the game is already over."
    assert error_in(with_line(FIRST_MOVE, f"{mover}: {card} +{card}"))[2].count("…") == 1


@pytest.mark.parametrize(
    ("text", "where", "sentence"),
    [
        ("", (1, 1), "the header has no line for Game, such as 'Game: parade'."),
        ("Alice: R3", (1, 1), "the header has no line for Game"),
        ("Game: chess", (1, 7), "there is no game called 'chess'"),
        ("Game: parade\nGame: parade", (2, 7), "Game is in the header twice."),
        ("Game: parade", (2, 1), "the header has no line for Rules, such as 'Rules: 1'."),
        (
            "Game: parade\nRules:  7",
            (2, 9),
            "version '7' of the rules of Parade, but this program",
        ),
        ("Game: parade\nRules: 1", (3, 1), "the header has no line for Seats"),
        ("Game: parade\nRules: 1\nSeats: A, A", (3, 8), "two seats have the same name"),
        ("Game: parade\nRules: 1\nSeats: A", (3, 8), "Parade is for 2 to 6 players, not 1"),
        (
            "Game: parade\nRules: 1\nSeats: A, B\nOptions: x",
            (4, 10),
            "'x' isn't a name with a value",
        ),
        (
            "Game: letters\nRules: 1\nSeats: A, B\nOptions: claim=x",
            (4, 10),
            "claim must be one of after, first",
        ),
        ("Game: letters\nRules: 1\nSeats: A, B\nOptions: colours=red,blue,green", (3, 8), "(rule L3)"),
        (
            "Game: parade\nRules: 1\nSeats: A, B\nDate: today",
            (4, 7),
            "the date 'today' isn't written like",
        ),
        ("Game: parade\nRules: 1\nSeats: A, B\nGiven: card=Q1", (4, 8), "'Q1' isn't a card"),
        ("Game: parade\nRules: 1\nSeats: A, B\n\nStart: 5", (5, 8), "Expected here: seat1, seat2."),
    ],
)
def test_an_error_in_the_header_is_reported(text: str, where: tuple[int, int], sentence: str) -> None:
    line, column, found = error_in(text)
    assert (line, column) == where
    assert sentence in found
    assert found.endswith(".")


def test_invalid_utf_8_is_reported_at_its_place() -> None:
    reading = read_record(TEXT[:150].encode() + b"\xff\xfe" + TEXT[150:].encode())
    assert reading.fault is not None
    assert reading.fault.sentence == "the byte 0xff isn't valid UTF-8 text."
    assert reading.fault.line == TEXT[:150].count("\n") + 1
    assert reading.record is not None


def test_given_outcomes_are_kept_and_continue_to_apply() -> None:
    match = Match(GAME, 3, chance=Seeded(4), given={"card": DECK[::2], "card.parade": DECK[1:12:2]})
    text = match.record.text()
    given = [line for line in text.split("\n") if line.startswith("Given:")]
    assert len(given) == 2
    assert all(len(line) <= 105 or line.count("=") == 1 for line in given)
    again = read_record(text).whole
    assert again.text() == text
    resumed: Any = Match.resume(again, chance=Seeded(99))
    (seat,) = seats_to_act(resumed.turn)
    resumed.play(seat, resumed.legal(seat)[0])
    assert DECK[30] in resumed.state.hands[seat]


def test_a_contradiction_of_given_outcomes_is_reported_with_them() -> None:
    text = "Game: parade\nRules: 1\nSeats: A, B\nGiven: start=seat2\n\nStart: seat1"
    assert error_in(text) == (6, 8, "seat1 isn't allowed here: the record gives seat2 here.")


@pytest.mark.parametrize(
    ("name", "names"),
    [
        ("parade", ["Alice", "Parade"]),
        ("parade", ["Start", "Alice"]),
        ("cookies", ["Alice", "Cookie"]),
        ("cookies", ["Start", "Cookie"]),
        ("letters", ["Start", "Alice"]),
    ],
)
def test_a_seat_may_have_the_name_of_a_chance_heading(name: str, names: list[str]) -> None:
    match: Any = Match(game(name), names, chance=Seeded(1))
    while waiting := seats_to_act(match.turn):
        match.play(waiting[0], match.legal(waiting[0])[0])
    text = match.record.text()
    assert read_record(text).whole.text() == text


def test_long_words_are_read_quickly() -> None:
    for data in (b"A" * 300_000 + b"\n\xff", b"A" * 300_000 + b"\xff", TEXT.encode() + b"B" * 300_000):
        fault = read_record(data).fault
        assert fault is not None
        assert len(fault.sentence) < 250


def test_a_record_can_start_with_a_chosen_deal_and_continue_at_random() -> None:
    text = "Game: parade\nRules: 1\nSeats: A, B\n\nStart: seat2\nA: +R0 +R1 +R2 +R3 +R4\nB: +B0 +B1"
    match: Any = Match.resume(read_record(text).whole, chance=Seeded(1))
    assert match.state.hands[0] == DECK[:5]
    assert set(DECK[11:13]) <= set(match.state.hands[1])
    assert seats_to_act(match.turn) == (1,)


@given(st.binary(max_size=300))
def test_arbitrary_bytes_do_not_break_the_reader(data: bytes) -> None:
    reading = read_record(data)
    assert reading.fault is not None or reading.record is not None


PLAYS = {name: whole_play(name, seats=2 + seed % 2, seed=seed) for seed, name in enumerate(game_names())}


@given(st.data())
def test_corruption_does_not_break_the_reader(data: st.DataObject) -> None:
    """Take a real record, and cut, repeat or overwrite some of it."""
    text = PLAYS[data.draw(st.sampled_from(sorted(PLAYS)))].encode()
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 60, len(text))))
        piece = data.draw(st.one_of(st.binary(max_size=12), st.just(text[start:end] * 2), st.just(b"")))
        text = text[:start] + piece + text[end:]
    reading = read_record(text)
    if reading.fault is None:
        again = read_record(reading.whole.text()).whole
        assert again.moves == reading.whole.moves
    elif reading.record is not None:
        Match.resume(reading.record)


@given(st.text(max_size=40))
def test_arbitrary_words_do_not_break_the_notation_reader(word: str) -> None:
    for name in game_names():
        try:
            game(name).read(word)
        except NotationError as error:
            assert str(error).endswith(".")  # noqa: PT017 - most words are rejected, a few may not be
