"""Logs as one JSON object a line. What is logged never holds a cookie, a secret or a query."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime

_USUAL = {*logging.makeLogRecord({}).__dict__, "message", "asctime", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    """Writes a record with whatever was given as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "name": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in record.__dict__.items() if name not in _USUAL},
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def set_up(level: str) -> None:
    """Log in this way to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("uvicorn.access").disabled = True  # it writes whole addresses
    for chatty in ("websockets.server", "asyncio"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").setLevel(max(logging.WARNING, logging.getLogger().level))
