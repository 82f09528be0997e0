"""Arguments of the `wonderland admin` command."""

from __future__ import annotations

import argparse

from wonderland.arguments import language_of
from wonderland.engine.errors import UsageError
from wonderland.engine.language import phrase
from wonderland.features.admin import actions, moderation

_ABOUT = """\
Look after a server: its tables and its visitors. Everything except restore is
safe while the server is running, and every server that uses the database picks
up the change within seconds.

  backup FILE       write a consistent copy of the database to a new file
  restore FILE      put a backup back in place; the server must be stopped
  check             replay every stored table and compare it with the index
  prune             delete tables that haven't changed for --days days
  stats             count tables, log entries and documents
  erase WHAT        delete table:ID, or everything that identifies a person:
                    account:NAME, seat:TABLE/NUMBER or device:SECRET
  ban [WHAT]        ban an address, a network, account:NAME or
                    seat:TABLE/NUMBER, permanently or until --until;
                    --lift ends a ban; without WHAT, list all bans
  announce [TEXT]   show a message on every page and at every table, until
                    --until or --withdraw; without TEXT, print the current one

  wonderland admin backup copy.db
  wonderland admin restore tonight.db --force
  wonderland admin check
  wonderland admin prune --days 90 --dry-run
  wonderland admin stats --json
  wonderland admin ban 203.0.113.0/24 --until +7d --reason "spam in the chat"
  wonderland admin ban
  wonderland admin announce "The server restarts at eight o'clock." --until +2h
  wonderland admin announce --withdraw

Exit codes: 0 on success, 1 if a check found a problem, 2 on an error.
"""
_ACTIONS = {
    "backup": actions.back_up_database,
    "restore": actions.restore_database,
    "check": actions.check_tables,
    "prune": actions.prune_tables,
    "stats": actions.show_statistics,
    "erase": moderation.erase,
    "ban": moderation.ban,
    "announce": moderation.announce,
}
_TAKE_FILE = ("backup", "restore")
_TAKE_SUBJECT = ("erase", "ban", "announce")


def add_admin(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `wonderland admin` to its parser."""
    parser.description = _ABOUT
    parser.add_argument("action", choices=_ACTIONS, metavar="ACTION", help="what to do; see above")
    parser.add_argument(
        "subject", metavar="WHAT", nargs="?", help="the file, person, table or text; see above"
    )
    parser.add_argument(
        "--database",
        metavar="FILE|ADDRESS",
        default="",
        help="the server's database (default: the file in your data folder)",
    )
    parser.add_argument(
        "--days",
        metavar="N",
        type=int,
        default=90,
        help="with prune: days since the last change (default: 90)",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="with prune and erase: only show what would be deleted"
    )
    parser.add_argument(
        "--force", action="store_true", help="with backup and restore: replace an existing file"
    )
    parser.add_argument(
        "--json", action="store_true", help="with check, stats and ban (the list): print JSON"
    )
    parser.add_argument(
        "--until",
        metavar="TIME",
        default="",
        help="with ban and announce: when it ends, such as 2026-12-24T18:00 or +2h (default: never)",
    )
    parser.add_argument(
        "--reason", metavar="TEXT", default="", help="with ban: the reason shown to the visitor"
    )
    parser.add_argument("--lift", action="store_true", help="with ban: end the ban")
    parser.add_argument("--withdraw", action="store_true", help="with announce: remove the message")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Validate the options and run the action."""
    action, subject = options.action, options.subject
    if action in _TAKE_FILE and subject is None:
        raise UsageError(
            phrase("admin {action} needs the name of a file: wonderland admin {action} FILE."),
            action=action,
        )
    if action not in (*_TAKE_FILE, *_TAKE_SUBJECT) and subject is not None:
        raise UsageError(
            phrase("wonderland admin {action} takes no file. To choose a database, use --database."),
            action=action,
        )
    if options.lift and (action != "ban" or subject is None):
        raise UsageError(phrase("--lift needs the ban to lift: wonderland admin ban WHAT --lift."))
    if options.days < 1:
        raise UsageError(phrase("--days must be 1 or more, not {number}."), number=options.days)
    options.file = subject
    return _ACTIONS[action](options, language_of(options))
