"""`wonderland host` and `wonderland join` in real terminals on a real server."""

from __future__ import annotations

import itertools
import re
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.joined_terminals import Terminals, order_of_turns, play_at_random, start_two_players
from support.server import ServerProcess, run_server
from wonderland.client import http
from wonderland.client.links import read_link
from wonderland.engine import game_names, read_record
from wonderland.wire.commands import CreateTable

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
        assert "one of the choices" not in each
    alice.read_until("Alice: $")
    alice.type("rematch\n")
    alice.read_until("You're in seat 1")
    dinah.read_until("The rematch is ready")
    dinah.read_until("Dinah: $")
    dinah.type("rematch\n")
    dinah.read_until("You're in seat 2")
    dinah.read_until("Dinah: $")
    dinah.type("start\n")
    for terminal in (alice, dinah):
        terminal.read_until(r"The game starts\.")
        terminal.type("quit\n")
        terminal.read_until(r"Goodbye\. .*wonderland join http://\S+\s")
        assert terminal.exit_code() == 0


def test_the_server_is_killed_and_restarted(people: Terminals, tmp_path: Path) -> None:
    with run_server(tmp_path) as server:
        first, name, other, _ = order_of_turns(*start_two_players(people, server, "parade")[:2])
        first.read_until(f"{name}: $")
        server.kill()
        for terminal in (first, other):
            terminal.read_until(r"Connection lost \([^)]+\)\. Reconnecting")
        first.type("1\n")
        first.read_until(r"We'll send it as soon as you're connected again\.")
        first.type("2\n")
        first.read_until(r"hasn't been answered yet\.")
        server.start()
        for terminal in (first, other):
            shown = terminal.read_until(rf"{name} plays [A-Z]\w+ \d+")
            assert "You're connected again." in shown
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
    address = first.read_until(r"We'll keep your seat\. .*wonderland join \S+\s").split()[-1]
    assert address == link.partition("#")[0]
    assert first.exit_code() == 0
    again = people.start(name, "join", address)
    again.read_until(rf"You're back in seat {1 + (name == 'Dinah')}\.")
    shown = again.read_until(f"{name}: $")
    assert f"{name} says: in a minute" in shown
    assert f"{name}'s hand:" in shown
    again.type("log\n")
    assert f"{name} goes first." in again.read_until(f"{name}: $")
    again.type("1\n")
    other.read_until(f"{name} plays")
    again.type("\x03")
    again.read_until(r"Goodbye\. .*wonderland join")
    assert again.exit_code() == 130


def test_a_bot_plays_for_a_player_who_left_until_they_return(
    people: Terminals, server: ServerProcess
) -> None:
    alice, dinah, link = start_two_players(people, server, "parade")
    first, name, other, its_name = order_of_turns(alice, dinah)
    first.read_until(f"{name}: $")
    first.type(f"bot {1 + (its_name == 'Dinah')}\n")
    first.read_until(f"{its_name} is here")
    first.read_until(f"{name}: $")
    first.type("1\n")
    first.read_until(f"{name} draws")
    other.read_until(f"{its_name}: $")
    other.type("leave\n")
    other.read_until(r"Goodbye\. .*wonderland join")
    assert other.exit_code() == 0
    first.read_until(f"A bot is standing in for {its_name}")
    first.read_until(f"{name}: $")
    first.type("who\n")
    assert f"{its_name} (a bot is standing in" in first.read_until(f"{name}: $")
    again = people.start(its_name, "join", link.partition("#")[0])
    again.read_until(r"A bot is standing in for you\. Type back")
    again.type("1\n")
    again.read_until(r"It isn't your turn\.")
    again.type("back\n")
    again.read_until(r"You're playing again\.")
    first.read_until(f"{its_name} is playing again")


