"""`wonderland host` and `wonderland join` in real terminals at a real server."""

from __future__ import annotations

import json
import os
import random
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pseudo_terminal import Terminal
from serving import Served, serving
from wonderland.client import calls
from wonderland.client.links import read_link
from wonderland.core import game_names, read_record

OVER = "Type rematch to play again, or quit"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("server")) as served:
        yield served


class People:
    """Terminals of people, each with a data folder of its own; all are closed at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.terminals: list[Terminal] = []

    def home(self, name: str) -> Path:
        return self.folder / name

    def start(self, name: str, *arguments: str) -> Terminal:
        terminal = Terminal(*arguments, XDG_DATA_HOME=str(self.home(name)), TERM="dumb")
        self.terminals.append(terminal)
        return terminal

    def host(self, server: Served, game: str, *arguments: str) -> tuple[Terminal, str]:
        """Alice lays a table; gives her terminal and the link."""
        alice = self.start(
            "Alice", "host", game, "--server", server.address, "--name", "Alice", *arguments
        )
        shown = alice.read_until(r"The link to share: \S+\s")
        return alice, shown.split()[-1]

    def join(self, name: str, link: str, *arguments: str) -> Terminal:
        return self.start(name, "join", link, "--name", name, *arguments)


@pytest.fixture
def people(tmp_path: Path) -> Iterator[People]:
    there = People(tmp_path)
    yield there
    for terminal in there.terminals:
        terminal.close()


def two(people: People, server: Served, game: str) -> tuple[Terminal, Terminal, str]:
    """Alice and Dinah at a table where the game has begun."""
    alice, link = people.host(server, game)
    dinah = people.join("Dinah", link)
    alice.read_until(r"Dinah sits on seat 2\.")
    dinah.read_until("Dinah: $")
    alice.read_until("Alice: $")
    alice.type("s\n")
    for terminal in (alice, dinah):
        terminal.read_until(r"The game begins\.")
    return alice, dinah, link


def run(home: Path, *arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """The command with its input from a pipe."""
    done = subprocess.run(
        [sys.executable, "-m", "wonderland", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        env=os.environ | {"XDG_DATA_HOME": str(home)},
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


def choices(shown: str) -> list[str]:
    """What can be typed, as the last choices that were shown say it."""
    if "Your choice: " in shown:
        return re.findall(r"\d+", shown.rpartition("Your choice: ")[2].partition("\n")[0])
    return re.findall(r"^ {1,2}(\d{1,2})  \S", shown.rpartition(" turn")[2], flags=re.MULTILINE)


def play(terminal: Terminal, name: str) -> str:
    """Play at random to the end; gives all that was shown."""
    rng, whole = random.Random(name), ""
    while True:
        shown = terminal.read_until(rf"{name}: $|{OVER}")
        whole += shown
        if shown.endswith(OVER):
            return whole
        terminal.type(f"{rng.choice(choices(shown) or ['1'])}\n")


def turn_of(alice: Terminal, dinah: Terminal) -> tuple[Terminal, str, Terminal, str]:
    """Whose turn it is after the start, and the other."""
    shown = alice.read_until(r"(Alice|Dinah) begins\.")
    if shown.endswith("Alice begins."):
        return alice, "Alice", dinah, "Dinah"
    return dinah, "Dinah", alice, "Alice"


@pytest.mark.parametrize("name", game_names())
def test_two_terminals_play_a_whole_game_and_another(people: People, server: Served, name: str) -> None:
    alice, dinah, link = two(people, server, name)
    with ThreadPoolExecutor(2) as pool:
        shown = list(pool.map(play, (alice, dinah), ("Alice", "Dinah")))
    record = read_record(calls.record(read_link(link))).whole
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


def test_the_server_is_killed_and_comes_back(people: People, tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        first, name, other, _ = turn_of(*two(people, server, "parade")[:2])
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
            shown = list(pool.map(play, (first, other), names))
        assert all("wins (" in each or "share the win" in each for each in shown)


def test_one_comes_back_to_ones_seat_with_another_process(people: People, server: Served) -> None:
    alice, dinah, link = two(people, server, "parade")
    first, name, other, _ = turn_of(alice, dinah)
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


def test_proposals_bots_and_taking_back(people: People, server: Served) -> None:
    first, name, other, its_name = turn_of(*two(people, server, "parade")[:2])
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


def test_an_undo_is_refused_where_something_was_learnt(people: People, server: Served) -> None:
    first, name, other, _ = turn_of(*two(people, server, "letters")[:2])
    first.read_until(f"{name}: $")
    first.type("undo\n")
    first.read_until(r"There is nothing to take back yet\.")
    other.type("agree\n")
    other.read_until(r"Nothing has been proposed\.")
    first.type("1\n")
    first.read_until("turns card 1")
    first.type("undo\n")
    first.read_until(r"This can't be taken back: ")


def test_others_are_asked_and_their_answer_counts(people: People, server: Served) -> None:
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


def test_nonsense_gets_one_sentence(people: People, server: Served) -> None:
    alice, dinah, _ = two(people, server, "parade")
    first, name, other, _ = turn_of(alice, dinah)
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
    other.type("\x04")  # the end of input
    other.read_until("Goodbye")
    assert other.exit_code() == 0


def test_a_seat_is_taken_over_by_a_link_that_works_once(people: People, server: Served) -> None:
    alice, _dinah, _ = two(people, server, "parade")
    alice.type("link\n")
    link = alice.read_until(r"This link works once: \S+\s").split()[-1]
    assert "#seat.0." in link
    phone = people.start("phone", "join", link)
    phone.read_until(r"Seat 1 is yours\.")
    phone.read_until("Alice, hand:")
    people.start("phone", "join", link).read_until(r"You are back on seat 1\.")
    thief = run(people.home("thief"), "join", link)
    assert thief.returncode == 2
    assert thief.stderr == "wonderland: This link has been used, or replaced by a newer one.\n"


def test_who_is_not_invited_watches_and_sees_no_hand(people: People, server: Served) -> None:
    alice, dinah, link = two(people, server, "parade")
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
        list(pool.map(play, (alice, dinah), ("Alice", "Dinah")))
    for watcher in people.terminals[-2:]:
        watcher.read_until(r"wins \(|share the win")
        assert watcher.exit_code() == 0


def test_full_tables_and_wrong_links(people: People, server: Served, tmp_path: Path) -> None:
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
        done = run(home, "join", *arguments)
        assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, ""), (arguments, done)
        assert done.stderr.startswith("wonderland: ")
        assert sentence in done.stderr
        assert "wrong" not in done.stderr
    people.join("Dinah", link)
    alice.read_until("Dinah sits on seat 2")
    full = run(home, "join", link, "--name", "Eve", "--seat", "2")
    assert (full.returncode, full.stderr) == (2, "wonderland: All seats are taken.\n")
    late = people.join("Eve", link)
    late.read_until(r"All seats are taken: you watch\.")
    late.read_until(r"2  Dinah")


def test_a_seat_can_be_left_before_the_game(people: People, server: Served) -> None:
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


def test_two_people_at_one_machine_have_two_seats(people: People, server: Served) -> None:
    alice, link = people.host(server, "parade")
    alice.read_until(r"You sit on seat 1\.")
    people.start("Alice", "join", link, "--name", "Dinah").read_until(r"You sit on seat 2\.")
    people.start("Alice", "join", link, "--name", "alice").read_until(r"You are back on seat 1\.")
    people.start("Alice", "join", link, "--seat", "2").read_until(r"You are back on seat 2\.")


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_against_a_bot_with_lines_from_a_pipe(
    tmp_path: Path, server: Served, name: str
) -> None:
    rng = random.Random(name)
    typed = "start\n" + "".join(f"{rng.randint(1, 27)}\n" for _ in range(3000))
    done = run(
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
    assert OVER in done.stdout
    assert done.stdout.endswith("Goodbye.\n")
    file = tmp_path / "wonderland" / "client.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (secret,) = json.loads(file.read_text())["devices"].values()
    assert secret not in done.stdout + done.stderr
    assert secret not in server.log.read_text()


def test_what_can_not_be_hosted_is_said_in_one_sentence(tmp_path: Path, server: Served) -> None:
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
        done = run(tmp_path, "host", "--server", server.address, *arguments, "--name", "Alice")
        assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, ""), (arguments, done)
        assert sentence in done.stderr


def test_options_reach_the_table(people: People, server: Served) -> None:
    _, link = people.host(server, "letters", "--option", "claim=first", "--bots", "dodo")
    table = calls.look(read_link(link)).table
    assert (table.options, table.access) == ({"claim": "first"}, "link")
    assert [place.kind for place in table.seats][1] == "bot"


def test_a_name_is_asked_for_and_kept(people: People, server: Served) -> None:
    alice = people.start("Alice", "host", "parade", "--server", server.address)
    alice.read_until(r"Your name \(\S+\): $")
    alice.type("  Mock   Turtle \n")
    alice.read_until(r"1  Mock Turtle \(you\)")
    again = people.start("Alice", "host", "parade", "--server", server.address)
    again.read_until(r"Your name \(Mock Turtle\): $")
    again.type("\n")
    again.read_until(r"1  Mock Turtle \(you\)")
