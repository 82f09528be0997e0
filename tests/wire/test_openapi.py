"""The OpenAPI document of a real server: valid, and typed down to each game's views."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator

from support.server import ServerProcess
from wonderland.engine import game, game_names
from wonderland.engine.serialization import to_plain
from wonderland.wire.schemas import ref


@pytest.fixture(scope="module")
def document(server: ServerProcess) -> dict[str, Any]:
    answer = httpx.get(f"{server.address}/api/openapi.json", trust_env=False)
    assert answer.headers["Content-Type"] == "application/json"
    found: dict[str, Any] = answer.json()
    return found


def test_the_document_is_valid(document: dict[str, Any]) -> None:
    assert [error.message for error in OpenAPIV31SpecValidator(document).iter_errors()] == []


def test_type_names_are_unique(document: dict[str, Any]) -> None:
    """For duplicates, `msgspec` prefixes the module; only games have prefixes."""
    prefixes = {name.rpartition(".")[0] for name in document["components"]["schemas"]}
    assert prefixes == {"", *game_names()}


def test_the_page_for_people_links_both_documents(server: ServerProcess) -> None:
    page = httpx.get(f"{server.address}/api/docs", trust_env=False).text
    assert "href=/api/openapi.json" in page
    assert "href=/api/asyncapi.json" in page


@pytest.mark.parametrize("name", game_names())
def test_views_and_events_have_their_own_schemas(document: dict[str, Any], name: str) -> None:
    schemas = document["components"]["schemas"]
    update = schemas["TableUpdate"]["properties"]
    assert ref(f"{name}.View") in update["view"]["anyOf"]
    assert ref(f"{name}.Event") in update["events"]["items"]["anyOf"]
    rules = game(name)
    view = rules.view(rules.start(rules.info.seats[0], rules.options_type()), None)
    validator = Draft202012Validator({**ref(f"{name}.View"), "components": document["components"]})
    found = to_plain(view)
    validator.validate(found)
    for field in found:
        without = {key: value for key, value in found.items() if key != field}
        assert not validator.is_valid(without), f"{field} is missed"
        assert not validator.is_valid(found | {field: object}), f"the type of {field} is checked"
