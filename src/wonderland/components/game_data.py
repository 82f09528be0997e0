"""Data files in a game's folder with results of simulation, such as insights and puzzles."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from wonderland.engine.errors import FileProblem, UsageError, quote
from wonderland.engine.language import Message, phrase
from wonderland.engine.registry import game, package_of


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields at the top of every data file."""

    version: int
    """The version of the file format."""
    game: str
    rules: int
    """The version of the rules that the results are based on."""


K = TypeVar("K", bound=Kept)


def data_file(name: str, path: str) -> Traversable:
    """Return a data file of a game: in its folder `data/`, or else at the top of its package.

    A file that does not exist yet belongs in `data/`, if that folder exists.
    """
    home = files(package_of(name))
    nested, flat = home / "data" / path, home / path
    is_nested = nested.is_file() or (home.joinpath("data").is_dir() and not flat.is_file())
    return nested if is_nested else flat


class GameFile(Generic[K]):
    """A kind of data file that each game may have.

    `missing` is the error message, with the field `{title}`; `hint` names the command that creates the
    file, with the field `{game}`, for terminals.
    """

    def __init__(self, name: str, kind: type[K], version: int, *, missing: str, hint: str) -> None:
        self.name = name
        self.kind = kind
        self.version = version
        self.missing = missing
        self.hint = hint

    def home(self, name: str) -> Traversable:
        """Return the path of a game's file, whether it exists or not."""
        return data_file(name, self.name)

    def of(self, name: str) -> K:
        """Load a game's file; `FileProblem` if it is missing or invalid."""
        place = self.home(name)
        if not place.is_file():
            raise FileProblem(self.missing, hint=self._hint(name), title=game(name).info.title)
        return self.read(place.read_bytes(), name)

    def read(self, body: bytes, name: str) -> K:
        """Decode the contents of a game's file; `FileProblem` if they are invalid."""
        try:
            found = msgspec.json.decode(body, type=self.kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._unusable_error(name, str(error)) from error
        if (found.version, found.game, found.rules) != (
            self.version,
            name,
            game(name).info.rules_version,
        ):
            about = f"{quote(found.game)}, version {found.rules} of its rules"
            raise self._unusable_error(name, f"it has format {found.version} and is for {about}")
        return found

    def _unusable_error(self, name: str, why: str) -> FileProblem:
        return FileProblem(
            phrase("{file} for {title} can't be used: {why}."),
            hint=self._hint(name),
            file=self.name,
            title=game(name).info.title,
            why=why,
        )

    def _hint(self, name: str) -> Message:
        return Message(self.hint, {"game": name})


def dump(found: Kept) -> str:
    """Encode the contents of a data file; deterministic, so that unchanged results give no diff."""
    return msgspec.json.format(msgspec.json.encode(found), indent=1).decode() + "\n"


def place_of(file: GameFile[Any], name: str) -> Path:
    """Return the path for writing a game's file; `UsageError` if the game is not in a folder."""
    place = file.home(name)
    if not isinstance(place, Path):
        raise UsageError(
            phrase(
                "{title} isn't installed in a folder, so results can't be saved with it. Choose a "
                "file with --out."
            ),
            title=game(name).info.title,
        )
    return place
