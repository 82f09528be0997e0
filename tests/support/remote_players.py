"""Somebody at a distant table, in this process: what tests of the client are written with."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable
from queue import Empty, Queue
from typing import Any

from wonderland.client import calls
from wonderland.client import messages as ask
from wonderland.client.links import TableLink
from wonderland.client.live import Live, News
from wonderland.client.messages import Shown
from wonderland.client.seen import Seen, seen

PATIENCE = 60.0


class Player:
    """Sits at a table and hears what is told."""

    def __init__(self, link: TableLink, name: str, device: str = "") -> None:
        """Take a seat; with a device, come back to the one that it holds."""
        self.link, self.name = link, name
        self.device = device or secrets.token_urlsafe(32)
        if not device:
            sit = ask.Sit(name=name, contribution=secrets.token_hex(32), invitation=link.invitation)
            calls.do(link, self.device, sit, 0)
        self.heard: Queue[News] = Queue()
        self.told: list[News] = []
        self.latest: Seen | None = None
        self.seat = self.look().seat
        self.live = Live(link, self.device, self.seat, self.heard.put)
        self.live.open()

    def look(self) -> Shown:
        """The table, asked for over HTTP."""
        return calls.look(self.link, self.device)

    def wait_for(self, fits: Callable[[News], Any]) -> News:
        """Take what comes until something fits."""
        while True:
            try:
                news = self.heard.get(timeout=PATIENCE)
            except Empty:
                raise AssertionError(f"nothing fits in {self.told}") from None
            self.told.append(news)
            if isinstance(news, Shown):
                self.latest = seen(news)
            if fits(news):
                return news

    def play(self, rng: random.Random) -> Seen:
        """Play at random until the game is over."""
        assert self.seat is not None
        while True:
            now = self.latest
            if now is not None and now.table.status == "finished":
                return now
            if now is not None and now.legal:
                action = now.game.write(rng.choice(now.legal))
                key = self.live.send(ask.Play(seat=self.seat, action=action))
                answer = self.wait_for(lambda news, key=key: getattr(news, "key", "") == key)
                assert isinstance(answer, ask.Done), answer
                if self.latest is not None and self.latest.version >= answer.version:
                    continue
            self.wait_for(lambda news: isinstance(news, Shown))

    def close(self) -> None:
        """Go."""
        self.live.close()


def lay(server: str, device: str, game: str, seats: int = 2, **wanted: Any) -> TableLink:
    """A table on a server."""
    return calls.lay(server, device, {"game": game, "seats": seats} | wanted)
