"""What players notice of attacks on the server: acknowledgements, bots' replies and memory.

    PYTHONPATH=tests python benchmarks/hostile.py                                everything, at full size
    PYTHONPATH=tests python benchmarks/hostile.py --size 10 --seconds 3          a short run
    PYTHONPATH=tests python benchmarks/hostile.py --only queens pages --source ../older/src

Starts a real server, `wonderland serve`, for each attack. Two people play Parade from one address,
and a third plays against a bot; the attack comes from another address. First they are measured in
peace, then during the attack, so both figures come from the same minute of the same machine. The latency
of a move is the time from sending it to its acknowledgement; a bot's reply is the time from there to its
move. `--source` runs the server of another source tree.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from campaigns.raw_clients import Http, Socket
from hostile_attacks import ATTACKS, Attack, Victims, prepare_long_logs
from support.server import ServerProcess, run_server

HONEST = "127.0.0.4"
LONGEST = 60.0
"""Seconds for an attack that ends by itself."""
PACE = 0.05
"""Seconds between moves; people are slower."""


class Pair:
    """Two clients that play one game after another over HTTP."""

    def __init__(self, port: int) -> None:
        self.people = [Http(port, address=HONEST), Http(port, address=HONEST)]
        self.number = 0
        self.table = ""

    async def begin(self) -> None:
        created = await self.people[0].ask(
            "POST", "/api/tables", {"game": "parade", "seats": 2, "access": "open"}
        )
        self.table, self.version = created.json()["table"], 0
        self.people[0].cookie = created.cookie or self.people[0].cookie
        for who, name in enumerate(("Alice", "Bill")):
            sit = {"do": "sit", "name": name, "contribution": "ab" * 16, "seat": who}
            answer = await self.do(who, sit)
            self.people[who].cookie = answer.cookie or self.people[who].cookie
        await self.do(0, {"do": "start"})

    async def do(self, who: int, command: dict[str, Any]) -> Any:
        self.number += 1
        body = {"at": self.version, "key": f"key-{self.number:06}"} | command
        answer = await self.people[who].ask("POST", f"/api/tables/{self.table}/commands", body)
        if answer.status == 200:
            self.version = answer.json()["version"]
        return answer

    async def move(self) -> tuple[float, bool]:
        """Make a move; return how long it took and whether it was accepted."""
        for who in (0, 1):
            answer = await self.people[who].ask("GET", f"/api/tables/{self.table}?seat={who}")
            shown = answer.json()
            if answer.status == 200 and shown["table"]["status"] == "finished":
                await self.begin()
                return await self.move()
            if answer.status == 200 and shown["legal"]:
                self.version = shown["version"]
                begun = time.perf_counter()
                done = await self.do(who, {"do": "play", "seat": who, "action": shown["legal"][0]})
                return time.perf_counter() - begun, done.status == 200
        return 0.0, False


class Soloist:
    """A person who plays one game after another against a bot, over a WebSocket."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.number = 0

    async def begin(self) -> None:
        http = Http(self.port, address=HONEST)
        wish = {"game": "parade", "seats": 2, "access": "bots", "bots": {"1": "hatter"}}
        created = await http.ask("POST", "/api/tables", wish)
        table = created.json()["table"]
        self.socket = await Socket.open(self.port, table, created.cookie, address=HONEST)
        self.shown = await self.socket.message("table")
        await self.command({"do": "sit", "name": "Dinah", "contribution": "ab" * 16, "seat": 0})
        await self.socket.close()  # and come back with the seat
        self.socket = await Socket.open(self.port, table, created.cookie, address=HONEST)
        self.shown = await self.socket.message("table")
        await self.command({"do": "start"})
        await self.wait_for_turn()
        await http.close()

    async def command(self, command: dict[str, Any]) -> None:
        """Send a command, and wait until it is done and its effect is shown."""
        self.number += 1
        key = f"solo-{self.number:06}"
        self.socket.send({"at": self.shown["version"], "key": key} | command)
        while True:
            found = await self.socket.message("done", "refused", "table")
            if found["type"] == "table":
                self.shown = found
            elif found["type"] == "done":
                self.acknowledged = time.perf_counter()
                break
            else:
                raise RuntimeError(found["says"])
        while self.shown["version"] < found["version"]:
            self.shown = await self.socket.message("table")

    async def wait_for_turn(self) -> None:
        while not self.shown["legal"] and self.shown["table"]["status"] != "finished":
            self.shown = await self.socket.message("table")

    async def move(self) -> float:
        """Make a move; return how long the bot took to reply."""
        if not self.shown["legal"]:
            await self.socket.close()
            await self.begin()
        await self.command({"do": "play", "seat": 0, "action": self.shown["legal"][0]})
        await self.wait_for_turn()
        return time.perf_counter() - self.acknowledged


