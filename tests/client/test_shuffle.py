"""A client verifies the finished game with what it has kept: commitment, contribution and events."""

from __future__ import annotations

import random
import re
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from support.remote_players import RemotePlayer, create_table
from support.server import ServerProcess
from wonderland.client import http
from wonderland.client.arrival import SeatRequest, arrive
from wonderland.client.credentials import Credentials
from wonderland.client.game_view import read_update
from wonderland.client.links import TableLink
from wonderland.client.shuffle import CheckFailed, KeptShuffle, Uncheckable, alarm, verify_shuffle
from wonderland.engine import game_names
from wonderland.wire.messages import TableUpdate


class Evening:
    """A finished game between Alice and Dinah, with what Alice's machine has kept."""

    def __init__(self, server: ServerProcess, folder: Path, game: str) -> None:
        link = create_table(server.address, secrets.token_urlsafe(32), game)
        self.memory = Credentials(folder / "client.json")
        arrival = arrive(link, SeatRequest("Alice"), self.memory, lambda: "Alice")
        players = [RemotePlayer(link, "Alice", arrival.device), RemotePlayer(link, "Dinah")]
        players[0].wait_for(lambda news: isinstance(news, TableUpdate))
        players[0].start()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(RemotePlayer.play, players, map(random.Random, range(2))))
        self.link, self.seat = link, arrival.seat
        assert arrival.kept is not None
        self.kept = arrival.kept
        self.seen = [
            event
            for news in players[0].told
            if isinstance(news, TableUpdate)
            for event in read_update(news).events
        ]
        for player in players:
            player.close()
        self.record = http.get_record(link)

    def verify(self, **changed: Any) -> Any:
        given = {
            "text": self.record,
            "kept": self.kept,
            "table": self.link.table,
            "seat": self.seat,
            "seen": self.seen,
        }
        return verify_shuffle(**(given | changed))


@pytest.fixture(scope="module", params=game_names())
def evening(
    request: pytest.FixtureRequest, server: ServerProcess, tmp_path_factory: pytest.TempPathFactory
) -> Evening:
    return Evening(server, tmp_path_factory.mktemp("alice"), request.param)


def test_a_fair_game_verifies_completely(evening: Evening) -> None:
    verdict = evening.verify()
    assert verdict.is_complete
    assert verdict.check.outcomes > 5
    assert str(verdict.check.outcomes) in verdict.summary()


def test_what_was_not_kept_is_not_claimed(evening: Evening) -> None:
    spectator = evening.verify(seat=None, seen=())
    assert (spectator.has_commitment, spectator.has_contribution) == (True, False)
    with pytest.raises(Uncheckable):
        evening.verify(text=re.sub(r"(?m)^Luck: .*\n", "", evening.record), kept=None)
    late = evening.verify(kept=None, seen=())
    assert (late.has_commitment, late.is_complete) == (False, False)
    summaries = {each.summary() for each in (spectator, late, evening.verify())}
    assert len(summaries) == 3


def swapped(events: Sequence[Any]) -> list[Any]:
    """Return the events with the first two that differ in another order."""
    order = list(events)
    place = next(n for n in range(len(order) - 1) if order[n] != order[n + 1])
    order[place], order[place + 1] = order[place + 1], order[place]
    return order


def test_everything_that_was_exchanged_is_noticed(evening: Evening) -> None:
    other = KeptShuffle("0" * 64, evening.kept.contributions)
    not_mine = KeptShuffle(evening.kept.commitment, ("ab" * 32,))
    short = re.sub(r"(?m)^Result: .*\n", "", evening.record.rstrip("\n")).rpartition("\n")[0] + "\n"
    for changed in (
        {"kept": other},
        {"kept": not_mine},
        {"table": "another"},
        {"seen": swapped(evening.seen)},
        {"seen": [*evening.seen, evening.seen[-1]]},
        {"text": evening.record.replace("secret=", "secret=0", 1)},
        {"text": re.sub(r"(?m)^Luck: .*\n", "", evening.record)},
        {"text": short, "seen": ()},
        {"text": "Game: chess"},
        {"text": ""},
    ):
        with pytest.raises(CheckFailed) as failure:
            evening.verify(**changed)
        assert str(failure.value) in alarm(failure.value)
        assert len(alarm(failure.value)) > len(str(failure.value)) + 40


def test_a_machine_keeps_it_over_a_restart_and_notices_another_commitment(
    evening: Evening, server: ServerProcess, tmp_path: Path
) -> None:
    address = evening.link.address
    assert Credentials(evening.memory.path).shuffle(address) == evening.kept
    assert evening.memory.path.stat().st_mode & 0o077 == 0
    fresh = Credentials(tmp_path / "client.json")
    link = create_table(server.address, secrets.token_urlsafe(32), "parade")
    first = arrive(link, SeatRequest("Alice"), fresh, lambda: "")
    fresh.keep_shuffle(link.address, "0" * 64)  # as if the server now showed another one
    again = arrive(TableLink(link.server, link.table), SeatRequest(), fresh, lambda: "")
    assert again.kept == first.kept
    assert again.seat == first.seat
    late = arrive(evening.link, SeatRequest(watch=True), Credentials(tmp_path / "b.json"), lambda: "")
    assert late.kept is None


def test_only_some_tables_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wonderland.client.credentials._MAX_TABLES", 3)
    memory = Credentials(tmp_path / "client.json")
    for table in range(5):
        memory.keep_shuffle(f"table {table}", "c", f"{table}")
    known = [table for table in range(5) if memory.shuffle(f"table {table}")]
    assert known == [2, 3, 4]
