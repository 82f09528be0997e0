"""Secrets and server keys: nothing is revealed early, and a key is created once and kept."""

from __future__ import annotations

import copy
import json
import logging
import pickle
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from wonderland.engine import FileProblem, UsageError
from wonderland.tables.fairness import FairChance, Secret, ServerKey, statement

DIGITS = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
SECRET = Secret("tea-party", bytes.fromhex(DIGITS))
SERVER = "6465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80818283"


def chance() -> FairChance:
    return FairChance(SECRET, ["00112233445566778899aabbccddeeff", None, "ff" * 32])


KEY = ServerKey.from_text(SERVER)
HIDING = {"key": (KEY, SERVER), "secret": (SECRET, DIGITS), "chance": (chance(), chance()._key.hex())}


def is_visible(text: str, digits: str) -> bool:
    """Whether a text contains some of the bytes in hex, or as a Python literal."""
    raw = bytes.fromhex(digits)
    forms = [digits[at : at + 12] for at in range(0, 52, 4)]
    forms += [repr(raw[at : at + 6])[2:-1] for at in range(26)]
    forms += [str(list(raw[at : at + 6]))[1:-1] for at in range(26)]
    return any(form.lower() in text.lower() for form in forms)


def test_the_leak_check_detects_a_leak() -> None:
    for digits in (DIGITS, SERVER, SECRET.commitment):
        raw = bytes.fromhex(digits)
        for text in (digits, digits.upper(), repr(raw), f"key={digits[:30]}…", str(list(raw))):
            assert is_visible(text, digits)


@pytest.mark.parametrize("name", HIDING)
def test_it_appears_in_no_text(name: str) -> None:
    thing, digits = HIDING[name]
    for text in (
        repr(thing),
        str(thing),
        f"{thing}",
        logging.LogRecord("", 0, "", 0, "%r %s", (thing, thing), None).getMessage(),
        repr([thing]),
        ascii(thing),
    ):
        assert not is_visible(text, digits)
        assert "hidden" in text


@pytest.mark.parametrize("name", HIDING)
def test_it_cannot_be_copied_or_serialized(name: str) -> None:
    thing, digits = HIDING[name]
    ways: list[Callable[[object], object]] = [
        *(lambda it, n=n: pickle.dumps(it, n) for n in range(pickle.HIGHEST_PROTOCOL + 1)),
        copy.copy,
        copy.deepcopy,
        json.dumps,
        msgspec.json.encode,
        msgspec.msgpack.encode,
        msgspec.to_builtins,
        vars,
        lambda it: it.__getstate__(),
    ]
    for way in ways:
        with pytest.raises(TypeError) as raised:
            way(thing)
        assert not is_visible(str(raised.value), digits)


def with_variables(error: BaseException) -> str:
    """The most detailed traceback: with the variables of every frame in the code under test."""
    told = traceback.TracebackException.from_exception(error, capture_locals=True)
    frames = [frame for frame in told.stack if frame.filename.endswith("fairness.py") and frame.locals]
    inner = [str(frame.locals) for frame in frames if "test_" not in frame.filename]
    assert inner
    return "".join([*traceback.format_exception(error), *inner])


def test_no_traceback_shows_it(tmp_path: Path) -> None:
    broken = tmp_path / "server.key"
    broken.write_text(SERVER[:-1] + "x")
    tries: list[tuple[Callable[[], object], str]] = [
        (lambda: chance().below(0, "card"), chance()._key.hex()),
        (lambda: chance().below(6, "\ud800"), chance()._key.hex()),
        (lambda: FairChance(SECRET, ["zz"]), DIGITS),
        (lambda: statement(SECRET, ["zz"]), DIGITS),
        (lambda: KEY.secret("a b", "n"), SERVER),
        (lambda: KEY.secret("t", ""), SERVER),
        (lambda: ServerKey.from_text(SERVER + "0"), SERVER),
        (lambda: ServerKey.load(broken), SERVER),
    ]
    for attempt, digits in tries:
        with pytest.raises((ValueError, FileProblem)) as raised:
            attempt()
        assert not is_visible(with_variables(raised.value), digits)


# The server key.


def test_a_key_is_created_once_with_private_permissions(tmp_path: Path) -> None:
    path = tmp_path / "server.key"
    made = ServerKey.load(path)
    assert ServerKey.load(str(path)).fingerprint == made.fingerprint
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [path]
    assert ServerKey.from_text(path.read_text()).fingerprint == made.fingerprint
    assert ServerKey.load(tmp_path / "other.key").fingerprint != made.fingerprint


def test_a_key_may_be_written_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "server.key"
    path.write_text(f"  {SERVER.upper()}\r\n")
    assert ServerKey.load(path).fingerprint == KEY.fingerprint


@pytest.mark.parametrize("text", ["", "secret", SERVER[:-1], SERVER + "0", "x" + SERVER[1:], "é" * 32])
def test_an_invalid_key_is_rejected_and_not_repeated(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        ServerKey.from_text(text)
    assert "64 hex digits" in str(raised.value)
    path = tmp_path / "server.key"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileProblem) as raised:
        ServerKey.load(path)
    assert f"'{path}' doesn't contain a server key" in str(raised.value)
    assert path.read_text(encoding="utf-8") == text


def test_an_unusable_file_is_reported_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(bytes(range(256)) * 10)
    for path, reason in [
        (tmp_path, "can't be read or created: Is a directory."),
        (tmp_path / "no" / "key", "can't be read or created: No such file or directory."),
        (tmp_path / "a\0b", "can't be read or created: invalid file name."),
        (tmp_path / "noise", "doesn't contain a server key"),
    ]:
        with pytest.raises(FileProblem) as raised:
            ServerKey.load(path)
        assert reason in str(raised.value)
        assert "\n" not in str(raised.value)


RACER = """
import sys
from wonderland.tables.fairness import ServerKey
print("ready", flush=True)
for path in sys.stdin.readline().split("|"):
    print(ServerKey.load(path.strip()).fingerprint)
"""


def test_processes_racing_to_create_a_key_agree(tmp_path: Path) -> None:
    paths = [tmp_path / f"{n}.key" for n in range(40)]
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("|".join(map(str, paths)) + "\n")
        racer.stdin.flush()
    said = {racer.communicate()[0] for racer in racers}
    assert [racer.returncode for racer in racers] == [0, 0, 0]
    assert len(said) == 1
    assert len(set(said.pop().split())) == len(paths)
    assert sorted(tmp_path.iterdir()) == sorted(paths)