class Measured:
    """Latencies of moves and replies, in seconds."""

    def __init__(self) -> None:
        self.moves: list[float] = []
        self.replies: list[float] = []
        self.refused = 0

    @staticmethod
    def late(times: list[float]) -> float:
        """The 99th percentile, in milliseconds."""
        found = sorted(times)
        return 1000 * found[min(len(found) - 1, int(len(found) * 0.99))] if found else float("nan")

    def row(self) -> str:
        return f"{self.late(self.moves):.0f} | {self.late(self.replies):.0f}"


async def measure(
    pair: Pair, soloist: Soloist, seconds: float, work: asyncio.Future[Any] | None = None
) -> Measured:
    """Let everyone play for a number of seconds, or longer, until some work is done."""
    found, start = Measured(), time.perf_counter()

    def is_over() -> bool:
        passed = time.perf_counter() - start
        return passed > seconds and (work is None or work.done() or passed > LONGEST)

    async def play_pair() -> None:
        while not is_over():
            await asyncio.sleep(PACE)
            took, done = await pair.move()
            found.moves.append(took)
            found.refused += not done

    async def play_solo() -> None:
        while not is_over():
            await asyncio.sleep(PACE)
            found.replies.append(await soloist.move())

    await asyncio.gather(play_pair(), play_solo())
    return found


def memory_of(server: ServerProcess) -> float:
    """The memory of a server process, in megabytes."""
    assert server._process is not None  # noqa: S101, SLF001 - it runs
    status = Path(f"/proc/{server._process.pid}/status").read_text()  # noqa: SLF001
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


async def attacked(server: ServerProcess, attack: Attack, seconds: float, size: int) -> str:
    """Measure the players in peace and under attack; return a row of the table."""
    pair, soloist = Pair(server.port), Soloist(server.port)
    await pair.begin()
    await soloist.begin()
    prepared = list[str]()
    if attack is ATTACKS["long_log"]:
        prepared = await prepare_long_logs(server.port, server.database, size)
    await measure(pair, soloist, 1.0)  # to warm up
    quiet, before = await measure(pair, soloist, seconds), memory_of(server)
    await pair.begin()
    harm = asyncio.ensure_future(attack(Victims(server.port, pair, prepared), size))
    await asyncio.sleep(0.0 if prepared else 1.0)
    during = await measure(pair, soloist, seconds, harm if prepared else None)
    grown = memory_of(server) - before
    harm.cancel()
    says = None
    with suppress(asyncio.CancelledError, OSError):
        says = await harm
    notes = [*([f"{during.refused} refused"] if during.refused else []), *([says] if says else [])]
    return f"{quiet.row()} | {during.row()} | {grown:+.0f} | {'; '.join(notes)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long to measure")
    parser.add_argument("--size", type=int, default=100, help="size of the attacks in percent")
    parser.add_argument("--only", nargs="+", choices=ATTACKS, default=list(ATTACKS))
    parser.add_argument("--source", type=Path, help="source folder of the server to measure")
    given = parser.parse_args()
    if given.source:
        paths = [str(given.source.resolve()), os.environ.get("PYTHONPATH", "")]
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, paths))
    print("| attack | quiet: ack p99 | bot p99 | attacked: ack p99 | bot p99 | MB | |")
    print("|---|---|---|---|---|---|---|")
    for name in given.only:
        with tempfile.TemporaryDirectory() as folder, run_server(Path(folder)) as server:
            try:
                work = attacked(server, ATTACKS[name], given.seconds, given.size)
                row = asyncio.run(work)
            except Exception as error:  # noqa: BLE001 - the server is beyond use, which is a result
                row = f"the players could not go on: {error!r} | | | | | "
            finally:
                server.kill()
        print(f"| {name} | {row} |", flush=True)


if __name__ == "__main__":
    main()
