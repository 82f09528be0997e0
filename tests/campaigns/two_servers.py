"""Two servers on one database, with every player at both: each move is made once.

    python -m campaigns.two_servers --games 100
    python -m campaigns.two_servers --games 100 --database postgresql://…

Each player is connected to both servers with the same device, and on each turn sends a move to each at
the same time. Exactly one of them is stored; the other is refused with the current table.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections import Counter
from pathlib import Path

from campaigns.crash_recovery import GAMES, check_stored_logs
from campaigns.players import Person, start_game
from support.server import run_server
from wonderland.tables.storage.location import storage_at

_TIMEOUT = 600.0


async def campaign(folder: Path, games: int, seed: int, database: str = "") -> dict[str, int]:
    """Play games; return counts of what was compared and what was refused."""
    rng = random.Random(seed)
    database = database or str(folder / "tables.db")
    given = [f"--database={database}", f"--key={folder / 'server.key'}"]
    people: list[Person] = []
    with run_server(folder, *given) as one, run_server(folder, *given) as other:
        for _ in range(games):
            for sat in await asyncio.to_thread(start_game, one.address, rng.choice(GAMES), rng):
                twin = Person(other.address, sat.table, sat.seat, sat.cookie, rng)
                people += [sat, twin]
        for person in people:
            person.resend_after = 0.5
        async with asyncio.timeout(_TIMEOUT):
            await asyncio.gather(*(person.play() for person in people))
    found = await check_stored_logs(storage_at(database), people)
    refused = sum((person.refusals for person in people), Counter[str]())
    return found | {f"refused as {kind}": number for kind, number in refused.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--database", default="", help="postgresql://…; a file of its own if not given")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(campaign(Path(folder), options.games, options.seed, options.database))
    print(", ".join(f"{value} {name}" for name, value in found.items()))


if __name__ == "__main__":
    main()
