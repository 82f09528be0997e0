"""What a kernel needs of the module `cython` where it runs uncompiled and Cython is not installed.

A kernel is Python that Cython can also turn into C. Compiled, nothing of `cython` is left in it;
uncompiled, the decorators do nothing, types are never looked at, and a cast gives what it was given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

compiled = False


def _unchanged(function: F) -> F:
    return function


cfunc = inline = cclass = final = _unchanged


def exceptval(*_: object, check: bool = True) -> Callable[[F], F]:  # noqa: ARG001 - for C only
    """How C code tells of an exception: of no use here."""
    return _unchanged


class _WithoutLock:
    """`cython.nogil`, both as decorator and in a `with`."""

    def __call__(self, function: F) -> F:
        return function

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


nogil = _WithoutLock()


class _CType:
    """A type of C: it can have a length, and means nothing."""

    def __getitem__(self, _: object) -> _CType:
        return self


char = int = long = longlong = uint = ulong = ulonglong = float = double = _CType()  # noqa: A001
p_int = p_longlong = p_ulonglong = p_double = _CType()


def declare(_: _CType, value: Any = None) -> Any:
    """A variable of C."""
    return value


def cast(_: _CType, value: Any) -> Any:
    """The value as another type of C."""
    return value
