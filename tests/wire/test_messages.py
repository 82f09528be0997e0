"""Commands and messages as JSON: what clients omit, and what they ignore."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from wonderland.wire.asyncapi import COMMANDS, MESSAGES
from wonderland.wire.commands import AnyCommand, CreateTable, Link, Say, Sit, new_key, read_command
from wonderland.wire.messages import CommandDone, Presence, read_message


def test_commands_are_sent_without_defaults() -> None:
    key = new_key()
    for command, sent in [
        (Sit(name="Alice", contribution="00" * 32, at=0, key=key), {"name", "contribution"}),
        (Say(seat=1, text="Hello", at=3, key=key), {"seat", "text"}),
        (Link(seat=1, at=3, key=key), {"seat"}),
    ]:
        encoded = msgspec.json.encode(command)
        assert set(json.loads(encoded)) == {"do", "at", "key"} | sent
        assert read_command(encoded) == command
    assert json.loads(msgspec.json.encode(CreateTable(game="parade", seats=2))) == {
        "game": "parade",
        "seats": 2,
    }


@pytest.mark.parametrize("kind", get_args(AnyCommand), ids=lambda kind: kind.__name__)
def test_a_server_accepts_no_unknown_fields(kind: Any) -> None:
    assert kind.__struct_config__.forbid_unknown_fields
    assert kind.__struct_config__.omit_defaults


def test_a_client_ignores_fields_of_a_newer_server() -> None:
    newer = b'{"type":"done","key":"k","version":3,"told":{},"took":0.1}'
    assert read_message(newer) == CommandDone("k", 3)
    assert read_message(b'{"type":"present","seats":[0],"spectators":2,"away":[1]}') == Presence([0], 2)


def test_the_documents_name_every_command_and_message() -> None:
    text = (Path(__file__).parents[2] / "docs" / "tables.md").read_text(encoding="utf-8")
    for kind in COMMANDS:
        assert f"`{kind.__struct_config__.tag}`" in text, kind
    for kind in MESSAGES:
        assert f"| `{kind.__struct_config__.tag}` | `{kind.__name__}` |" in text, kind


def test_a_new_key_is_a_valid_key() -> None:
    keys = {new_key() for _ in range(100)}
    assert len(keys) == 100
    for key in keys:
        body = json.dumps({"do": "start", "at": 0, "key": key}).encode()
        assert read_command(body).key == key
