"""What every storage says about the version of its schema."""

from __future__ import annotations

from wonderland.tables.storage import StorageError


def checked_version(found: str | None, newest: int, what: str) -> int:
    """How many steps of the schema have been taken; `StorageError` if that is none of ours."""
    if found is None:
        return 0
    version = int(found) if found.isdecimal() else newest + 1
    if version > newest:
        raise StorageError(
            f"{what} has version {found} of the schema, but this program knows versions up to "
            f"{newest}: use a newer program."
        )
    return version
