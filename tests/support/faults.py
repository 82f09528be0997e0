"""Faults planted in a copy of a module, to prove that the tests find them.

A fault is a change of the syntax tree of one function, so comments, layout and changes elsewhere don't
matter:

    Fault("wonderland.games.letters.compiled.play", "is_complete", "_1 == 5", "_1 >= 4")

The pattern is Python, in which `_` stands for any expression and `_1`, `_2` … for those that the
replacement repeats. It must fit exactly one place of the function. A fault that fits nowhere or changes
nothing raises an error, so none goes missing silently when the code changes.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any, NamedTuple

_ANYTHING = re.compile(r"_\d?")


class FaultError(Exception):
    """A fault that can't be planted, because the code is not what the fault expects."""


class Fault(NamedTuple):
    """A change to one function of a module."""

    module: str
    """Dotted name."""
    function: str
    """Name, or the end of the qualified name if there are several; empty for the module's own level."""
    pattern: str
    """An expression, or a statement."""
    replacement: str
    """The same kind as the pattern; `pass` also replaces a call that is a statement of its own."""

    def plant(self, tree: ast.Module) -> ast.Module:
        """Return a copy of the module's tree with this fault."""
        changed = deepcopy(tree)
        scope = _function(changed, self) if self.function else changed
        pattern, replacement = _parse(self.pattern), _parse(self.replacement)
        if isinstance(pattern, ast.Expr) and isinstance(replacement, ast.Expr):
            pattern, replacement = pattern.value, replacement.value  # any expression, not a statement
        found = [
            (place, captured)
            for place in _places(scope)
            if (captured := _match(pattern, place.node)) is not None
        ]
        if len(found) != 1:
            raise FaultError(f"{self.pattern!r} fits {len(found)} places of {self._where}, not one.")
        place, captured = found[0]
        place.put(_WildcardFiller(captured).visit(deepcopy(replacement)))
        if ast.dump(changed) == ast.dump(tree):
            raise FaultError(f"Replacing {self.pattern!r} changes nothing in {self._where}.")
        return ast.fix_missing_locations(changed)

    @property
    def _where(self) -> str:
        return f"{self.module}.{self.function}".removesuffix(".")


class _Place(NamedTuple):
    """A node, and the field of its parent that holds it."""

    node: ast.AST
    parent: ast.AST
    field: str
    index: int | None

    def put(self, node: ast.AST) -> None:
        if hasattr(self.node, "ctx"):  # whether it is read or assigned to
            node.ctx = self.node.ctx  # type: ignore[attr-defined]
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


def _parse(text: str) -> ast.stmt:
    (statement,) = ast.parse(text).body
    return statement


def _function(tree: ast.Module, fault: Fault) -> ast.FunctionDef:
    found = [node for name, node in _functions(tree, "") if f".{name}".endswith(f".{fault.function}")]
    if len(found) != 1:
        raise FaultError(f"{fault.module} has {len(found)} functions {fault.function!r}, not one.")
    return found[0]


def _functions(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            if isinstance(child, ast.FunctionDef):
                yield prefix + child.name, child
            yield from _functions(child, f"{prefix}{child.name}.")


def _places(scope: ast.AST) -> Iterator[_Place]:
    for parent in ast.walk(scope):
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.AST):
                yield _Place(value, parent, field, None)
            elif isinstance(value, list):
                nodes = enumerate(value)
                yield from (
                    _Place(node, parent, field, n) for n, node in nodes if isinstance(node, ast.AST)
                )


def _match(pattern: Any, node: Any) -> dict[str, ast.AST] | None:
    """Match a node against a pattern; return what the wildcards stand for, or `None`."""
    if isinstance(pattern, ast.Name) and _ANYTHING.fullmatch(pattern.id):
        return {pattern.id: node} if isinstance(node, ast.expr) else None
    if isinstance(pattern, ast.expr_context):
        return {}
    if isinstance(pattern, ast.AST):
        if type(pattern) is not type(node):
            return None
        return _match(
            [value for _, value in ast.iter_fields(pattern)], [v for _, v in ast.iter_fields(node)]
        )
    if isinstance(pattern, list):
        if not isinstance(node, list) or len(pattern) != len(node):
            return None
        captured: dict[str, ast.AST] = {}
        for one, other in zip(pattern, node, strict=True):
            if (more := _match(one, other)) is None:
                return None
            captured |= more
        return captured
    return {} if pattern == node else None


class _WildcardFiller(ast.NodeTransformer):
    """Fills the wildcards of a replacement."""

    def __init__(self, captured: dict[str, ast.AST]) -> None:
        self._captured = captured

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return deepcopy(self._captured.get(node.id, node))
