"""A bot that joins a table by its link and plays until the game is over.

It needs only the standard library and `websockets`, and plays every game: it has no rules of its own, as
the server sends the legal actions. To make it play well, improve `choose`.

    wonderland serve                            # start a server, if none is running
    wonderland host parade                      # create a table, print its link, and wait
    python examples/bot.py 'http://127.0.0.1:8000/tables/abc#secret' Humpty
"""

import json
import random
import secrets
import sys
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def choose(view: dict[str, Any], legal: list[str]) -> str:
    """Choose one of the legal actions, which are in the notation of the game's records."""
    return random.choice(legal)


def sit(table: str, invitation: str, name: str) -> str:
    """Take a seat; return the cookie that identifies its owner."""
    command = {"do": "sit", "at": 0, "key": secrets.token_hex(8), "name": name}
    command |= {"contribution": secrets.token_hex(32), "invitation": invitation or None}
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(f"{table}/commands", json.dumps(command).encode(), headers)) as answer:
        return str(answer.headers["Set-Cookie"]).partition(";")[0]


def play(link: str, name: str) -> Any:
    """Play a whole game; return its result."""
    address, _, invitation = link.partition("#")
    table = address.replace("/tables/", "/api/tables/")
    cookie = {"Cookie": sit(table, invitation, name)}
    is_waiting = False  # for the answer to the last command
    with connect(table.replace("http", "ws", 1) + "/live", additional_headers=cookie) as live:
        for message in map(json.loads, live):
            if message["type"] == "refused" and message["problem"] != "stale":
                raise SystemExit(message["says"])
            if message["type"] in ("done", "refused"):
                is_waiting = False  # an update of the table follows
            elif message["type"] == "table" and message["table"]["status"] == "finished":
                return message["table"]["result"]
            elif message["type"] == "table" and message["legal"] and not is_waiting:
                command = {"do": "play", "at": message["version"], "key": secrets.token_hex(8)}
                command |= {"seat": message["seat"], "action": choose(message["view"], message["legal"])}
                live.send(json.dumps(command))
                is_waiting = True
    raise SystemExit("The server has closed the table.")


if __name__ == "__main__":
    print(play(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "Humpty Dumpty"))
