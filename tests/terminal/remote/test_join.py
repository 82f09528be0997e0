"""`wonderland host` and `wonderland join` in real terminals on a real server."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.joined_terminals import Terminals, order_of_turns, play_at_random, start_two_players
from support.server import ServerProcess, run_server
from wonderland.client import http
from wonderland.client.links import read_link
from wonderland.engine import game_names, read_record

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", game_names())
def test_two_terminals_play_a_whole_game_and_a_rematch(
    people: Terminals, server: ServerProcess, name: str
) -> None:
    alice, dinah, link = start_two_players(people, server, name)
    with ThreadPoolExecutor(2) as pool:
        shown = list(pool.map(play_at_random, (alice, dinah), ("Alice", "Dinah")))
    record = read_record(http.get_record(read_link(link))).whole
    assert record.result is not None
    assert record.names == ("Alice", "Dinah")
    for each in shown:
        assert "Traceback" not in each
        assert record.result.text(record.names) in each.replace("\r\n", " ") or name == "letters"
        assert "none of the choices" not in each
    alice.read_until("Alice: $")
    alice.type("rematch\n")
    alice.read_until("You sit on seat 1")
    dinah.read_until("The table is laid again")
    dinah.read_until("Dinah: $")
    dinah.type("rematch\n")
    dinah.read_until("You sit on seat 2")
    dinah.read_until("Dinah: $")
    dinah.type("start\n")
    for terminal in (alice, dinah):
        terminal.read_until(r"The game begins\.")
        terminal.type("quit\n")
        terminal.read_until(r"Goodbye\. Your seat is kept: wonderland join http://\S+\s")
        assert terminal.exit_code() == 0


def test_the_server_is_killed_and_restarted(people: Terminals, tmp_path: Path) -> None:
    with run_server(tmp_path) as server:
        first, name, other, _ = order_of_turns(*start_two_players(people, server, "parade")[:2])
        first.read_until(f"{name}: $")
        server.kill()
        for terminal in (first, other):
            terminal.read_until(r"The connection is lost \([^)]+\): trying again\.")
        first.type("1\n")
        first.read_until(r"It is sent when the connection is back\.")
        first.type("2\n")
        first.read_until(r"has not been answered yet: wait a moment\.")
        server.start()
        for terminal in (first, other):
            shown = terminal.read_until(rf"{name} plays [A-Z]\w+ \d+")
            assert "The connection is back." in shown
            assert shown.count(f"{name} plays") == 1
        with ThreadPoolExecutor(2) as pool:
            names = (name, "Dinah" if name == "Alice" else "Alice")
            shown = list(pool.map(play_at_random, (first, other), names))
        assert all("wins (" in each or "share the win" in each for each in shown)


def test_a_player_returns_to_their_seat_in_another_process(
    people: Terminals, server: ServerProcess
) -> None:
    alice, dinah, link = start_two_players(people, server, "parade")
    first, name, other, _ = order_of_turns(alice, dinah)
    first.read_until(f"{name}: $")
    first.type("say back\nsay in a minute\n")  # the second is typed before the first is answered
    other.read_until(f"{name} says: back[^>]*{name} says: in a minute")
    first.read_until(f"{name} says: in a minute[^>]*{name}: $")
    first.type("quit\n")
    address = first.read_until(r"Your seat is kept: wonderland join \S+\s").split()[-1]
    assert address == link.partition("#")[0]
    assert first.exit_code() == 0
    again = people.start(name, "join", address)
    again.read_until(rf"You are back on seat {1 + (name == 'Dinah')}\.")
    shown = again.read_until(f"{name}: $")
    assert f"{name} says: in a minute" in shown
    assert f"{name}, hand:" in shown
    again.type("log\n")
    assert f"{name} begins." in again.read_until(f"{name}: $")
    again.type("1\n")
    other.read_until(f"{name} plays")
    again.type("\x03")
    again.read_until("Goodbye. Your seat is kept")
    assert again.exit_code() == 130


def test_proposals_bots_and_undo(people: Terminals, server: ServerProcess) -> None:
    first, name, other, its_name = order_of_turns(*start_two_players(people, server, "parade")[:2])
    first.read_until(f"{name}: $")
    seat = 1 + (its_name == "Dinah")
    first.type(f"bot {seat}\n")
    other.read_until(r"A bot plays for you now; back: play on yourself\.")
    first.read_until(f"A bot plays for {its_name} now")
    other.type("1\n")
    other.read_until(r"It is not your turn\.")
    other.type("back\n")
    other.read_until(r"You play again\.")
    first.read_until(f"{its_name} plays again")
    first.read_until(f"{name}: $")
    first.type("1\n")
    first.read_until(f"{name} draws")
    other.read_until(f"{its_name}: $")
    other.type("leave\n")
    other.read_until("Goodbye. Your seat is kept")
    assert other.exit_code() == 0
    first.read_until(f"A bot plays for {its_name} now")
    first.read_until(f"{name}: $")
    first.type("who\n")
    assert f"{its_name}, for whom a bot plays" in first.read_until(f"{name}: $")


def test_an_undo_is_refused_where_something_was_revealed(
    people: Terminals, server: ServerProcess
) -> None:
    first, name, other, _ = order_of_turns(*start_two_players(people, server, "letters")[:2])
    first.read_until(f"{name}: $")
    first.type("undo\n")
    first.read_until(r"There is nothing to take back yet\.")
    other.type("agree\n")
    other.read_until(r"Nothing has been proposed\.")
    first.type("1\n")
    first.read_until("turns card 1")
    first.type("undo\n")
    first.read_until(r"This can't be taken back: ")


def test_other_players_are_asked_and_their_answer_counts(
    people: Terminals, server: ServerProcess
) -> None:
    alice, link = people.host(server, "parade", "--seats", "3")
    dinah, carol = people.join("Dinah", link, "--seat", "2"), people.join("Carol", link, "--seat", "3")
    for terminal in (alice, dinah, carol):
        terminal.read_until(r"All seats are taken; start: begin the game\.")
    alice.type("start\n")
    for terminal in (alice, dinah, carol):
        terminal.read_until(r"The game begins\.")
    for answer, outcome in [
        ("decline", "What Alice proposed has been dropped"),
        ("agree", "A bot plays for Carol now"),
    ]:
        alice.type("bot 3\n")
        alice.read_until("You would like a bot to play for Carol")
        carol.read_until("Alice would like a bot to play for Carol")
        dinah.read_until("Type agree or decline")
        dinah.type(f"{answer}\n")
        for terminal in (alice, dinah):
            terminal.read_until(outcome)
    carol.read_until("A bot plays for you now")
    assert "Type agree" not in carol.seen


def test_invalid_input_gets_one_sentence(people: Terminals, server: ServerProcess) -> None:
    alice, dinah, _ = start_two_players(people, server, "parade")
    first, name, other, _ = order_of_turns(alice, dinah)
    for line, sentence in [
        ("frumious", "'frumious' is none of the choices; type one of 1, 2, 3, 4, 5, or help."),
        ("99", "'99' is none of the choices"),
        ("1 2", "'1 2' is none of the choices"),
        ("\x1b[31mred", "is none of the choices"),
        ("x" * 3000, "is none of the choices"),
        ("say", "Say what?"),
        ("say " + "x" * 201, "A remark has at most 200 characters, not 201."),
        ("bot", "Type bot and the number of a seat, 1 to 2, such as bot 2."),
        ("bot ²", "Type bot and the number of a seat"),
        ("bot 99999999999", "Type bot and the number of a seat"),
        ("start", "The game has begun already."),
        ("rematch", "There is a rematch when the game is over."),
        ("back", "No bot plays for this seat."),
        ("agree", "Nothing has been proposed."),
        ("", "Type the number of a choice"),
        ("help", "say TEXT"),
        ("table", "Parade, from the front"),
        ("rules", "P12"),
    ]:
        first.read_until(f"{name}: $")
        first.type(f"{line}\n")
        first.read_until(re.escape(sentence))
    other.type("frumious\n")
    other.read_until(r"'frumious' is no word that is known here; type help\.")
    other.type("R3\n")
    other.read_until(r"It is not your turn\.")
    other.type("\x04")  # end of input
    other.read_until("Goodbye")
    assert other.exit_code() == 0
