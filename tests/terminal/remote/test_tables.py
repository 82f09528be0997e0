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
from wonderland.cli import main
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
    link = alice.read_until(r"http\S+#seat\.\S+\s").split()[-1]
    assert "#seat.0." in link
    phone = people.start("phone", "join", link)
    phone.read_until(r"Seat 1 is yours\.")
    phone.read_until("Alice's hand:")
    people.start("phone", "join", link).read_until(r"You're back in seat 1\.")
    thief = run_command(people.home("thief"), "join", link)
    assert thief.returncode == 2
    assert thief.stderr.startswith("wonderland: This link has already been used")


def test_an_uninvited_visitor_watches_and_sees_no_hand(people: Terminals, server: ServerProcess) -> None:
    alice, dinah, link = start_two_players(people, server, "parade")
    for arguments, says in [
        ([link.partition("#")[0]], "The game has already started. You're watching."),
        ([link, "--watch"], "You're watching."),
    ]:
        watcher = people.start("Hatter", "join", *arguments)
        shown = watcher.read_until(re.escape(says)) + watcher.read_until("turn")
        assert "hand:" not in shown
        watcher.type("1\n")
        watcher.read_until("You're watching, so you can type: table, log, rules, who, quit")
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(play_at_random, (alice, dinah), ("Alice", "Dinah")))
    for watcher in people.terminals[-2:]:
        watcher.read_until(r"wins \(|share the win")
        assert watcher.exit_code() == 0


def test_full_tables_and_wrong_links(people: Terminals, server: ServerProcess, tmp_path: Path) -> None:
    alice, link = people.host(server, "parade")
    address = link.partition("#")[0]
    alice.read_until(r"Waiting for players…")
    home = tmp_path / "home"
    for arguments, sentence in [
        (["parade"], "isn't a link to a table"),
        (["http://[/tables/x"], "isn't the address of a server"),
        ([f"{address}#two words"], "Copy the whole link"),
        ([f"{server.address}/tables/nosuchtable"], "This table doesn't exist."),
        ([f"{address}#wrong", "--name", "Eve"], "To join this table, ask the host for its link."),
        ([f"{address}#seat.0.wrong"], "This link has already been used or replaced."),
        ([f"{address}#seat.1.wrong"], "Nobody is sitting in seat 2."),
        ([f"{address}#seat.15.wrong"], "Nobody is sitting in seat 16."),
        ([link, "--name", "Eve", "--seat", "1"], "Seat 1 is taken or doesn't exist."),
        (
            [link, "--name", "Eve", "--seat", "3"],
            "There's no seat 3 here. The seats are numbered 1 to 2.",
        ),
        ([link, "--seat", "0"], "--seat must be 1 or more, not 0."),
        ([link], "Set it with --name."),
        ([link, "--name", "alice"], "already called alice"),
        ([link, "--name", "x" * 90], "use 1 to 40 characters"),
        (["http://127.0.0.1:9/tables/x"], "http://127.0.0.1:9 can't be reached: Connection refused."),
    ]:
        done = run_command(home, "join", *arguments)
        assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, ""), (arguments, done)
        assert done.stderr.startswith("wonderland: ")
        assert sentence in done.stderr
        assert "wrong" not in done.stderr
    people.join("Dinah", link)
    alice.read_until("Dinah is in seat 2")
    full = run_command(home, "join", link, "--name", "Eve", "--seat", "2")
    assert (full.returncode, full.stderr) == (2, "wonderland: All seats are taken.\n")
    late = people.join("Eve", link)
    late.read_until(r"All seats are taken\. You're watching\.")
    late.read_until(r"2  Dinah")


def test_a_seat_can_be_left_before_the_game(people: Terminals, server: ServerProcess) -> None:
    alice, link = people.host(server, "letters", "--open")
    dinah = people.join("Dinah", link.partition("#")[0], "--seat", "2")
    alice.read_until("Dinah is in seat 2")
    dinah.read_until(r"All seats are taken\. Type start")
    dinah.type("leave\n")
    dinah.read_until(r"Goodbye\.\s")
    assert dinah.exit_code() == 0
    alice.read_until(r"Dinah has left seat 2\.")
    alice.type("start\n")
    alice.read_until("Every seat needs a player before the game can start")
    alice.type("bot 2 jabberwock\n")
    alice.read_until("There is no bot called 'jabberwock'")
    alice.type("bot 2\n")
    alice.read_until(r"\w+ is in seat 2\.")
    alice.read_until("Alice: $")
    alice.type("s\n")
    alice.read_until(r"The game starts\.")


