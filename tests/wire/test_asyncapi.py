"""The AsyncAPI document of a real server: its references resolve, and real messages validate."""

from __future__ import annotations

import json
import random
import re
import secrets
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from jsonschema import Draft7Validator
from jsonschema.exceptions import best_match
from websockets.sync.client import ClientConnection, connect

from support.server import ServerProcess
from wonderland.client import http
from wonderland.client.links import TableLink
from wonderland.engine import game_names
from wonderland.wire.asyncapi import COMMANDS, MESSAGES
from wonderland.wire.commands import CreateTable, Sit, new_key


@pytest.fixture(scope="module")
def document(server: ServerProcess) -> dict[str, Any]:
    answer = httpx.get(f"{server.address}/api/asyncapi.json", trust_env=False)
    assert answer.headers["Content-Type"] == "application/json"
    found: dict[str, Any] = answer.json()
    return found


def references(value: Any) -> Iterator[str]:
    """Return all references in a document."""
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        for each in value.values():
            yield from references(each)
    elif isinstance(value, list):
        for each in value:
            yield from references(each)


def resolve(document: dict[str, Any], reference: str) -> Any:
    found: Any = document
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return found


def test_every_reference_resolves(document: dict[str, Any]) -> None:
    found = set(references(document))
    assert len(found) > 100
    for reference in found:
        assert reference.startswith("#/")
        assert resolve(document, reference), reference


def test_it_is_a_valid_asyncapi_document(document: dict[str, Any]) -> None:
    assert document["asyncapi"] == "3.0.0"
    assert set(document) == {
        "asyncapi",
        "info",
        "defaultContentType",
        "channels",
        "operations",
        "components",
    }
    assert {"title", "version"} <= set(document["info"])
    for channel in document["channels"].values():
        assert set(re.findall(r"{(\w+)}", channel["address"])) == set(channel["parameters"])
    for operation in document["operations"].values():
        assert operation["action"] in ("send", "receive")
        own = f"{operation['channel']['$ref']}/messages/"
        for part in (operation, operation.get("reply", {"messages": []})):
            assert all(message["$ref"].startswith(own) for message in part["messages"])
    for name, part in document["components"].items():
        assert name in ("messages", "schemas", "correlationIds")
        assert all(re.fullmatch(r"[\w.-]+", key) for key in part)
    for schema in document["components"]["schemas"].values():
        Draft7Validator.check_schema(schema)
        assert "prefixItems" not in json.dumps(schema)
        assert "discriminator" not in json.dumps(schema)


def test_every_command_and_message_is_documented(document: dict[str, Any]) -> None:
    operations = document["operations"]
    for action, kinds in (("receive", COMMANDS), ("send", MESSAGES)):
        (operation,) = (each for each in operations.values() if each["action"] == action)
        payloads = {}
        for reference in operation["messages"]:
            message = resolve(document, resolve(document, reference["$ref"])["$ref"])
            payloads[message["name"]] = resolve(document, message["payload"]["$ref"])
        assert set(payloads) == {kind.__struct_config__.tag for kind in kinds}
        for kind in kinds:
            config = kind.__struct_config__
            schema = payloads[config.tag]
            assert set(schema["properties"]) == {config.tag_field, *kind.__struct_encode_fields__}
            assert schema["properties"][config.tag_field] == {"const": config.tag}


def validator_of(document: dict[str, Any], reference: str) -> Draft7Validator:
    return Draft7Validator({"allOf": [{"$ref": reference}], "components": document["components"]})


