"""The command `wonderland serve`: arguments and console messages."""

from __future__ import annotations

import argparse
import sys

from wonderland.engine.errors import UsageError
from wonderland.web import server
from wonderland.web.startup import ServerAddress, open_browser

_ABOUT = """\
Serve tables for people, bots and programs. Without anything else the tables are kept in one file in
your data folder, and the server listens to this machine only.

  wonderland serve --open
  wonderland serve --host 0.0.0.0 --port 8080 --database tables.db
  wonderland serve --database postgresql://user@host/wonderland --workers 2
"""

_MAX_PLAYOUTS = 10_000_000


def add_serve(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland serve`."""
    parser.description = _ABOUT
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--host", default="127.0.0.1", help="where to listen; 0.0.0.0 for everyone")
    parser.add_argument(
        "--port", type=int, help="(8000, or the next that is free); 0 for any that is free"
    )
    parser.add_argument("--open", action="store_true", help="open a browser there, if there is one")
    parser.add_argument(
        "--database",
        metavar="FILE|ADDRESS",
        default="",
        help="a file, or postgresql://…, which several servers may share",
    )
    parser.add_argument(
        "--key",
        metavar="FILE",
        default="",
        help="the server's secret key, made if it is not there; servers that share a database share it "
        "(or the variable WONDERLAND_KEY)",
    )
    parser.add_argument("--workers", type=int, default=1, help="processes (1)")
    parser.add_argument("--bots", type=int, default=0, help="threads for bots (one for each core)")
    parser.add_argument(
        "--origin",
        metavar="ADDRESS",
        action="append",
        default=[],
        help="another site whose pages may use this server, such as https://example.org",
    )
    parser.add_argument(
        "--per-address", type=int, default=500, help="connections from one address at most (500)"
    )
    parser.add_argument(
        "--coach-playouts",
        metavar="N",
        type=int,
        default=0,
        help="how often the coach tries each choice (as often as the game needs)",
    )
    parser.add_argument("--public-metrics", action="store_true", help="show /metrics to everyone")
    parser.add_argument(
        "--log", choices=("debug", "info", "warning", "error"), default="warning", help="(warning)"
    )
    parser.add_argument("--worker", default="", help=argparse.SUPPRESS)
    parser.set_defaults(run=serve)


def serve(options: argparse.Namespace) -> int:
    """Validate the options, then serve until a signal arrives."""
    if not 1 <= options.workers <= 64:
        raise UsageError(f"--workers {options.workers} is not possible: it is 1 to 64.")
    if options.port is not None and not 0 <= options.port <= 65535:
        raise UsageError(f"--port {options.port} is not possible: it is 0 to 65535.")
    if not 0 <= options.coach_playouts <= _MAX_PLAYOUTS:
        raise UsageError(
            f"--coach-playouts {options.coach_playouts} is not possible: it is 0 to {_MAX_PLAYOUTS}."
        )
    settings = server.Settings(
        options.host,
        options.port,
        options.database,
        options.key,
        options.workers,
        options.bots,
        tuple(options.origin),
        options.public_metrics,
        options.per_address,
        options.coach_playouts,
        options.log,
    )
    already = False

    def on_open(opened: ServerAddress) -> None:
        nonlocal already
        already = opened.already
        print("\n".join(_greeting(opened)), flush=True)
        if options.open:
            open_browser(opened.address)

    code = server.serve(settings, on_open, options.worker)
    if not (code or already or options.worker):
        prefix = "\n" if sys.stdout.isatty() else ""  # after the ^C that the terminal echoes
        print(f"{prefix}Wonderland is closed. All tables are kept.", flush=True)
    return code


def _greeting(opened: ServerAddress) -> list[str]:
    """Return the lines that say where the server is; programs parse the first one."""
    if opened.already:
        return [f"Wonderland is open already at {opened.address}"]
    lines = [f"Wonderland is open at {opened.address}"]
    if opened.taken:
        lines.append("The usual port was taken, so it is another one this time.")
    if opened.others:
        lines.append(f"Others in your network come to {opened.others}")
    return [*lines, "Ctrl-C closes it."]
