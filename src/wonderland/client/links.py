"""Links to tables, as players share them; the secret comes after the `#`."""

from __future__ import annotations

import re
from urllib.parse import quote, urlsplit

from wonderland.engine.errors import UsageError
from wonderland.engine.errors import quote as quoted
from wonderland.engine.language import phrase
from wonderland.engine.values import Value

_SECRET = re.compile(r"[0-9A-Za-z_-]{1,100}")
_SEAT = re.compile(r"seat\.(\d{1,2})\.([0-9A-Za-z_-]{1,100})")
_TABLE = re.compile(r"(.*)/tables/([0-9A-Za-z_-]{1,64})/?")


class TableLink(Value, frozen=True):
    """The address of a table, with an invitation to it, to one of its seats, or to neither."""

    server: str
    """The address of the server, such as `http://localhost:8000`."""
    table: str
    invitation: str | None = None
    seat: int | None = None
    """The seat that `secret` is for."""
    secret: str | None = None

    @property
    def address(self) -> str:
        """The link without its secret, which is safe to show and store."""
        return f"{self.server}/tables/{quote(self.table)}"

    @property
    def text(self) -> str:
        """The whole link.

        >>> read_link("http://localhost:8000/tables/abc#s3cret").text
        'http://localhost:8000/tables/abc#s3cret'
        """
        if self.secret is not None:
            return f"{self.address}#seat.{self.seat}.{self.secret}"
        return self.address if self.invitation is None else f"{self.address}#{self.invitation}"


def read_server(text: str) -> str:
    """Normalise the address of a server; `UsageError` if it is invalid.

    >>> read_server("localhost:8000/")
    'http://localhost:8000'
    """
    address = text.strip() if "://" in text else f"http://{text.strip()}"
    try:
        parts = urlsplit(address)
        is_valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid or parts.username or parts.query or parts.fragment or not address.isascii():
        raise UsageError(
            phrase("{text} isn't the address of a server, such as http://host:8000."), text=quoted(text)
        )
    return f"{parts.scheme}://{parts.netloc.lower()}{parts.path.rstrip('/')}"


def read_link(text: str) -> TableLink:
    """Parse a link; `UsageError`, which never contains the secret, if it is invalid."""
    place, _, secret = text.strip().partition("#")
    found = _TABLE.fullmatch(place)
    if found is None:
        raise UsageError(
            phrase("{text} isn't a link to a table, such as http://host:8000/tables/abc#secret."),
            text=quoted(place),
        )
    link = TableLink(read_server(found[1]), found[2])
    if not secret:
        return link
    if seat := _SEAT.fullmatch(secret):
        return TableLink(link.server, link.table, seat=int(seat[1]), secret=seat[2])
    if _SECRET.fullmatch(secret):
        return TableLink(link.server, link.table, invitation=secret)
    raise UsageError(
        phrase("the part of the link to {address} after the # is incomplete. Copy the whole link."),
        address=link.address,
    )
