"""Uploaded records: stored in canonical form, under a hash of their text.

The same record always has the same name, whoever uploads it and however often.
"""

from __future__ import annotations

import base64
import hashlib

from wonderland.engine.protocol import CHANCE
from wonderland.engine.record_reader import Reading, read_record
from wonderland.tables.storage.documents import RECORDS, DocumentStore
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

MAX_RECORDS = 10_000
"""Limit of uploaded records; the least recently used are evicted."""
MAX_RECORD_LENGTH = 64 * 1024
"""Limit for one record, in characters."""
_MAX_DECISIONS = 2000


def name_of(text: bytes) -> str:
    """Name of a record: a hash of its text."""
    return base64.b32encode(hashlib.sha256(text).digest()[:10]).decode().lower()


def normalise_record(text: str, *, keep_faulty: bool = False) -> bytes | Reading:
    """Return a record in canonical form, or what was read of a record with a fault.

    If faulty records are kept and there is something to show, the text is returned as it is. Raise
    `Refusal` if the record is too long.
    """
    reading = read_record(text)
    record = reading.record
    if record is None:
        return reading
    if sum(move.actor is not CHANCE for move in record.moves) > _MAX_DECISIONS:
        raise Refusal(
            Code.RECORD_TOO_LONG, "A replay can have at most {number} moves.", number=_MAX_DECISIONS
        )
    if reading.fault is None:
        return record.text().encode()
    return text.encode() if keep_faulty else reading


async def store_record(documents: DocumentStore, record: bytes) -> str:
    """Store the text of a record and return its name; evict the least recently used."""
    name = name_of(record)
    if await documents.get(RECORDS, name) is None:
        await documents.put(RECORDS, name, record)
        await documents.trim(RECORDS, MAX_RECORDS)
    return name
