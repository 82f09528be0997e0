"""What was found, for machines: JSON for the whole, CSV or Parquet for every single game.

Games are numbered as in the simulation; seats are counted from 1, as people are shown them.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from wonderland.engine.values import Value
from wonderland.kernels.kernel import DECISIONS, ENDING, FIRST, ROW, SCORES, WINNERS
from wonderland.lab.output_files import PartialFile, require_package
from wonderland.lab.totals import Rows


def as_json(found: Value) -> str:
    """The whole of what was found."""
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n"


def columns(seats: int, *, compared: bool) -> list[str]:
    """The names of the columns, for one game a row."""
    variant = ["variant"] if compared else []
    scores = [f"score_{seat + 1}" for seat in range(seats)]
    return [*variant, "game", "winners", "first", "decisions", "ending", *scores]


def sets_of_winners(seats: int) -> list[str]:
    """For each set of bits the seats in it.

    >>> sets_of_winners(2)
    ['', '1', '2', '1 2']
    """
    return [
        " ".join(str(seat + 1) for seat in range(seats) if winners >> seat & 1)
        for winners in range(1 << seats)
    ]


class CsvFile:
    """Every game as a line of text."""

    def __init__(self, path: str, seats: int, variants: Sequence[str]) -> None:
        self._partial, self._variants = PartialFile(path), variants
        with self._partial.open():
            self._file = self._partial.path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(columns(seats, compared=len(variants) > 1))

    def keep(self, first: int, rows: list[Rows]) -> None:
        """These are the games from this number on."""
        for variant, played in zip(self._variants, rows, strict=True):
            with self._partial.open():
                self._writer.writerows(self._lines(first, played, [variant] if len(rows) > 1 else []))

    def _lines(self, first: int, rows: Rows, variant: list[str]) -> Iterator[list[Any]]:
        seats = sets_of_winners(rows.seats)
        numbers = rows.numbers
        for game, at in enumerate(range(0, len(numbers), ROW), start=first):
            yield [
                *variant,
                game,
                seats[numbers[at + WINNERS]],
                numbers[at + FIRST] + 1,
                numbers[at + DECISIONS],
                rows.endings[numbers[at + ENDING]],
                *numbers[at + SCORES : at + SCORES + rows.seats],
            ]

    def close(self, *, wanted: bool) -> None:
        """No more games: the file takes its name, if it is wanted."""
        self._partial.close(self._file.close, wanted=wanted)


class ParquetFile:
    """Every game as a row of a table that other tools read quickly."""

    def __init__(self, path: str, seats: int, variants: Sequence[str]) -> None:
        self._arrow: Any = require_package("pyarrow", "parquet", "--parquet")
        self._compute: Any = require_package("pyarrow.compute", "parquet", "--parquet")
        parquet: Any = require_package("pyarrow.parquet", "parquet", "--parquet")
        arrow = self._arrow
        text = arrow.dictionary(arrow.int32(), arrow.string())
        kinds = {"variant": text, "winners": text, "ending": text, "game": arrow.int64()}
        names = columns(seats, compared=len(variants) > 1)
        self._schema = arrow.schema([(name, kinds.get(name, arrow.int32())) for name in names])
        self._partial, self._variants = PartialFile(path), variants
        with self._partial.open():
            self._writer = parquet.ParquetWriter(self._partial.path, self._schema)

    def keep(self, first: int, rows: list[Rows]) -> None:
        """These are the games from this number on."""
        for variant, played in zip(self._variants, rows, strict=True):
            by_column = self._columns(first, played)
            if len(rows) > 1:
                everywhere = self._arrow.array([0] * len(played), self._arrow.int32())
                by_column.insert(0, self._words(everywhere, [variant]))
            with self._partial.open():
                self._writer.write_table(self._arrow.Table.from_arrays(by_column, schema=self._schema))

    def _columns(self, first: int, rows: Rows) -> list[Any]:
        games = self._arrow.array(range(first, first + len(rows)), self._arrow.int64())
        return [
            games,
            self._words(self._column(rows, WINNERS), sets_of_winners(rows.seats)),
            self._compute.add(self._column(rows, FIRST), self._arrow.scalar(1, self._arrow.int32())),
            self._column(rows, DECISIONS),
            self._words(self._column(rows, ENDING), rows.endings),
            *(self._column(rows, SCORES + seat) for seat in range(rows.seats)),
        ]

    def _column(self, rows: Rows, place: int) -> Any:
        """The numbers at one place of each row, without a detour through objects of Python."""
        numbers = self._arrow.py_buffer(rows.numbers[place::ROW].tobytes())
        return self._arrow.Array.from_buffers(self._arrow.int32(), len(rows), [None, numbers])

    def _words(self, numbers: Any, meanings: Sequence[str]) -> Any:
        return self._arrow.DictionaryArray.from_arrays(numbers, self._arrow.array(list(meanings)))

    def close(self, *, wanted: bool) -> None:
        """No more games: the file takes its name, if it is wanted."""
        self._partial.close(self._writer.close, wanted=wanted)
