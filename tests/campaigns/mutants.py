"""Mutants of a module: its syntax tree with one small fault planted in it.

The faults are the ones that slip into rules: a comparison that is off by one, `and` for `or`, a dropped
`not`, a wrong sign, `min` for `max`, a missing sort, a constant off by one, a statement left out, a
function that returns nothing. Annotations, docstrings, assertions and texts are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType
from typing import NamedTuple

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list", "reversed": "list"}
_UNTOUCHED_FIELDS = {"annotation", "returns", "decorator_list", "pattern"}
_CONDITIONS = {"test", "ifs", "guard"}
_LONGEST_CONTEXT = 80


class Place(NamedTuple):
    """The place of a node in the tree."""

    parent: ast.AST
    field: str
    index: int | None

    def put(self, node: ast.AST) -> None:
        """Put another node there."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True)
class Mutant:
    """One fault in one module."""

    module: str
    function: str
    """The qualified name, or `<module>` for code outside functions."""
    path: Path
    line: int
    before: str
    after: str
    tree: ast.Module
    place: Place
    original: ast.AST
    replacement: ast.AST

    @property
    def change(self) -> str:
        """The changed text, before and after."""
        return f"{self.before} -> {self.after}"

    def compiled(self) -> CodeType:
        """Compile the module with the fault in it."""
        self.place.put(ast.copy_location(self.replacement, self.original))
        try:
            return compile(ast.fix_missing_locations(self.tree), str(self.path), "exec")
        finally:
            self.place.put(self.original)


def mutants_of(module: str, path: Path) -> list[Mutant]:
    """Return every mutant of a module, in source order."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        Mutant(
            *(module, function, path, getattr(node, "lineno", 0)),
            *_texts(place, node, replacement),
            *(tree, place, node, replacement),
        )
        for place, node, function, rebound in _nodes(tree, "<module>", frozenset())
        for replacement in _replacements(place, node, function, rebound)
    ]


def _texts(place: Place, node: ast.AST, replacement: ast.AST) -> tuple[str, str]:
    """Return the changed text, before and after; a small expression is shown in its context."""
    if not isinstance(place.parent, ast.expr) or isinstance(place.parent, ast.FormattedValue):
        return ast.unparse(node), ast.unparse(replacement)
    before = ast.unparse(place.parent)
    if len(before) > _LONGEST_CONTEXT:
        return ast.unparse(node), ast.unparse(replacement)
    place.put(replacement)
    after = ast.unparse(place.parent)
    place.put(node)
    return before, after


def _nodes(
    parent: ast.AST, function: str, rebound: frozenset[str]
) -> Iterator[tuple[Place, ast.AST, str, frozenset[str]]]:
    """Yield every node that may be changed, with its function and the names rebound there."""
    for field, value in ast.iter_fields(parent):
        if field in _UNTOUCHED_FIELDS:
            continue
        several = isinstance(value, list)
        for index, node in enumerate(value if several else [value]):
            if not isinstance(node, ast.AST) or _is_untouched(node):
                continue
            inner, names = function, rebound
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                inner = node.name if function == "<module>" else f"{function}.{node.name}"
            if isinstance(node, ast.FunctionDef):
                names = _bound_again(node)
            yield Place(parent, field, index if several else None), node, inner, names
            yield from _nodes(node, inner, names)


def _is_untouched(node: ast.AST) -> bool:
    """Tell whether a node states no rule: types, texts, imports, assertions."""
    match node:
        case ast.Assert() | ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant()):
            return True
        case ast.If(test=ast.Name("TYPE_CHECKING")) | ast.Expr(ast.Call(ast.Name("assert_never"))):
            return True
        case ast.AnnAssign(annotation=ast.Name("TypeAlias")) | ast.AnnAssign(value=None):
            return True
        case ast.Assign(targets=[ast.Name("__slots__")]) | ast.keyword(arg="strict" | "frozen"):
            return True
    return False


def _bound_again(function: ast.FunctionDef) -> frozenset[str]:
    """Return the names that already have a value where the function assigns to them."""
    arguments = function.args
    seen = {it.arg for it in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    again = set()
    stores = [
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    for name in stores:
        (again if name in seen else seen).add(name)
    return frozenset(again)


def _replacements(
    place: Place, node: ast.AST, function: str, rebound: frozenset[str]
) -> Iterator[ast.AST]:
    if isinstance(node, ast.stmt) and function != "<module>":
        yield from _statements(node, rebound)
    if isinstance(node, ast.expr):
        yield from _expressions(node)
        if place.field in _CONDITIONS and not isinstance(node, (ast.Compare, ast.BoolOp, ast.UnaryOp)):
            yield ast.UnaryOp(ast.Not(), node)


def _statements(node: ast.stmt, rebound: frozenset[str]) -> Iterator[ast.stmt]:
    match node:
        case ast.Return(value=value) if value is not None and not isinstance(value, ast.Constant):
            yield ast.Return(ast.Constant(None))
        case ast.AugAssign(target, operator, value):
            yield ast.Pass()
            if other := _ARITHMETIC.get(type(operator)):
                yield ast.AugAssign(target, other(), value)
        case ast.Expr() | ast.Raise() | ast.Continue() | ast.Break():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Assign(targets=targets) if {
            name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)
        } <= rebound:
            yield ast.Pass()


def _expressions(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left, operators, comparators):
            for at, operator in enumerate(operators):
                for other in _COMPARISONS[type(operator)]:
                    changed = [*operators[:at], other(), *operators[at + 1 :]]
                    yield ast.Compare(left, changed, comparators)
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
            for at in range(len(values)):
                rest = values[:at] + values[at + 1 :]
                yield ast.BoolOp(operator, rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.BinOp(left, ast.Mod(), _):
            yield left
        case ast.BinOp(left, operator, right) if other_kind := _ARITHMETIC.get(type(operator)):
            yield ast.BinOp(left, other_kind(), right)
        case ast.Call(ast.Name(name), arguments, keywords) if name in _CALLS:
            yield ast.Call(ast.Name(_CALLS[name], ast.Load()), arguments, keywords)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield ast.Constant(value + 1)
            yield ast.Constant(value - 1)
