"""Append-only list with O(1) copy-on-write forks: what a match keeps its moves and events in.

A fork shares the items until one of the two appends something else. Copying a list touches every item,
which for hundreds of matches in turn is most of what a move would cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class AppendOnlyList(Sequence[T], Generic[T]):
    """Items in order; `append` and `extend` are all that changes it.

    >>> one = AppendOnlyList([1, 2])
    >>> other = one.fork()
    >>> one.append(3); other.append(4)
    >>> one, other
    ([1, 2, 3], [1, 2, 4])
    """

    __slots__ = ("_items", "_length")
    __hash__ = None  # type: ignore[assignment]  # it can change

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def fork(self) -> AppendOnlyList[T]:
        """Another one with the same items, which grows by itself."""
        other = AppendOnlyList.__new__(AppendOnlyList)
        other._items, other._length = self._items, self._length  # noqa: SLF001 - a second constructor
        return other

    def append(self, item: T) -> None:
        """Add an item."""
        if self._length < len(self._items):  # a fork has grown where we want to
            self._items = self._items[: self._length]
        self._items.append(item)
        self._length += 1

    def extend(self, items: Iterable[T]) -> None:
        """Add items."""
        if self._length < len(self._items):
            self._items = self._items[: self._length]
        self._items.extend(items)
        self._length = len(self._items)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> T: ...

    @overload
    def __getitem__(self, place: slice) -> list[T]: ...

    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            start, stop, step = place.indices(self._length)
            if step < 0:  # a stop of -1 means "down to the first item", not "up to the last one"
                return [self._items[at] for at in range(start, stop, step)]
            return self._items[start:stop:step]
        if not -self._length <= place < self._length:
            raise IndexError(place)
        return self._items[place if place >= 0 else place + self._length]

    def __iter__(self) -> Iterator[T]:
        return iter(self._items[: self._length])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AppendOnlyList | list):
            return NotImplemented
        return list(self) == list(other)

    def __repr__(self) -> str:
        return repr(list(self))
