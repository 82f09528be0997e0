"""Who may take a free seat, and the links of rematches."""

from __future__ import annotations

import hashlib
import secrets

from wonderland.tables.fairness import ServerKey
from wonderland.tables.table import Table
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

_MAX_INVITATIONS = 8
"""Links to earlier tables that are kept; an evening may have many rematches."""


def rematch_id(table: Table) -> str:
    """The id of the rematch table: the same for every player who asks, and unguessable."""
    return hashlib.sha256(f"{table.id}\0{table.opened.nonce}".encode()).hexdigest()[:20]


def rematch_invitation(key: ServerKey, table: str) -> str:
    """The secret of a rematch table's link: the same for every player who asks."""
    return key.keyed_hash("invitation", table)[:24]


def invitations_after(table: Table) -> tuple[str, ...]:
    """The hashes of the links to a table and to those before it, which also invite to its rematch."""
    opened = table.opened
    return () if opened.access == "bots" else (*opened.invited, opened.invitation)[-_MAX_INVITATIONS:]


def check_invited(table: Table, device: str, hashed: str) -> None:
    """Refuse a free seat to anyone but the host, link holders, and everyone at an open table.

    `hashed` is the hash of the secret in a link: to this table, or to one before it.
    """
    opened = table.opened
    if device == opened.host or opened.access == "open":
        return
    if opened.access == "bots":
        raise Refusal(Code.ONLY_BOTS, "This table is only for its host and bots.")
    if not any(secrets.compare_digest(hashed, each) for each in (opened.invitation, *opened.invited)):
        raise Refusal(Code.INVITATION_NEEDED, "To join this table, ask the host for its link.")
