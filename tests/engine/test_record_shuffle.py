"""The Luck line of a record: kept byte for byte, opaque here, dropped when a match continues."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from wonderland.engine import Match, NotationError, Seeded, game, game_names, read_record
from wonderland.engine.match import seats_to_act
from wonderland.engine.record_reader import AnyMatch, AnyRecord

STATED = "hmac-1 table=t commitment=00 secret=11 seats=22,-"


def record_with_statement(name: str = "parade", statement: str | None = STATED) -> AnyRecord:
    match: AnyMatch = Match(game(name), ["Luck", "Hatter"], chance=Seeded(1), date="2026-11-15")
    (seat,) = seats_to_act(match.turn)
    match.play(seat, match.legal(seat)[0])
    return replace(match.record, shuffle_statement=statement)


@pytest.mark.parametrize("name", game_names())
def test_it_is_last_in_the_header_and_round_trips_byte_for_byte(name: str) -> None:
    record = record_with_statement(name)
    text = record.text()
    assert f"\nLuck: {STATED}\n\nStart: " in text
    again = read_record(text.encode()).whole
    assert again.shuffle_statement == STATED
    assert again.text() == text
    assert record_with_statement(name, statement=None).text() == text.replace(f"Luck: {STATED}\n", "", 1)


def test_it_follows_the_given_outcomes() -> None:
    match: AnyMatch = Match(game("parade"), 2, given={"start": [game("parade").read("seat2")]})
    text = replace(match.record, shuffle_statement=STATED).text()
    assert f"Given: start=seat2\nLuck: {STATED}\n" in text
    assert read_record(text).whole.text() == text


@given(st.text(st.characters(exclude_characters="#"), min_size=1, max_size=60))
def test_what_can_be_written_round_trips_and_the_rest_is_rejected(said: str) -> None:
    record = record_with_statement(statement=said)
    if said.isprintable() and said == said.strip():
        assert read_record(record.text()).whole.shuffle_statement == said
    else:
        with pytest.raises(NotationError, match="isn't allowed: use one line of 1 to 1000"):
            record.text()


@pytest.mark.parametrize("said", ["", "a#b", "a\nStart: seat1", " a", "a ", "a\tb", "x" * 1001])
def test_values_that_would_not_round_trip_are_never_written(said: str) -> None:
    with pytest.raises(NotationError, match=r"the statement about the shuffle .* isn't allowed"):
        record_with_statement(statement=said).text()


def test_values_up_to_the_size_limit_are_kept() -> None:
    assert (
        read_record(record_with_statement(statement="x" * 1000).text()).whole.shuffle_statement
        == "x" * 1000
    )


@pytest.mark.parametrize(
    ("line", "column", "sentence"),
    [
        ("Luck:", 6, "the statement about the shuffle '' isn't allowed"),
        ("Luck: a\tb", 7, "printable characters without '#'"),
        (f"Luck: {'x' * 1001}", 7, "use one line of 1 to 1000"),
        ("Luck: a\nLuck: b", 7, "Luck is in the header twice."),
    ],
)
def test_an_error_in_it_is_reported(line: str, column: int, sentence: str) -> None:
    fault = read_record(f"Game: parade\nRules: 1\nSeats: A, B\n{line}\n\nStart: seat1\n").fault
    assert fault is not None
    assert (fault.line, fault.column) == (4 + line.count("\n"), column)
    assert sentence in fault.sentence


def test_a_trailing_comment_is_not_part_of_it() -> None:
    text = record_with_statement().text().replace(STATED, f"{STATED}   # as the table said")
    assert read_record(text).whole.shuffle_statement == STATED


def test_a_broken_record_keeps_it() -> None:
    reading = read_record(record_with_statement().text() + "Hatter: Q7\n")
    assert reading.fault is not None
    assert reading.record is not None
    assert reading.record.shuffle_statement == STATED


def test_a_continued_match_drops_it_because_later_moves_may_have_another_source() -> None:
    record = record_with_statement()
    for match in (
        Match.resume(record),
        Match.resume(record, chance=Seeded(9)),
        Match.resume(record, upto=4),
    ):
        assert match.record.shuffle_statement is None
