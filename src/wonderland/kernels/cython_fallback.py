"""Stand-in for the module `cython`, for uncompiled kernels when Cython is not installed.

A kernel is Python that Cython can compile to C. Compiled, nothing of `cython` remains in it;
uncompiled, decorators do nothing, types are ignored, and casts return their argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

compiled = False


def _unchanged(function: F) -> F:
    return function


cfunc = inline = cclass = final = _unchanged


def exceptval(*_: object, check: bool = True) -> Callable[[F], F]:  # noqa: ARG001 - only matters in C
    """Declare the exception value of a C function: a no-op here."""
    return _unchanged


class _NoGil:
    """`cython.nogil`, both as a decorator and as a context manager."""

    def __call__(self, function: F) -> F:
        return function

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


nogil = _NoGil()


class _CType:
    """A C type, which can be subscripted and has no meaning here."""

    def __getitem__(self, _: object) -> _CType:
        return self


char = int = long = longlong = uint = ulong = ulonglong = float = double = _CType()  # noqa: A001
p_int = p_uchar = p_longlong = p_ulonglong = p_double = _CType()


def declare(_: _CType, value: Any = None) -> Any:
    """Declare a C variable: return its value."""
    return value


def cast(_: _CType, value: Any) -> Any:
    """Cast to a C type: return the value unchanged."""
    return value
