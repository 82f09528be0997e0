"""Machine-readable results: JSON for the summary, CSV or Parquet for every single game.

Games are numbered as in the simulation; seats count from 1, as in the user interface.
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
    """Encode a result as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(found), indent=2).decode() + "\n"


def columns(seats: int, *, compared: bool) -> list[str]:
    """Column names of a file with one game per row."""
    variant = ["variant"] if compared else []
    scores = [f"score_{seat + 1}" for seat in range(seats)]
    return [*variant, "game", "winners", "first", "decisions", "ending", *scores]


def winner_sets(seats: int) -> list[str]:
    """The seats in each set of winners, indexed by its bits.

    >>> winner_sets(2)
    ['', '1', '2', '1 2']
    """
    return [
        " ".join(str(seat + 1) for seat in range(seats) if winners >> seat & 1)
        for winners in range(1 << seats)
    ]


class CsvFile:
    """CSV file with one game per line."""

    def __init__(self, path: str, seats: int, variants: Sequence[str]) -> None:
        self._partial, self._variants = PartialFile(path), variants
        with self._partial.open():
            self._file = self._partial.path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow(columns(seats, compared=len(variants) > 1))

    def keep(self, first: int, rows: list[Rows]) -> None:
        """Write the games numbered from `first`."""
        for variant, played in zip(self._variants, rows, strict=True):
            with self._partial.open():
                self._writer.writerows(self._lines(first, played, [variant] if len(rows) > 1 else []))

    def _lines(self, first: int, rows: Rows, variant: list[str]) -> Iterator[list[Any]]:
        seats = winner_sets(rows.seats)
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
        """Finish the file, or discard it if not `wanted`."""
        self._partial.close(self._file.close, wanted=wanted)


class ParquetFile:
    """Parquet file with one game per row."""

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
        """Write the games numbered from `first`."""
        for variant, played in zip(self._variants, rows, strict=True):
            by_column = self._columns(first, played)
            if len(rows) > 1:
                zeros = self._arrow.array([0] * len(played), self._arrow.int32())
                by_column.insert(0, self._dictionary(zeros, [variant]))
            with self._partial.open():
                self._writer.write_table(self._arrow.Table.from_arrays(by_column, schema=self._schema))

    def _columns(self, first: int, rows: Rows) -> list[Any]:
        games = self._arrow.array(range(first, first + len(rows)), self._arrow.int64())
        return [
            games,
            self._dictionary(self._column(rows, WINNERS), winner_sets(rows.seats)),
            self._compute.add(self._column(rows, FIRST), self._arrow.scalar(1, self._arrow.int32())),
            self._column(rows, DECISIONS),
            self._dictionary(self._column(rows, ENDING), rows.endings),
            *(self._column(rows, SCORES + seat) for seat in range(rows.seats)),
        ]

    def _column(self, rows: Rows, place: int) -> Any:
        """One column of the rows as an Arrow array, without creating Python objects."""
        numbers = self._arrow.py_buffer(rows.numbers[place::ROW].tobytes())
        return self._arrow.Array.from_buffers(self._arrow.int32(), len(rows), [None, numbers])

    def _dictionary(self, numbers: Any, meanings: Sequence[str]) -> Any:
        return self._arrow.DictionaryArray.from_arrays(numbers, self._arrow.array(list(meanings)))

    def close(self, *, wanted: bool) -> None:
        """Finish the file, or discard it if not `wanted`."""
        self._partial.close(self._writer.close, wanted=wanted)
