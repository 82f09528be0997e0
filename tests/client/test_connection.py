"""A client against a real server: whole games, lost connections, and repeated commands."""

from __future__ import annotations

import random
import secrets
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from support.flaky_relay import FlakyRelay
from support.remote_players import TIMEOUT, RemotePlayer, create_table
from support.server import ServerProcess, run_server
from wonderland.client import http
from wonderland.client.connection import ConnectionEnded, ConnectionInterrupted, ConnectionRestored
from wonderland.client.http import RequestDenied, ServerUnreachable
from wonderland.client.links import TableLink
from wonderland.engine import game_names, read_record
from wonderland.wire.commands import Play, Say, new_key
from wonderland.wire.messages import CommandDone, CommandRefused, TableUpdate


def start_players(server: str, game: str, *names: str) -> list[RemotePlayer]:
    link = create_table(server, secrets.token_urlsafe(32), game, len(names))
    players = [RemotePlayer(link, name) for name in names]
    players[0].wait_for(lambda news: isinstance(news, TableUpdate))
    players[0].start()
    for player in players:
        player.wait_for(lambda news: isinstance(news, TableUpdate) and news.view is not None)
    return players


@pytest.mark.parametrize("name", game_names())
def test_a_whole_game_between_two_clients(server: ServerProcess, name: str) -> None:
    players = start_players(server.address, name, "Alice", "Dinah")
    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(RemotePlayer.play, players, map(random.Random, range(2))))
    for player in players:
        player.close()
    assert ends[0].names == ["Alice", "Dinah"]
    record = read_record(http.get_record(players[0].link)).whole
    assert record.result is not None
    final = [state for state, _ in record.states()][-1]
    for end in ends:  # the message decodes to the game's own value
        assert end.view == end.game.view(final, end.seat)
    for player in players:
        events = [e for news in player.told if isinstance(news, TableUpdate) for e in news.events]
        assert len(events) > len(record.moves) // 3


def test_a_move_whose_answer_was_lost_is_retried_and_made_once(server: ServerProcess) -> None:
    players = start_players(server.address, "letters", "Alice", "Dinah")
    first = next(player for player in players if player.latest is not None and player.latest.legal)
    relay = FlakyRelay(server.port)
    again = RemotePlayer(TableLink(relay.address, first.link.table), first.name, first.device)
    again.wait_for(lambda news: isinstance(news, TableUpdate))
    version, now = again.live.version, again.latest
    assert now is not None
    relay.swallows.set()
    action = now.game.write(now.legal[0])
    key = again.send(Play(seat=now.seat or 0, action=action, at=version, key=new_key()))
    end = time.monotonic() + TIMEOUT
    while first.look().version == version:  # requested on another connection
        assert time.monotonic() < end
    relay.swallows.clear()
    relay.cut()
    again.wait_for(lambda news: isinstance(news, ConnectionInterrupted))
    again.wait_for(lambda news: isinstance(news, ConnectionRestored))
    done = again.wait_for(lambda news: isinstance(news, CommandDone | CommandRefused))
    assert isinstance(done, CommandDone)
    assert (done.key, done.version) == (key, version + 1)
    assert first.look().version == version + 1
    missed = [
        news for news in again.told if isinstance(news, TableUpdate) and news.version == version + 1
    ]
    assert missed
    assert missed[0].events, "events since then are reported"
    for player in (again, *players):
        player.close()
    relay.close()


def test_requests_made_while_the_server_is_down_are_sent_after_reconnecting(tmp_path: Path) -> None:
    with run_server(tmp_path) as server:
        alice, dinah = start_players(server.address, "parade", "Alice", "Dinah")
        server.kill()
        alice.wait_for(lambda news: isinstance(news, ConnectionInterrupted))
        say = Say(seat=0, text="Where is everybody?", at=alice.live.version, key=new_key())
        key = alice.send(say)
        server.start()
        alice.wait_for(lambda news: isinstance(news, ConnectionRestored))
        alice.wait_for(lambda news: isinstance(news, CommandDone) and news.key == key)
        dinah.wait_for(lambda news: isinstance(news, TableUpdate) and bool(news.said))
        with ThreadPoolExecutor(2) as pool:  # and the game continues
            ends = list(pool.map(RemotePlayer.play, (alice, dinah), map(random.Random, range(2))))
        assert {end.table.status for end in ends} == {"finished"}
        server.stop()  # gracefully: clients are told to reconnect
        lost = alice.wait_for(lambda news: isinstance(news, ConnectionInterrupted))
        assert lost == ConnectionInterrupted("The server stops; come again")
        alice.close()
        dinah.close()


def test_a_connection_that_cannot_be_restored_ends(server: ServerProcess) -> None:
    host = secrets.token_urlsafe(32)
    link = create_table(server.address, host, "parade")
    alice = RemotePlayer(link, "Alice")
    alice.close()
    for wrong, seat, says in [
        (link, 1, "This seat isn't yours."),
        (TableLink(server.address, "nosuchtable"), None, "This table doesn't exist."),
    ]:
        alice.live = type(alice.live)(wrong, alice.device, seat, alice.heard.put)
        alice.live.open()
        assert alice.wait_for(lambda news: isinstance(news, ConnectionEnded)) == ConnectionEnded(says)


def test_refusals_and_addresses_without_a_server_are_reported(
    server: ServerProcess, tmp_path: Path
) -> None:
    with pytest.raises(RequestDenied, match="This table doesn't exist") as denied:
        http.get_table(TableLink(server.address, "nosuchtable"))
    assert denied.value.problem == "not found"
    with pytest.raises(RequestDenied, match="Parade is for 2 to 6 players, not 9"):
        create_table(server.address, secrets.token_urlsafe(32), "parade", 9)
    with pytest.raises(RequestDenied, match="once the game is over"):
        http.get_record(create_table(server.address, secrets.token_urlsafe(32), "parade"))
    with pytest.raises(RequestDenied) as denied:
        http.get_table(TableLink(f"{server.address}/elsewhere", "table"))
    assert denied.value.problem == "not found"
    with run_server(tmp_path) as other:
        gone = other.address
    with pytest.raises(ServerUnreachable, match=r"can't be reached: Connection refused"):
        http.get_table(TableLink(gone, "table"))
