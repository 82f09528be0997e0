"""The folders for a user's data."""

from __future__ import annotations

from pathlib import Path

import pytest

from wonderland.engine.errors import FileProblem
from wonderland.user_folders import data_folder


def test_the_folder_follows_the_desktop_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_folder() == tmp_path / "wonderland"
    assert not data_folder().exists(), "the writer creates it"


@pytest.mark.parametrize("unset", [None, ""])
def test_the_fallback_is_in_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unset: str | None
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    if unset is None:
        monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    else:
        monkeypatch.setenv("XDG_DATA_HOME", unset)
    assert data_folder() == tmp_path / ".local" / "share" / "wonderland"


def test_without_a_home_folder_one_is_requested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    with pytest.raises(FileProblem, match="XDG_DATA_HOME"):
        data_folder()
