"""A file in a game's folder with what was found out about the game: where it is, read, and written."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from wonderland.engine.errors import FileProblem, UsageError, quote
from wonderland.engine.registry import game, package_of


class Kept(Struct, frozen=True, forbid_unknown_fields=True):
    """What every such file begins with."""

    version: int
    """Of the file's form."""
    game: str
    rules: int
    """The version of the rules that were played."""


K = TypeVar("K", bound=Kept)


def data_file(name: str, path: str) -> Traversable:
    """A data file of a game: in its folder `data/`, or beside its rules if it has none there.

    A file that is yet to be written belongs in `data/` where there is such a folder.
    """
    home = files(package_of(name))
    filed, flat = home / "data" / path, home / path
    is_filed = filed.is_file() or (home.joinpath("data").is_dir() and not flat.is_file())
    return filed if is_filed else flat


class GameFile(Generic[K]):
    """A kind of file that each game may have.

    What is said where there is none, or where it can't be used, are phrases of who knows the command
    that makes it: with `{game}`, and for the second `{file}` and `{why}`.
    """

    def __init__(self, name: str, kind: type[K], version: int, *, missing: str, unusable: str) -> None:
        self.name = name
        self.kind = kind
        self.version = version
        self.missing = missing
        self.unusable = unusable

    def home(self, name: str) -> Traversable:
        """Where a game keeps it."""
        return data_file(name, self.name)

    def of(self, name: str) -> K:
        """What stands in a game's file; `FileProblem` if there is none, or if it can't be used."""
        place = self.home(name)
        if not place.is_file():
            raise FileProblem(self.missing, game=name)
        return self.read(place.read_bytes(), name)

    def read(self, body: bytes, name: str) -> K:
        """What stands in such a file of this game; `FileProblem` says what is wrong with it."""
        try:
            found = msgspec.json.decode(body, type=self.kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._refused(name, str(error)) from error
        if (found.version, found.game, found.rules) != (
            self.version,
            name,
            game(name).info.rules_version,
        ):
            about = f"{quote(found.game)}, version {found.rules} of its rules"
            raise self._refused(name, f"it has form {found.version} and is about {about}")
        return found

    def _refused(self, name: str, why: str) -> FileProblem:
        return FileProblem(self.unusable, file=self.name, game=name, why=why)


def dump(found: Kept) -> str:
    """What was found as it stands in its file: the same for the same plays."""
    return msgspec.json.format(msgspec.json.encode(found), indent=1).decode() + "\n"


def place_of(file: GameFile[Any], name: str) -> Path:
    """Where a game keeps such a file, if that is a folder."""
    place = file.home(name)
    if not isinstance(place, Path):
        raise UsageError(f"{game(name).info.title} is not in a folder: --out names another file.")
    return place