class Checked:
    """A WebSocket whose every message, in both directions, is validated against the document."""

    def __init__(self, document: dict[str, Any], socket: ClientConnection) -> None:
        self._document, self._socket = document, socket
        messages = document["components"]["messages"].values()
        self._payloads = {each["name"]: each["payload"]["$ref"] for each in messages}
        self._validators: dict[str, Draft7Validator] = {}
        self.seen: set[str] = set()

    def send(self, **command: Any) -> str:
        """Send a command; return its key."""
        command |= {"key": new_key()}
        self._check(command["do"], command)
        self._socket.send(json.dumps(command))
        return str(command["key"])

    def receive(self) -> Any:
        message = json.loads(self._socket.recv(timeout=60))
        self._check(message["type"], message)
        return message

    def receive_until(self, kind: str, key: str | None = None) -> Any:
        """Return the next message of this type, with this key if one is given."""
        while True:
            message = self.receive()
            if message["type"] == kind and key in (None, message.get("key")):
                return message

    def _check(self, name: str, message: dict[str, Any]) -> None:
        self._validate(self._payloads[name], message)
        self.seen.add(name)
        if name == "table" and message["view"] is not None:
            game = message["table"]["game"]
            self._validate(f"#/components/schemas/{game}.View", message["view"])
            for event in message["events"]:
                self._validate(f"#/components/schemas/{game}.Event", event)

    def _validate(self, reference: str, value: Any) -> None:
        if reference not in self._validators:
            self._validators[reference] = validator_of(self._document, reference)
        error = best_match(self._validators[reference].iter_errors(value))
        assert error is None, error


def sit_twice(link: TableLink, device: str) -> None:
    """Take both seats with one device."""
    for seat, name in enumerate(("Alice", "Dinah")):
        contribution = secrets.token_hex(32)
        sit = Sit(name=name, contribution=contribution, seat=seat, at=seat, key=new_key())
        http.send_command(link, device, sit)


@pytest.mark.parametrize("name", game_names())
def test_the_messages_of_a_whole_game_validate(
    document: dict[str, Any], server: ServerProcess, name: str
) -> None:
    rng, device = random.Random(name), secrets.token_urlsafe(32)
    link = http.create_table(server.address, device, CreateTable(game=name, seats=2))
    sit_twice(link, device)
    with ExitStack() as stack:

        def opened(query: str) -> Checked:
            address = f"{link.server.replace('http', 'ws', 1)}/api/tables/{link.table}/live?{query}"
            cookie = {"Cookie": f"wonderland={device}"}
            socket = connect(address, additional_headers=cookie, proxy=None, close_timeout=0.2)
            return Checked(document, stack.enter_context(socket))

        seats, page = [opened(f"seat={seat}&after=0") for seat in range(2)], opened("form=page")
        shown = [seat.receive_until("table") for seat in seats]
        seats[0].send(do="start", at=shown[0]["version"])
        while shown[0]["table"]["status"] != "finished":
            shown = [seat.receive_until("table") for seat in seats]
            mover = next((n for n, each in enumerate(shown) if each["legal"]), None)
            if mover is not None:
                action = rng.choice(shown[mover]["legal"])
                seats[mover].send(do="play", at=shown[mover]["version"], seat=mover, action=action)
        version = shown[0]["version"]
        again = seats[0].send(do="start", at=version)
        assert seats[0].receive_until("refused", again)["problem"] == "not now"
        seats[0].send(do="say", at=version, seat=0, text="Well played!")
        assert seats[1].receive_until("table")["said"]
        linking = seats[0].send(do="link", at=version, seat=0)
        assert "secret" in seats[0].receive_until("done", linking)["told"]
        page.receive_until("page")
        seen = seats[0].seen | seats[1].seen | page.seen
    assert seen >= {"table", "page", "done", "refused", "present", "start", "play", "say", "link"}


def test_a_wrong_message_does_not_validate(document: dict[str, Any]) -> None:
    validator = validator_of(document, "#/components/schemas/Play")
    good = {"do": "play", "at": 3, "key": "keykeykey", "seat": 0, "action": "G3"}
    assert validator.is_valid(good)
    for wrong in ({"seat": 99}, {"do": "sit"}, {"key": "short"}, {"more": 1}, {"at": "3"}):
        assert not validator.is_valid(good | wrong), wrong