def test_an_undo_is_refused_where_something_was_revealed(
    people: Terminals, server: ServerProcess
) -> None:
    first, name, other, _ = order_of_turns(*start_two_players(people, server, "letters")[:2])
    first.read_until(f"{name}: $")
    first.type("undo\n")
    first.read_until(r"nothing to take back yet\.")
    other.type("agree\n")
    other.read_until(r"no request to answer\.")
    first.type("1\n")
    first.read_until("turns card 1")
    first.type("undo\n")
    first.read_until(r"can't take this back")


def test_a_bot_may_play_for_somebody_who_has_been_away(people: Terminals, server: ServerProcess) -> None:
    table = CreateTable(game="parade", seats=3, away=10)
    link = http.create_table(server.address, secrets.token_urlsafe(32), table).text
    alice, dinah, carol = (
        people.join(name, link, "--seat", str(seat))
        for seat, name in enumerate(("Alice", "Dinah", "Carol"), start=1)
    )
    for terminal in (alice, dinah, carol):
        terminal.read_until(r"All seats are taken\. Type start")
    alice.type("start\n")
    for terminal in (alice, dinah, carol):
        terminal.read_until(r"The game starts\.")
    carol.type("quit\n")
    assert carol.exit_code() == 0
    done, refused = "A bot is standing in for Carol", r"Carol (may be back|is here)"
    alice.type("bot 3\n")
    while not alice.read_until(f"{done}|{refused}").endswith(done):
        time.sleep(0.5)
        alice.type("bot 3\n")
    dinah.read_until(done)


def test_the_other_player_is_asked_about_an_undo(people: Terminals, server: ServerProcess) -> None:
    first, name, other, its_name = order_of_turns(*start_two_players(people, server, "parade")[:2])
    players = itertools.cycle([(first, name), (other, its_name)])
    while True:  # until both choose what to keep, without seeing each other's choice
        terminal, player = next(players)
        if "  keep " in terminal.read_until(f"{player}: $"):
            break
        terminal.type("1\n")
    partner, _ = next(players)
    terminal.type("1\n")
    for answer, outcome in [("decline", "has been dropped"), ("agree", "The last move was taken back")]:
        terminal.type("undo\n")
        partner.read_until(f"{player} would like to take back the last move")
        partner.read_until("Type agree or decline")
        partner.type(f"{answer}\n")
        for each in (terminal, partner):
            each.read_until(outcome)


def test_invalid_input_gets_one_sentence(people: Terminals, server: ServerProcess) -> None:
    alice, dinah, _ = start_two_players(people, server, "parade")
    first, name, other, _ = order_of_turns(alice, dinah)
    for line, sentence in [
        ("frumious", "'frumious' isn't one of the choices. Type 1, 2, 3, 4, 5, or help."),
        ("99", "'99' isn't one of the choices"),
        ("1 2", "'1 2' isn't one of the choices"),
        ("\x1b[31mred", "isn't one of the choices"),
        ("x" * 3000, "isn't one of the choices"),
        ("say", "Type your message after say"),
        ("say " + "x" * 201, "at most 200 characters; yours has 201."),
        ("bot", "Type a seat number from 1 to 2 after bot, for example: bot 2"),
        ("bot ²", "Type a seat number from 1 to 2"),
        ("bot 99999999999", "Type a seat number from 1 to 2"),
        ("start", "The game has already started."),
        ("rematch", "You can have a rematch once the game is over."),
        ("back", "No bot is playing for this seat."),
        ("agree", "There's no request to answer."),
        ("", "To choose, type a number"),
        ("help", "say TEXT"),
        ("table", "The parade, from front to end"),
        ("rules", "P12"),
    ]:
        first.read_until(f"{name}: $")
        first.type(f"{line}\n")
        first.read_until(re.escape(sentence))
    other.type("frumious\n")
    other.read_until(r"There's no command 'frumious'\. Type help")
    other.type("R3\n")
    other.read_until(r"It isn't your turn\.")
    other.type("\x04")  # end of input
    other.read_until("Goodbye")
    assert other.exit_code() == 0
