"""Players at remote tables, using the client in this process."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from queue import Empty, Queue
from typing import Any

from wonderland.client import http
from wonderland.client.connection import News, TableConnection
from wonderland.client.game_view import RemoteView, read_update
from wonderland.client.links import TableLink
from wonderland.wire.commands import Command, CreateTable, Play, Sit, Start, new_key
from wonderland.wire.messages import CommandDone, TableUpdate

TIMEOUT = 60.0


class RemotePlayer:
    """A player at a remote table, with all messages received."""

    def __init__(self, link: TableLink, name: str, device: str = "") -> None:
        """Take a seat, or with a device return to the seat that it holds."""
        self.link, self.name = link, name
        self.device = device or secrets.token_urlsafe(32)
        if not device:
            sit = Sit(
                name=name,
                contribution=secrets.token_hex(32),
                invitation=link.invitation,
                at=0,
                key=new_key(),
            )
            http.send_command(link, self.device, sit)
        self.heard: Queue[News] = Queue()
        self.told: list[News] = []
        self.latest: RemoteView | None = None
        self.seat = self.look().seat
        self.live = TableConnection(link, self.device, self.seat, self.heard.put)
        self.live.open()

    def look(self) -> TableUpdate:
        """Fetch the table over HTTP."""
        return http.get_table(self.link, self.device)

    def wait_for(self, fits: Callable[[News], Any]) -> News:
        """Receive messages until one satisfies a condition, and return it."""
        while True:
            try:
                news = self.heard.get(timeout=TIMEOUT)
            except Empty:
                raise AssertionError(f"nothing fits in {self.told}") from None
            self.told.append(news)
            if isinstance(news, TableUpdate):
                self.latest = read_update(news)
            if fits(news):
                return news

    def send(self, command: Command) -> str:
        """Send a command; gives the key of the answer."""
        self.live.send(command)
        return command.key

    def start(self) -> None:
        """Ask for the game to start."""
        self.send(Start(at=self.live.version, key=new_key()))

    def play(self, rng: random.Random) -> RemoteView:
        """Play at random to the end of the game."""
        assert self.seat is not None
        while True:
            now = self.latest
            if now is not None and now.table.status == "finished":
                return now
            if now is not None and now.legal:
                action = now.game.write(rng.choice(now.legal))
                key = self.send(Play(seat=self.seat, action=action, at=now.version, key=new_key()))
                answer = self.wait_for(lambda news, key=key: getattr(news, "key", "") == key)
                assert isinstance(answer, CommandDone), answer
                if self.latest is not None and self.latest.version >= answer.version:
                    continue
            self.wait_for(lambda news: isinstance(news, TableUpdate))

    def close(self) -> None:
        """Close the connection."""
        self.live.close()


def create_table(server: str, device: str, game: str, seats: int = 2, **wanted: Any) -> TableLink:
    """Create a table on a server."""
    return http.create_table(server, device, CreateTable(game=game, seats=seats, **wanted))
