"""JSON Schemas of the wire types, including the views and events of every game.

Both the OpenAPI and the AsyncAPI document take their schemas from here. Those of commands and messages
come from `msgspec`; those of a game's values mirror how they are decoded (`engine/serialization.py`),
and are named `parade.View`, `parade.CardPlayed` and so on.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

import msgspec

from wonderland.engine.registry import game, game_names, package_of
from wonderland.wire.messages import TableUpdate

Schema: TypeAlias = dict[str, Any]
_REF = "#/components/schemas/{name}"
_PRIMITIVES: dict[Any, Schema] = {
    NoneType: {"type": "null"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
}


def ref(name: str) -> Schema:
    """A reference to a schema among the components."""
    return {"$ref": _REF.format(name=name)}


def schemas_of(kinds: Sequence[Any]) -> tuple[list[Schema], dict[str, Schema]]:
    """Return the schema of each type, and the components that they refer to by name."""
    found, components = msgspec.json.schema_components([*kinds, TableUpdate], ref_template=_REF)
    for component in components.values():
        _make_tags_constant(component)
        _drop_doctests(component)
    views, events = [], []
    for name in game_names():
        rules, schemas = game(name), _GameSchemas(name, components)
        views.append(schemas.of(rules.view_type))
        events.append(schemas.named("Event", rules.event_type, "Something that happened in the game."))
    shown = components[TableUpdate.__name__]["properties"]
    shown["view"] = {
        "anyOf": [*views, _PRIMITIVES[NoneType]],
        "description": "The game as this seat sees it; `null` before it starts.",
    }
    shown["events"]["items"] = {"anyOf": events}
    return list(found[:-1]), components


def _make_tags_constant(component: Schema) -> None:
    """Write a tag as a constant instead of an enum of one value, which simplifies generated clients."""
    for name, schema in component.get("properties", {}).items():
        if len(schema.get("enum", ())) == 1:
            component["properties"][name] = {"const": schema["enum"][0]}


def _drop_doctests(component: Schema) -> None:
    """Remove the doctests of a docstring from the description of its class."""
    if "description" in component:
        component["description"] = component["description"].partition(">>>")[0].rstrip()


class _GameSchemas:
    """Builds the schemas of one game's values, as components prefixed with the game's name."""

    def __init__(self, game_name: str, components: dict[str, Schema]) -> None:
        self._name, self._package = game_name, package_of(game_name)
        self._components = components

    def named(self, name: str, kind: Any, description: str) -> Schema:
        """Add a component for a type without a name, such as a union; return a reference to it."""
        self._components[f"{self._name}.{name}"] = self.of(kind) | {"description": description}
        return ref(f"{self._name}.{name}")

    def of(self, kind: Any) -> Schema:
        """The schema of a type."""
        origin = get_origin(kind)
        if origin in (Union, UnionType):
            return self._union(get_args(kind))
        if origin is tuple:
            return self._tuple(get_args(kind))
        if origin is Literal:
            return {"enum": list(get_args(kind))}
        if kind in _PRIMITIVES:
            return _PRIMITIVES[kind]
        return self._class(kind) if isinstance(kind, type) else {}

    def _union(self, kinds: Sequence[Any]) -> Schema:
        schema: Schema = {"anyOf": [self.of(kind) for kind in kinds]}
        if all(isinstance(kind, type) and issubclass(kind, msgspec.Struct) for kind in kinds):
            mapping = {
                kind.__struct_config__.tag: schema["anyOf"][number]["$ref"]
                for number, kind in enumerate(kinds)
            }
            schema["discriminator"] = {"propertyName": "type", "mapping": mapping}
        return schema

    def _tuple(self, kinds: Sequence[Any]) -> Schema:
        if len(kinds) == 2 and kinds[1] is ...:
            return {"type": "array", "items": self.of(kinds[0])}
        return {
            "type": "array",
            "prefixItems": [self.of(kind) for kind in kinds],
            "minItems": len(kinds),
            "maxItems": len(kinds),
        }

    def _class(self, kind: type[Any]) -> Schema:
        """A reference to the schema of a class; classes outside the game's package are shared."""
        module = f"{kind.__module__}."
        is_shared = module.startswith("wonderland.") and not module.startswith(f"{self._package}.")
        name = kind.__name__ if is_shared else f"{self._name}.{kind.__name__}"
        if name not in self._components:
            self._components[name] = {}  # placeholder, as the class may refer to itself
            description = {"description": inspect.cleandoc(kind.__doc__ or "").partition("\n")[0]}
            self._components[name] = {"title": name} | description | self._body(kind)
        return ref(name)

    def _body(self, kind: type[Any]) -> Schema:
        if issubclass(kind, msgspec.Struct):
            return self._struct(kind)
        if issubclass(kind, Enum):
            return {"enum": [member.value for member in kind]}
        if issubclass(kind, tuple):
            hints = get_type_hints(kind)
            return self._tuple([hints[name] for name in kind._fields])  # type: ignore[attr-defined]
        return {"type": "string"}

    def _struct(self, kind: type[msgspec.Struct]) -> Schema:
        hints = get_type_hints(kind)
        fields = {name: self.of(hints[name]) for name in kind.__struct_fields__}
        return {
            "type": "object",
            "properties": {"type": {"const": kind.__struct_config__.tag}, **fields},
            "required": ["type", *fields],
        }
