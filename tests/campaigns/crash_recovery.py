"""Kill a server repeatedly during games: nothing acknowledged is lost, nothing is invented.

    python -m campaigns.crash_recovery --kills 200 --tables 20
    python -m campaigns.crash_recovery --kills 50 --database postgresql://…
    python -m campaigns.crash_recovery --kills 50 --postgres      kills PostgreSQL, not the server

The server is killed at random instants and, with SQLite, at each step of writing. After each kill it is
restarted; players reconnect by themselves and resend unanswered commands. In the end all logs are
compared with everything the players were sent.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError

from campaigns.crash_server import STEPS
from campaigns.players import Person, check_logs, start_game
from support.postgres import Keeper
from support.server import ServerProcess
from wonderland.tables.storage.interface import Storage
from wonderland.tables.storage.location import storage_at

GAMES = ("parade", "letters", "cookies")
_TIMEOUT = 120.0


async def campaign(  # noqa: PLR0913 - the options of the command line
    folder: Path,
    *,
    kills: int,
    tables: int,
    seed: int,
    database: str = "",
    steps: Sequence[str] = STEPS,
) -> dict[str, int]:
    """Kill the server `kills` times; return counts of what was compared."""
    server = ServerProcess(folder, *([f"--database={database}"] if database else []))
    server.start()
    load = Load(server, tables, random.Random(seed))
    try:
        for number in range(kills):
            at_random = bool(database) or (steps == STEPS and number % 2 == 0)
            await load.crash(None if at_random else load.rng.choice(steps))
        async with asyncio.timeout(_TIMEOUT):
            await asyncio.gather(*load.playing)  # let all games end
    finally:
        for task in load.playing:
            task.cancel()
        server.stop()
    storage = storage_at(database or str(server.database))
    return await check_stored_logs(storage, load.people) | {"kills": kills}


async def postgres_campaign(folder: Path, *, kills: int, tables: int, seed: int) -> dict[str, int]:
    """Kill PostgreSQL `kills` times under a server that goes on; return counts of what was compared."""
    with tempfile.TemporaryDirectory(prefix="wonderland-postgres-") as data:
        keeper = Keeper(Path(data))
        with keeper.server() as database:
            server = ServerProcess(
                folder, f"--database={database}", f"--key={folder / 'server.key'}", "--bots=1"
            )
            server.start()
            load = Load(server, tables, random.Random(seed))
            try:
                for _ in range(kills):
                    await load.fill()
                    await asyncio.sleep(load.rng.uniform(0.05, 0.6))
                    await asyncio.to_thread(keeper.kill)
                    await asyncio.sleep(load.rng.uniform(0.0, 2.0))
                    await asyncio.to_thread(keeper.restart)
                async with asyncio.timeout(_TIMEOUT):
                    await asyncio.gather(*load.playing)  # let all games end
            finally:
                for task in load.playing:
                    task.cancel()
                server.stop()
            return await check_stored_logs(storage_at(database), load.people) | {"kills": kills}


class Load:
    """A constant number of games on a server: when one is over, another starts."""

    def __init__(self, server: ServerProcess, tables: int, rng: random.Random) -> None:
        self.server, self.tables, self.rng = server, tables, rng
        self.people: list[Person] = []
        self.playing: list[asyncio.Task[None]] = []

    async def crash(self, step: str | None) -> None:
        """Kill the server at a random instant, or restart it as one that dies at a step of writing."""
        await self.fill()
        if step is None:
            await asyncio.sleep(self.rng.uniform(0.05, 0.6))
            self.server.kill()
        else:
            self.server.stop()
            self.server.program = ["-m", "campaigns.crash_server", step, str(self.rng.randint(1, 25))]
            await asyncio.to_thread(self.server.start)
            async with asyncio.timeout(_TIMEOUT):
                await self._play_until_crash()
        self.server.program = ["-m", "wonderland"]
        await asyncio.to_thread(self.server.start)

    async def _play_until_crash(self) -> None:
        while self.server.is_running():
            with suppress(OSError, HTTPException):  # it may die while a player sits down
                await self.fill()  # or it would have too little to write
            await asyncio.sleep(0.05)
        self.server.kill()

    async def fill(self) -> None:
        for task in self.playing:
            if task.done():
                task.result()  # raises what a player has noticed
        self.playing = [task for task in self.playing if not task.done()]
        for _ in range(self.tables - len(self.playing) // 2):
            game, bots = self.rng.choice(GAMES), {"2": "dodo"} if self.rng.random() < 0.3 else None
            sat = await self._start_game(game, bots)
            self.people += sat
            self.playing += [asyncio.create_task(person.play()) for person in sat]

    async def _start_game(self, game: str, bots: dict[str, str] | None) -> list[Person]:
        """Start a game; retried for a while if the database doesn't answer."""
        async with asyncio.timeout(_TIMEOUT):
            while True:
                try:
                    return await asyncio.to_thread(start_game, self.server.address, game, self.rng, bots)
                except HTTPError as error:
                    if error.code != 503:
                        raise
                    await asyncio.sleep(0.1)


async def check_stored_logs(storage: Storage, people: list[Person]) -> dict[str, int]:
    """Read all logs, and compare them with what the players were sent."""
    await storage.open()
    try:
        tables = {person.table for person in people}
        return check_logs(people, {table: await storage.read(table) for table in sorted(tables)})
    finally:
        await storage.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--tables", type=int, default=10, help="how many are played at, at a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--database", default="", help="postgresql://…; a file of its own if not given")
    parser.add_argument("--postgres", action="store_true", help="kill a PostgreSQL server of its own")
    options = vars(parser.parse_args())
    with tempfile.TemporaryDirectory() as folder:
        if options.pop("postgres"):
            work = postgres_campaign(
                Path(folder), **{k: options[k] for k in ("kills", "tables", "seed")}
            )
        else:
            work = campaign(Path(folder), **options)
        print(", ".join(f"{value} {name}" for name, value in asyncio.run(work).items()))


if __name__ == "__main__":
    main()
