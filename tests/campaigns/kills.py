"""A server is killed again and again while people play: nothing acknowledged is lost, nothing invented.

    python -m campaigns.kills --kills 200 --tables 20
    python -m campaigns.kills --kills 50 --database postgresql://…

It is killed at random instants and, with SQLite, at each step of writing. After each kill it is started
again; people come back by themselves and send again what was not answered. In the end all logs are read
and compared with what everybody was told and shown.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from campaigns.dying import STEPS
from campaigns.people import Person, begin, judge
from serving import Served
from wonderland.tables.storage import Storage
from wonderland.web.serving import Settings, storage_for

GAMES = ("parade", "letters", "cookies")
_LONGEST = 120.0


async def campaign(  # noqa: PLR0913 - what the command line can say
    folder: Path,
    *,
    kills: int,
    tables: int,
    seed: int,
    database: str = "",
    steps: Sequence[str] = STEPS,
) -> dict[str, int]:
    """So many kills; gives what was compared."""
    rng = random.Random(seed)
    server = Served(folder, *([f"--database={database}"] if database else []))
    server.start()
    people: list[Person] = []
    playing: list[asyncio.Task[None]] = []
    done = 0
    try:
        while done < kills:
            playing = [task for task in playing if not task.done()]
            for _ in range(tables - len(playing) // 2):
                bots = {"2": "dodo"} if rng.random() < 0.3 else None
                sat = await asyncio.to_thread(begin, server.address, rng.choice(GAMES), rng, bots)
                people += sat
                playing += [asyncio.create_task(person.play()) for person in sat]
            at_random = bool(database) or (steps == STEPS and done % 2 == 0)
            await _kill(server, rng, None if at_random else rng.choice(steps))
            done += 1
        async with asyncio.timeout(_LONGEST):
            await asyncio.gather(*playing)  # all games come to their end
    finally:
        for task in playing:
            task.cancel()
        server.stop()
    storage = storage_for(Settings(database=database or str(server.database)))
    return await judged(storage, people) | {"kills": done}


async def _kill(server: Served, rng: random.Random, step: str | None) -> None:
    """Kill it at a random instant; or let it die by itself at a step of writing, after a restart."""
    if step is None:
        await asyncio.sleep(rng.uniform(0.05, 0.6))
        server.kill()
    else:
        server.stop()
        server.program = ["-m", "campaigns.dying", step, str(rng.randint(1, 25))]
        await asyncio.to_thread(server.start)
        await asyncio.to_thread(server.wait)
    server.program = ["-m", "wonderland"]
    await asyncio.to_thread(server.start)


async def judged(storage: Storage, people: list[Person]) -> dict[str, int]:
    """Read all logs and compare."""
    await storage.open()
    try:
        tables = {person.table for person in people}
        return judge(people, {table: await storage.read(table) for table in sorted(tables)})
    finally:
        await storage.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--tables", type=int, default=10, help="how many are played at, at a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--database", default="", help="postgresql://…; a file of its own if not given")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = campaign(Path(folder), **vars(asked))
        print(", ".join(f"{value} {name}" for name, value in asyncio.run(work).items()))


if __name__ == "__main__":
    main()
