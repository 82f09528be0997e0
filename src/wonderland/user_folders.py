"""The folder for a user's files."""

from __future__ import annotations

from pathlib import Path

from platformdirs import user_data_path

from wonderland.engine.errors import FileProblem
from wonderland.engine.language import phrase


def data_folder() -> Path:
    """Return the default folder for tables and their links, by the conventions of the platform.

    On Linux it is `$XDG_DATA_HOME/wonderland`, or else `~/.local/share/wonderland`. It may not exist.
    """
    try:
        return user_data_path("wonderland", appauthor=False)
    except RuntimeError:
        raise FileProblem(
            phrase("can't find your home folder. Set XDG_DATA_HOME to a folder for data.")
        ) from None
