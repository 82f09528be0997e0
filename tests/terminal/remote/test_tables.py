"""Seats, links and options at remote tables, from real terminals."""

from __future__ import annotations

import json
import random
import re
import secrets
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.joined_terminals import GAME_OVER, Terminals, play_at_random, run_command, start_two_players
from support.server import ServerProcess
from wonderland.client import http
from wonderland.client.links import read_link
from wonderland.engine import game_names
from wonderland.wire.commands import CreateTable

pytestmark = pytest.mark.slow


def test_a_seat_is_taken_over_by_a_link_that_works_once(
    people: Terminals, server: ServerProcess
) -> None:
    alice, _dinah, _ = start_two_players(people, server, "parade")
    alice.type("link\n")
    link = alice.read_until(r"This link works once: \S+\s").split()[-1]
    assert "#seat.0." in link
    phone = people.start("phone", "join", link)
    phone.read_until(r"Seat 1 is yours\.")
    phone.read_until("Alice, hand:")
    people.start("phone", "join", link).read_until(r"You are back on seat 1\.")
    thief = run_command(people.home("thief"), "join", link)
    assert thief.returncode == 2
    assert thief.stderr == "wonderland: This link has been used, or replaced by a newer one.\n"


def test_an_uninvited_visitor_watches_and_sees_no_hand(people: Terminals, server: ServerProcess) -> None:
    alice, dinah, link = start_two_players(people, server, "parade")
    for arguments, says in [
        ([link.partition("#")[0]], "The game has begun already: you watch."),
        ([link, "--watch"], "You watch."),
    ]:
        watcher = people.start("Hatter", "join", *arguments)
        shown = watcher.read_until(re.escape(says)) + watcher.read_until("turn")
        assert "hand:" not in shown
        watcher.type("1\n")
        watcher.read_until("You watch: table, log, rules, who and quit are what you can type")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(play_at_random, (alice, dinah), ("Alice", "Dinah")))
    for watcher in people.terminals[-2:]:
        watcher.read_until(r"wins \(|share the win")
        assert watcher.exit_code() == 0


def test_full_tables_and_wrong_links(people: Terminals, server: ServerProcess, tmp_path: Path) -> None:
    alice, link = people.host(server, "parade")
    address = link.partition("#")[0]
    alice.read_until(r"Waiting for players\.")
    home = tmp_path / "home"
    for arguments, sentence in [
        (["parade"], "is not the link to a table"),
        (["http://[/tables/x"], "is not the address of a server"),
        ([f"{address}#two words"], "is not whole"),
        ([f"{server.address}/tables/nosuchtable"], "There is no such table."),
        ([f"{address}#wrong", "--name", "Eve"], "To sit here, ask for the link to this table."),
        ([f"{address}#seat.0.wrong"], "This link has been used, or replaced by a newer one."),
        ([f"{address}#seat.1.wrong"], "Nobody sits on seat 2."),
        ([f"{address}#seat.15.wrong"], "Nobody sits on seat 16."),
        ([link, "--name", "Eve", "--seat", "1"], "Seat 1 is taken, or there is none of that number."),
        ([link, "--name", "Eve", "--seat", "3"], "There is no seat 3, for the table has 2."),
        ([link, "--seat", "0"], "--seat 0 is not possible: seats are counted from 1."),
        ([link], "--name says what you are called at the table."),
        ([link, "--name", "alice"], "Two seats have the same name: Alice, alice."),
        ([link, "--name", "x" * 90], "length <= 40"),
        (["http://127.0.0.1:9/tables/x"], "http://127.0.0.1:9 can't be reached: Connection refused."),
    ]:
        done = run_command(home, "join", *arguments)
        assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, ""), (arguments, done)
        assert done.stderr.startswith("wonderland: ")
        assert sentence in done.stderr
        assert "wrong" not in done.stderr
    people.join("Dinah", link)
    alice.read_until("Dinah sits on seat 2")
    full = run_command(home, "join", link, "--name", "Eve", "--seat", "2")
    assert (full.returncode, full.stderr) == (2, "wonderland: All seats are taken.\n")
    late = people.join("Eve", link)
    late.read_until(r"All seats are taken: you watch\.")
    late.read_until(r"2  Dinah")


def test_a_seat_can_be_left_before_the_game(people: Terminals, server: ServerProcess) -> None:
    alice, link = people.host(server, "letters", "--open")
    dinah = people.join("Dinah", link.partition("#")[0], "--seat", "2")
    alice.read_until("Dinah sits on seat 2")
    dinah.read_until(r"All seats are taken; start: begin the game\.")
    dinah.type("leave\n")
    dinah.read_until(r"Goodbye\.\s")
    assert dinah.exit_code() == 0
    alice.read_until(r"Dinah has left seat 2\.")
    alice.type("start\n")
    alice.read_until("The game can't begin before all seats are taken")
    alice.type("bot 2 jabberwock\n")
    alice.read_until("There is no bot called 'jabberwock'")
    alice.type("bot 2\n")
    alice.read_until(r"\w+ sits on seat 2\.")
    alice.read_until("Alice: $")
    alice.type("s\n")
    alice.read_until(r"The game begins\.")


