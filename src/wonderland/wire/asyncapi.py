"""The AsyncAPI 3 document of the WebSocket, generated from the wire classes."""

from __future__ import annotations

from typing import Any, get_args

from wonderland import __version__
from wonderland.wire.commands import AnyCommand
from wonderland.wire.messages import AnyMessage, AnyPageMessage, CommandDone, CommandRefused, PageUpdate
from wonderland.wire.schemas import Schema, ref, schemas_of

_ABOUT = (
    "One WebSocket for each table that a client watches or plays at. The client sends commands; the "
    "server sends the table whenever it changes, a reply to each command, and who is connected. The "
    "device is identified by the cookie `wonderland`, which the HTTP API (openapi.json) sets when a "
    "table is created or a seat is taken; without it, the client is a spectator. To reconnect, pass the "
    "last known `version` as `after`, and resend unanswered commands with the same `key`: no command is "
    "executed twice."
)
_QUERY: dict[str, Schema] = {
    "seat": {
        "type": "integer",
        "minimum": 0,
        "description": "A seat of this device. Default: its first seat; without one, a spectator.",
    },
    "after": {
        "type": "integer",
        "minimum": 0,
        "description": "The last version that the client has seen; `events` starts after it.",
    },
    "form": {"enum": ["page"], "description": "Send `PageUpdate` instead of `TableUpdate`."},
    "lang": {"type": "string", "description": "Language of the pages, such as `de`."},
}
_CHANNEL = "#/channels/table"
_KEY = {"$ref": "#/components/correlationIds/key"}

COMMANDS: tuple[Any, ...] = get_args(AnyCommand)
MESSAGES: tuple[Any, ...] = (*get_args(AnyMessage), PageUpdate)


def asyncapi_document() -> dict[str, Any]:
    """Build the AsyncAPI document, from the server's point of view."""
    _, schemas = schemas_of([AnyCommand, AnyMessage, AnyPageMessage])
    kinds = (*COMMANDS, *MESSAGES)
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Wonderland", "version": __version__, "description": _ABOUT},
        "defaultContentType": "application/json",
        "channels": {"table": _channel(kinds)},
        "operations": {
            "receiveCommand": {
                "action": "receive",
                "channel": {"$ref": _CHANNEL},
                "summary": "Execute a command from a client.",
                "messages": _message_refs(COMMANDS),
                "reply": {
                    "channel": {"$ref": _CHANNEL},
                    "messages": _message_refs((CommandDone, CommandRefused)),
                },
            },
            "sendMessage": {
                "action": "send",
                "channel": {"$ref": _CHANNEL},
                "summary": "Send a table update, a reply to a command, or who is connected.",
                "messages": _message_refs(MESSAGES),
            },
        },
        "components": {
            "messages": {kind.__name__: _message(kind) for kind in kinds},
            "schemas": {name: _to_draft_7(schema) for name, schema in schemas.items()},
            "correlationIds": {
                "key": {
                    "description": "The key of a command, repeated in its reply.",
                    "location": "$message.payload#/key",
                }
            },
        },
    }


def _channel(kinds: tuple[Any, ...]) -> dict[str, Any]:
    query = {"type": "object", "properties": _QUERY}
    return {
        "address": "/api/tables/{table}/live",
        "title": "A table",
        "description": "Live connection to a table. Messages to the server can have at most 8 KiB.",
        "parameters": {"table": {"description": "The id of the table."}},
        "messages": {
            kind.__name__: {"$ref": f"#/components/messages/{kind.__name__}"} for kind in kinds
        },
        "bindings": {"ws": {"method": "GET", "query": query, "bindingVersion": "0.1.0"}},
    }


def _message_refs(kinds: tuple[Any, ...]) -> list[dict[str, str]]:
    return [{"$ref": f"{_CHANNEL}/messages/{kind.__name__}"} for kind in kinds]


def _message(kind: Any) -> dict[str, Any]:
    message = {
        "name": kind.__struct_config__.tag,
        "title": kind.__name__,
        "summary": kind.__doc__.partition("\n")[0],
        "payload": ref(kind.__name__),
    }
    return message | ({"correlationId": _KEY} if "key" in kind.__struct_fields__ else {})


def _to_draft_7(schema: Any) -> Any:
    """Convert a schema to JSON Schema draft 7, the dialect of AsyncAPI."""
    if isinstance(schema, list):
        return [_to_draft_7(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _to_draft_7(each) for key, each in schema.items() if key != "discriminator"}
    if "prefixItems" in found:
        found["items"] = found.pop("prefixItems")
    return found
