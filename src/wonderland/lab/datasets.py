"""Datasets of decisions in Parquet, one row each, with the schema described in the file itself.

Rows are written in groups of whole games, so that millions of them never have to fit in memory. The same
seed gives the same file, byte for byte, for any number of workers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from wonderland import __version__
from wonderland.components.learning import learning, length, rewards
from wonderland.engine.options import read_options
from wonderland.engine.registry import game
from wonderland.engine.values import Value
from wonderland.lab.decisions import PlayTrace
from wonderland.lab.game_runner import Simulation
from wonderland.lab.output_files import PartialFile, require_package

SCHEMA, VERSION = "decisions", 1
"""Name and version of the schema; a removed, renamed or redefined field raises the version."""
KEY = b"wonderland"
"""Key of the file metadata that holds the description, as JSON."""
GROUP = 8192
"""Minimum rows per group: a group ends with the game that reaches this number."""
FLAG = "--decisions"


class Field(Value, frozen=True):
    """A column."""

    name: str
    kind: str
    """An Arrow type. An observation has the same number of int8 in every row."""
    meaning: str


OBSERVATION = "fixed_size_list<int8>"
FIELDS: tuple[Field, ...] = (
    Field("game", "string", "the name of the game"),
    Field(
        "options", "string", "options as name=value, separated by spaces; all others have their defaults"
    ),
    Field("seats", "int8", "number of seats"),
    Field("number", "int64", "number of the game within the seed, from 0"),
    Field("moves", "int32", "number of moves of `record` before this decision, including chance moves"),
    Field("seat", "int8", "seat to decide, counted from 0, as in views"),
    Field("bot", "string", "bot in that seat, as written on the command line"),
    Field("view", "string", "everything the seat knows, as JSON"),
    Field("legal", "list<string>", "legal actions, in the notation of records"),
    Field("choice", "string", "chosen action: one of `legal`"),
    Field("winners", "list<int8>", "seats that won; several if they share the win"),
    Field("scores", "list<int32>", "final score of each seat"),
    Field("ending", "string", "how the game ended"),
    Field(
        "reward",
        "float",
        "reward of this seat at the end of the game; the rewards of all seats add up to 0",
    ),
    Field("record", "string", "record of the whole game, including what this seat can't see"),
)
NUMBERS: tuple[Field, ...] = (
    Field(
        "observation", OBSERVATION, "the view in numbers, as defined by the game's `encoding.learning`"
    ),
    Field("legal_numbers", "list<int16>", "`legal` as action numbers, in the same order"),
    Field("choice_number", "int16", "`choice` as an action number"),
)
"""Additional columns for games with an encoding for learning agents."""
_DICTIONARY_COLUMNS = {"game", "options", "bot", "legal", "choice", "ending", "record"}
"""Columns with many repeated values, which dictionary encoding makes smaller."""


class DecisionsFile:
    """Parquet file with every decision of every game, in the order of the games."""

    def __init__(self, path: str, simulation: Simulation) -> None:
        self._arrow: Any = require_package("pyarrow", "parquet", FLAG)
        parquet: Any = require_package("pyarrow.parquet", "parquet", FLAG)
        self._simulation = simulation
        self._options = " ".join(f"{name}={value}" for name, value in simulation.setting.options)
        self._schema = self._make_schema()
        self._buffer: list[tuple[Any, ...]] = []
        self._partial = PartialFile(path)
        repeated = [_path(field) for field in FIELDS if field.name in _DICTIONARY_COLUMNS]
        with self._partial.open():
            self._writer = parquet.ParquetWriter(
                self._partial.path, self._schema, compression="zstd", use_dictionary=repeated
            )

    def keep_plays(self, plays: list[PlayTrace]) -> None:
        """Add the next games."""
        for play in plays:
            self._buffer.extend(self._rows(play))
            if len(self._buffer) >= GROUP:
                self._write()

    def close(self, *, wanted: bool) -> None:
        """Finish the file, or discard it if not `wanted`."""
        if wanted and self._buffer:
            self._write()
        self._partial.close(self._writer.close, wanted=wanted)

    def _rows(self, play: PlayTrace) -> Iterator[tuple[Any, ...]]:
        setting, result = self._simulation.setting, play.result
        reward_of = rewards(result.winners, setting.seats)
        for each in play.decisions:
            numbers = each.numbers
            yield (
                setting.game,
                self._options,
                setting.seats,
                play.number,
                each.moves,
                each.seat,
                self._simulation.bots[each.seat],
                each.view,
                each.legal,
                each.choice,
                result.winners,
                result.scores,
                result.ending,
                reward_of[each.seat],
                play.record,
                *(() if numbers is None else (numbers.observation, numbers.legal, numbers.choice)),
            )

    def _write(self) -> None:
        """Write one group of rows."""
        columns = zip(*self._buffer, strict=True)
        arrays = [
            self._observations(column) if field.name == "observation" else self._array(column, field)
            for column, field in zip(columns, self._schema, strict=True)
        ]
        table = self._arrow.Table.from_arrays(arrays, schema=self._schema)
        with self._partial.open():
            self._writer.write_table(table, row_group_size=len(table))
        self._buffer.clear()

    def _array(self, column: tuple[Any, ...], field: Any) -> Any:
        return self._arrow.array(column, field.type)

    def _observations(self, column: tuple[bytes, ...]) -> Any:
        """Observations as an Arrow array, without creating Python objects."""
        arrow, buffer = self._arrow, self._arrow.py_buffer(b"".join(column))
        numbers = arrow.Array.from_buffers(arrow.int8(), buffer.size, [None, buffer])
        return arrow.FixedSizeListArray.from_arrays(numbers, len(column[0]))

    def _make_schema(self) -> Any:
        """Build the schema, with the meaning of each column and a description of the dataset."""
        setting = self._simulation.setting
        the_game, shown = game(setting.game), learning(setting.game)
        options = read_options(the_game, dict(setting.options))
        about = {
            "schema": SCHEMA,
            "version": VERSION,
            "wonderland": __version__,
            "game": setting.game,
            "rules_version": the_game.info.rules_version,
            "seats": setting.seats,
            "options": dict(setting.options),
            "bots": self._simulation.bots,
            "seed": self._simulation.seed,
        }
        fields, numbers = FIELDS, 0
        if shown is not None:
            features = shown.features(setting.seats, options)
            fields, numbers = (*FIELDS, *NUMBERS), length(features)
            about["features"] = features
            about["actions"] = tuple(shown.action_names(setting.seats, options))
        return self._arrow.schema(
            [self._column(field, numbers) for field in fields], {KEY: msgspec.json.encode(about)}
        )

    def _column(self, field: Field, numbers: int) -> Any:
        arrow = self._arrow
        kinds = {"float": arrow.float32()}
        if field.kind == OBSERVATION:
            kind = arrow.list_(arrow.int8(), numbers)
        elif field.kind.startswith("list<"):
            kind = arrow.list_(arrow.type_for_alias(field.kind[5:-1]))
        else:
            kind = kinds.get(field.kind) or arrow.type_for_alias(field.kind)
        return arrow.field(field.name, kind, nullable=False, metadata={"meaning": field.meaning})


def _path(field: Field) -> str:
    """Parquet's name of a column."""
    return f"{field.name}.list.element" if field.kind.startswith("list<") else field.name