def test_two_people_on_one_machine_have_two_seats(people: Terminals, server: ServerProcess) -> None:
    alice, link = people.host(server, "parade")
    alice.read_until(r"You sit on seat 1\.")
    people.start("Alice", "join", link, "--name", "Dinah").read_until(r"You sit on seat 2\.")
    people.start("Alice", "join", link, "--name", "alice").read_until(r"You are back on seat 1\.")
    people.start("Alice", "join", link, "--seat", "2").read_until(r"You are back on seat 2\.")


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_against_a_bot_with_piped_input(
    tmp_path: Path, server: ServerProcess, name: str
) -> None:
    rng = random.Random(name)
    typed = "start\n" + "".join(f"{rng.randint(1, 27)}\n" for _ in range(3000))
    done = run_command(
        tmp_path,
        "host",
        name,
        "--server",
        server.address,
        "--bots",
        "dodo",
        "--name",
        "Alice",
        typed=typed,
    )
    assert done.returncode == 0
    assert GAME_OVER in done.stdout
    assert done.stdout.endswith("Goodbye.\n")
    file = tmp_path / "wonderland" / "client.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (secret,) = json.loads(file.read_text())["devices"].values()
    assert secret not in done.stdout + done.stderr
    assert secret not in server.log.read_text()


def test_an_invalid_table_is_reported_in_one_sentence(tmp_path: Path, server: ServerProcess) -> None:
    for arguments, sentence in [
        (["chess"], "there is no game called 'chess'"),
        (["parade", "--seats", "9"], "Parade is for 2 to 6 players, not 9"),
        (["parade", "--bots", "queen,queen", "--seats", "2"], "2 bots leave no seat for you"),
        (["parade", "--bots", "jabberwock"], "jabberwock"),
        (["letters", "--option", "claim"], "'claim' is not a name with its value"),
        (["letters", "--option", "claim=x"], "claim is after or first."),
        (["parade", "--server", "http://127.0.0.1:9"], "http://127.0.0.1:9 can't be reached"),
        (["parade", "--server", "http://"], "is not the address of a server"),
    ]:
        done = run_command(tmp_path, "host", "--server", server.address, *arguments, "--name", "Alice")
        assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, ""), (arguments, done)
        assert sentence in done.stderr


def test_options_reach_the_table(people: Terminals, server: ServerProcess) -> None:
    _, link = people.host(server, "letters", "--option", "claim=first", "--bots", "dodo")
    table = http.get_table(read_link(link)).table
    assert (table.options, table.access) == ({"claim": "first"}, "link")
    assert [place.kind for place in table.seats][1] == "bot"


COMMITMENT = r"Fair shuffle\. The server's commitment, to compare after the game:\s+[0-9a-f]{64}\s"


def test_the_commitment_is_shown_before_the_game_and_kept(
    people: Terminals, server: ServerProcess
) -> None:
    alice, link = people.host(server, "letters")
    dinah = people.join("Dinah", link)
    watcher = people.start("Hatter", "join", link, "--watch")
    shown = [each.read_until(COMMITMENT).split()[-1] for each in (alice, dinah, watcher)]
    assert set(shown) == {http.get_table(read_link(link)).table.commitment}
    dinah.read_until("Dinah: $")
    alice.read_until("Alice: $")
    alice.type("start\n")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(play_at_random, (alice, dinah), ("Alice", "Dinah")))
    assert f" commitment={shown[0]} " in http.get_record(read_link(link))
    alice.read_until("Alice: $")
    alice.type("rematch\n")
    assert alice.read_until(COMMITMENT).split()[-1] != shown[0], "another table, another shuffle"


def test_a_tutorial_has_no_commitment_to_show(people: Terminals, server: ServerProcess) -> None:
    device = secrets.token_urlsafe(32)
    link = http.create_table(server.address, device, CreateTable(game="parade", seats=2, lesson=True))
    watcher = people.start("Hatter", "join", link.text, "--watch")
    assert "Fair shuffle" not in watcher.read_until(r"Waiting for players\.")


def test_a_name_is_asked_for_and_remembered(people: Terminals, server: ServerProcess) -> None:
    alice = people.start("Alice", "host", "parade", "--server", server.address)
    alice.read_until(r"Your name \(\S+\): $")
    alice.type("  Mock   Turtle \n")
    alice.read_until(r"1  Mock Turtle \(you\)")
    again = people.start("Alice", "host", "parade", "--server", server.address)
    again.read_until(r"Your name \(Mock Turtle\): $")
    again.type("\n")
    again.read_until(r"1  Mock Turtle \(you\)")
