"""Append-only list with O(1) copy-on-write forks, for the moves and events of a match.

Forks share their items until both have appended. Copying a list touches every item, and with hundreds
of matches in turn that would dominate the cost of a move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class AppendOnlyList(Sequence[T], Generic[T]):
    """A list that can only grow, by `append` and `extend`.

    >>> one = AppendOnlyList([1, 2])
    >>> other = one.fork()
    >>> one.append(3); other.append(4)
    >>> one, other
    ([1, 2, 3], [1, 2, 4])
    """

    __slots__ = ("_items", "_length")
    __hash__ = None  # type: ignore[assignment]  # mutable

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def fork(self) -> AppendOnlyList[T]:
        """Return an independent list with the same items."""
        other = AppendOnlyList.__new__(AppendOnlyList)
        other._items, other._length = self._items, self._length  # noqa: SLF001 - a second constructor
        return other

    def append(self, item: T) -> None:
        """Append an item."""
        if self._length < len(self._items):  # a fork has already appended here
            self._items = self._items[: self._length]
        self._items.append(item)
        self._length += 1

    def extend(self, items: Iterable[T]) -> None:
        """Append several items."""
        if self._length < len(self._items):
            self._items = self._items[: self._length]
        self._items.extend(items)
        self._length = len(self._items)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._length)
            if step < 0:  # as a slice bound, a stop of -1 would mean the last item
                return [self._items[position] for position in range(start, stop, step)]
            return self._items[start:stop:step]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._items[index if index >= 0 else index + self._length]

    def __iter__(self) -> Iterator[T]:
        return iter(self._items[: self._length])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AppendOnlyList | list):
            return NotImplemented
        return list(self) == list(other)

    def __repr__(self) -> str:
        return repr(list(self))