def test_two_people_on_one_machine_have_two_seats(people: Terminals, server: ServerProcess) -> None:
    _alice, link = people.host(server, "parade")
    people.start("Alice", "join", link, "--name", "Dinah").read_until(r"You're in seat 2\.")
    people.start("Alice", "join", link, "--name", "alice").read_until(r"You're back in seat 1\.")
    people.start("Alice", "join", link, "--seat", "2").read_until(r"You're back in seat 2\.")


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_against_a_bot_with_piped_input(
    tmp_path: Path, server: ServerProcess, name: str
) -> None:
    rng = random.Random(name)
    file = tmp_path / "tonight.record"
    early = "verify\nsave too-early.record\n"
    late = f"verify\nsave\nsave {file}\nsave {file}\nsave {tmp_path}/no/such/folder\n"
    moves = "".join(f"{rng.randint(1, 27)}\n" for _ in range(3000))
    typed = f"start\n{early}{moves}{late}"
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
    assert done.stdout.count("once the game is over") == 2
    assert done.stdout.count("Shuffle verified") == 2
    assert f"{str(file)!r} already exists" in done.stdout
    assert "No such file or directory" in done.stdout
    assert main(["verify", str(file)]) == 0
    memory = tmp_path / "wonderland" / "client.json"
    assert stat.S_IMODE(memory.stat().st_mode) == 0o600
    known = json.loads(memory.read_text())
    ((address, kept),) = known["shuffles"].items()
    assert {kept["commitment"], *kept["contributions"]} <= set(re.findall(r"\w{64}", done.stdout))
    kept["commitment"] = "0" * 64  # as if the table had shown another one
    memory.write_text(json.dumps(known))
    again = run_command(tmp_path, "join", address)
    assert "FAILED THE CHECK" in again.stdout
    assert "0" * 64 in again.stdout
    assert "Shuffle verified" not in again.stdout
    (secret,) = known["devices"].values()
    assert secret not in done.stdout + done.stderr
    assert secret not in server.log.read_text()


def test_an_invalid_table_is_reported_in_one_sentence(tmp_path: Path, server: ServerProcess) -> None:
    for arguments, sentence in [
        (["chess"], "there is no game called 'chess'"),
        (["parade", "--seats", "9"], "Parade is for 2 to 6 players, not 9"),
        (["parade", "--bots", "queen,queen", "--seats", "2"], "2 bots leave no seat for you"),
        (["parade", "--bots", "jabberwock"], "jabberwock"),
        (["letters", "--option", "claim"], "'claim' needs a value"),
        (["letters", "--option", "claim=x"], "claim must be one of after, first"),
        (["parade", "--server", "http://127.0.0.1:9"], "http://127.0.0.1:9 can't be reached"),
        (["parade", "--server", "http://"], "isn't the address of a server"),
    ]:
        done = run_command(tmp_path, "host", "--server", server.address, *arguments, "--name", "Alice")
        assert (done.returncode, done.stderr.count("\n"), done.stdout) == (2, 1, ""), (arguments, done)
        assert sentence in done.stderr


def test_options_reach_the_table(people: Terminals, server: ServerProcess) -> None:
    _, link = people.host(server, "letters", "--option", "claim=first", "--bots", "dodo")
    table = http.get_table(read_link(link)).table
    assert (table.options, table.access) == ({"claim": "first"}, "link")
    assert [place.kind for place in table.seats][1] == "bot"


COMMITMENT = r"part of the shuffle\. [^:]*this code:\s+[0-9a-f]{64}\s"


def test_the_commitment_is_shown_before_the_game_and_kept(
    people: Terminals, server: ServerProcess
) -> None:
    alice, link = people.host(server, "letters")
    dinah = people.join("Dinah", link)
    watcher = people.start("Hatter", "join", link, "--watch")
    shown = [each.read_until(COMMITMENT).split()[-1] for each in (alice, dinah, watcher)]
    assert set(shown) == {http.get_table(read_link(link)).table.commitment}
    watcher.read_until(r"Everyone is here\.")  # only players are told to type start
    dinah.read_until("Dinah: $")
    alice.read_until("Alice: $")
    alice.type("start\n")
    with ThreadPoolExecutor(2) as pool:
        told = list(pool.map(play_at_random, (alice, dinah), ("Alice", "Dinah")))
    assert all("Shuffle verified" in each for each in told)
    watcher.read_until("Shuffle verified")
    assert f" commitment={shown[0]} " in http.get_record(read_link(link))
    alice.read_until("Alice: $")
    alice.type("rematch\n")
    assert alice.read_until(COMMITMENT).split()[-1] != shown[0], "another table, another shuffle"


def test_a_tutorial_has_no_commitment_to_show(people: Terminals, server: ServerProcess) -> None:
    device = secrets.token_urlsafe(32)
    link = http.create_table(
        server.address, device, CreateTable(game="parade", seats=2, is_tutorial=True)
    )
    watcher = people.start("Hatter", "join", link.text, "--watch")
    assert "shuffle" not in watcher.read_until(r"Waiting for players…")


def test_a_name_is_asked_for_and_remembered(people: Terminals, server: ServerProcess) -> None:
    alice = people.start("Alice", "host", "parade", "--server", server.address)
    alice.read_until(r"Your name \(\S+\): $")
    alice.type("  Mock   Turtle \n")
    alice.read_until(r"1  Mock Turtle \(you\)")
    again = people.start("Alice", "host", "parade", "--server", server.address)
    again.read_until(r"Your name \(Mock Turtle\): $")
    again.type("\n")
    again.read_until(r"1  Mock Turtle \(you\)")
