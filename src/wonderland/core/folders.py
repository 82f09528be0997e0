"""Where this program keeps what belongs to whoever runs it."""

from __future__ import annotations

import os
from pathlib import Path

from wonderland.core.errors import FileProblem


def data_folder() -> Path:
    """The folder for what people play, if they don't say otherwise; it need not be there yet."""
    home = os.environ.get("XDG_DATA_HOME")
    try:
        return (Path(home) if home else Path.home() / ".local" / "share") / "wonderland"
    except RuntimeError:
        raise FileProblem("your home folder is not known: name one in XDG_DATA_HOME.") from None
