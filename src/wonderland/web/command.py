"""The command `wonderland serve`: arguments and console messages."""

from __future__ import annotations

import argparse
import sys

from wonderland.arguments import language_of
from wonderland.engine.errors import UsageError
from wonderland.engine.language import Language, phrase
from wonderland.tables.limits import ABOUT, Limits
from wonderland.web import server
from wonderland.web.proxies import LOOPBACK, read_network
from wonderland.web.startup import ServerAddress, open_browser

_ABOUT = """\
Run a server with tables for people, bots and programs. By default, tables are stored in a single file in
your data folder, and only this computer can connect.

  wonderland serve --open
  wonderland serve --host 0.0.0.0 --port 8080 --database tables.db
  wonderland serve --database postgresql://user@host/wonderland --workers 2
"""

_MAX_PLAYOUTS = 10_000_000


def add_serve(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland serve`."""
    parser.description = _ABOUT
    parser.epilog = _describe_limits()
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address to listen on; use 0.0.0.0 to accept connections from other computers",
    )
    parser.add_argument(
        "--port",
        metavar="N",
        type=int,
        help="port to listen on, or 0 for any free port (default: 8000, or the next free one)",
    )
    parser.add_argument(
        "--open", action="store_true", help="open the page in a browser, if there is one"
    )
    parser.add_argument(
        "--database",
        metavar="FILE|ADDRESS",
        default="",
        help="a file, or a postgresql:// URL that several servers can share",
    )
    parser.add_argument(
        "--key",
        metavar="FILE",
        default="",
        help="file with the server's secret key, created if missing; servers that share a database must "
        "share the key (environment variable: WONDERLAND_KEY)",
    )
    parser.add_argument(
        "--workers", metavar="N", type=int, default=1, help="number of server processes (default: 1)"
    )
    parser.add_argument(
        "--bots",
        metavar="N",
        type=int,
        default=0,
        help="number of threads for bots in each process (default: all cores but one)",
    )
    parser.add_argument(
        "--origin",
        metavar="ADDRESS",
        action="append",
        default=[],
        help="another site whose pages may use this server, such as https://example.org",
    )
    parser.add_argument(
        "--trusted-proxy",
        metavar="NETWORK",
        action="append",
        default=[],
        help="a reverse proxy, or a network of them such as 10.0.0.0/8, that is trusted to report the "
        "addresses of clients; can be repeated (default: this computer)",
    )
    parser.add_argument(
        "--allowed-host",
        metavar="NAME",
        action="append",
        default=[],
        help="a host name that the server responds to, such as play.example.org; can be repeated "
        "(default: any)",
    )
    parser.add_argument(
        "--per-address",
        metavar="N",
        type=int,
        default=500,
        help="maximum number of connections from one address (default: 500)",
    )
    parser.add_argument(
        "--limit",
        metavar="NAME=NUMBER",
        action="append",
        default=[],
        help="change one of the limits listed below; can be repeated",
    )
    parser.add_argument(
        "--coach-playouts",
        metavar="N",
        type=int,
        default=0,
        help="simulated games per choice in the coach (default: as many as the game needs)",
    )
    parser.add_argument(
        "--public-metrics", action="store_true", help="make /metrics available to everyone"
    )
    parser.add_argument(
        "--log",
        choices=("debug", "info", "warning", "error"),
        default="warning",
        help="log level (default: warning)",
    )
    parser.add_argument(
        "--home-network",
        metavar="ADDRESS",
        default="",
        help="this computer's address on the home network, for the switch in the invitation panel "
        "(default: detected)",
    )
    parser.add_argument("--worker", default="", help=argparse.SUPPRESS)
    parser.set_defaults(run=serve)


def _read_proxies(texts: list[str]) -> tuple[str, ...]:
    """Check the networks of proxies; those of this computer if none are given."""
    for text in texts:
        read_network(text)
    return tuple(texts) or LOOPBACK


def _describe_limits() -> str:
    """Return the table of limits for the help text."""
    usual = Limits()
    lines = [
        f"  {name.replace('_', '-'):26}{getattr(usual, name):>5}  {about}"
        for name, about in ABOUT.items()
    ]
    return "\n".join(["limits and their defaults (0 means no limit):", *lines])


def serve(options: argparse.Namespace) -> int:
    """Validate the options, then serve until a signal arrives."""
    if not 1 <= options.workers <= 64:
        raise UsageError(phrase("--workers must be from 1 to 64, not {number}."), number=options.workers)
    if options.port is not None and not 0 <= options.port <= 65535:
        raise UsageError(phrase("--port must be from 0 to 65535, not {number}."), number=options.port)
    if not 0 <= options.coach_playouts <= _MAX_PLAYOUTS:
        raise UsageError(
            phrase("--coach-playouts must be from 0 to {most}, not {number}."),
            most=_MAX_PLAYOUTS,
            number=options.coach_playouts,
        )
    settings = server.Settings(
        host=options.host,
        port=options.port,
        database=options.database,
        key=options.key,
        workers=options.workers,
        bots=options.bots,
        origins=tuple(options.origin),
        trusted_proxies=_read_proxies(options.trusted_proxy),
        hosts=tuple(options.allowed_host),
        public_metrics=options.public_metrics,
        per_address=options.per_address,
        limits=Limits.from_texts(options.limit),
        coach_playouts=options.coach_playouts,
        log=options.log,
        home_network=options.home_network,
    )
    say = language_of(options)
    already = False

    def on_open(opened: ServerAddress) -> None:
        nonlocal already
        already = opened.already
        print("\n".join(_greeting(opened, say)), flush=True)
        if options.open:
            open_browser(opened.address)

    code = server.serve(settings, on_open, options.worker)
    if not (code or already or options.worker):
        prefix = "\n" if sys.stdout.isatty() else ""  # after the ^C that the terminal echoes
        print(f"{prefix}{say('Server stopped. All tables are saved.')}", flush=True)
    return code


def _greeting(opened: ServerAddress, say: Language) -> list[str]:
    """Return the lines that say where the server is; programs parse the end of the first one."""
    if opened.already:
        return [say("Wonderland is already running at {address}", address=opened.address)]
    lines = [say("Wonderland is running at {address}", address=opened.address)]
    if opened.taken:
        lines.append(say("The default port is in use, so this is the next free one."))
    if opened.others:
        lines.append(say("Others on your network can connect to {address}", address=opened.others))
    return [*lines, say("Press Ctrl-C to stop.")]
