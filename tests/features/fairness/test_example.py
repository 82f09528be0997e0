"""The verifier in `examples/`, written from the specification alone, and the vectors in the text."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from support.example_verifier import PATH, example
from support.fair_records import SETTINGS, fair_record
from support.paths import RECORDS, ROOT
from wonderland.client import shuffle
from wonderland.client.shuffle import CheckFailed, check_record
from wonderland.engine import Chance, read_record
from wonderland.engine.record_reader import AnyRecord

TEXT = (ROOT / "docs" / "fairness.md").read_text(encoding="utf-8")
VECTORS = dict(re.findall(r"```\n(Game: (\w+)\n.*?)```", TEXT, flags=re.DOTALL))
"""The records in the text, with the names of their games."""
STATED = {"parade": (26, 2, 24), "letters": (18, 1, 17), "cookies": (27, 2, 25)}
"""Of each record in the text: outcomes, those that take no block, and blocks taken."""


def test_it_needs_nothing_but_the_standard_library() -> None:
    tree = ast.parse(PATH.read_text(encoding="utf-8"))
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    named |= {a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names}
    assert {str(name).partition(".")[0] for name in named} <= sys.stdlib_module_names


@pytest.mark.parametrize("text", VECTORS, ids=VECTORS.values())
def test_the_games_in_the_text_verify_as_it_says(text: str) -> None:
    outcomes, certain, blocks = STATED[VECTORS[text]]
    record: AnyRecord = read_record(text).whole
    assert record.text() == text, "it is written as servers write it"
    assert check_record(record).outcomes == example.verify(text) == outcomes
    said = shuffle._parse_statement(record)
    numbers = shuffle.ChanceStreams(said.key(shuffle._describe_moves(record, said.begun)))
    assert shuffle._check_outcomes(record, numbers, said.begun) == outcomes
    assert numbers.taken.total() == blocks == outcomes - certain
    paragraph = " ".join(TEXT[: TEXT.index(text)].rpartition("\n\n")[0].rpartition("\n\n")[2].split())
    assert f"{outcomes} outcomes" in paragraph
    key, begun = example.derive_key(example.Record(text))
    assert key.hex() in TEXT
    assert begun == said.begun
    if VECTORS[text] != "letters":
        for stream, number in numbers.taken.items():
            assert re.search(rf"\b{number}( each)? of (`card1` and )?`{stream}`", paragraph), stream


def test_the_text_has_a_game_of_each_kind() -> None:
    assert sorted(VECTORS.values()) == ["cookies", "letters", "parade"]
    assert [text.count("Undone: ") for text in VECTORS] == [1, 2, 0]
    assert [" begun=1\n" in text for text in VECTORS] == [False, False, True]


def test_its_numbers_are_those_in_the_text() -> None:
    said = re.search(r"`(hmac-1 table=tea-party [^`]*)`", TEXT)
    assert said is not None
    record = example.Record(f"Game: parade\nSeats: A, B, C\nLuck: {said[1]}\n\nStart: seat1\nA: G3\n")
    streams = example.Streams(example.derive_key(record)[0])
    assert streams.block("card", 0).hex() in TEXT
    rows = re.findall(r"^\| `([\w.]+)` \| (\d+) \| (\d+) \|$", TEXT, flags=re.MULTILINE)
    assert len(rows) > 10
    for stream, total, number in rows:
        assert streams.below(int(total), stream) == int(number)
    streams.taken["card"] = 661882073
    assert streams.below(4294901761, "card") == 1040563866
    record.statement += " begun=2"
    assert example.derive_key(record)[0].hex() in TEXT


@pytest.mark.parametrize(("begun", "take_backs"), [(0, 0), (1, 0), (0, 5), (12, 3)])
def test_it_agrees_about_fair_games(begun: int, take_backs: int) -> None:
    for name, seats, options in SETTINGS:
        record = fair_record(name, seats, options, begun=begun, take_backs=take_backs)
        found = check_record(record)
        assert example.verify(record.text()) == found.outcomes, (name, seats, options)
        assert found.begun == begun


def alternatives(record: AnyRecord, place: int) -> list[str]:
    """Other outcomes that were possible at a move."""
    state, move = list(record.states())[place]
    turn = record.game.turn(state)
    if move is None or not isinstance(turn, Chance):
        return []
    others = [outcome for outcome in turn.outcomes if outcome != move.action]
    return [record.game.write(outcome) for outcome in (*others[:1], *others[-1:])]


CHANGED: dict[str, Callable[[str], list[str]]] = {
    "parade": lambda text: [f"{text}Alice: +O10\n"],
    "letters": lambda text: [re.sub(r"Undone: .*\n", "", text, count=1)],  # a card was reserved
    "cookies": lambda text: [text.replace(" begun=1", ""), text.replace("spin4", "spin5")],
}
"""Further changes that must not go unnoticed."""


def body_words(text: str) -> list[re.Match[str]]:
    start = text.index("\n\n")
    return [word for word in re.finditer(r"(?<= )\S+", text) if word.start() > start]


@pytest.mark.parametrize("text", VECTORS, ids=VECTORS.values())
def test_no_forged_game_passes(text: str) -> None:
    record: AnyRecord = read_record(text).whole
    forged = [
        text[: word.start()] + other + text[word.end() :]
        for place, word in enumerate(body_words(text))
        for other in alternatives(record, place)
    ]
    undone = "\n".join(re.findall(r"Undone: .*", text))
    for word in sorted(set(re.findall(r"- (\S+)", undone))):
        other = "+O10" if "+" in word else "King"
        forged.append(re.sub(rf"(Undone: .*- ){re.escape(word)}\b", rf"\g<1>{other}", text, count=1))
    found = re.search(r"secret=(\w+) seats=(\w+)", text)
    assert found is not None
    forged += [
        text.replace(found[1], found[1][::-1]),
        text.replace(found[2], found[2][::-1]),
        text.replace("table=tea-party", "table=tea-part"),
        *CHANGED[VECTORS[text]](text),
        text.replace("Luck: ", "Lack: "),
    ]
    for each in forged:
        assert each != text
        with pytest.raises((example.Unfair, ValueError)):
            example.verify(each)
        reading = read_record(each)
        if reading.fault is None:
            with pytest.raises((CheckFailed, shuffle.Uncheckable)):
                check_record(reading.whole)


def test_it_runs_as_a_program(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.record", tmp_path / "bad.record"
    text = next(iter(VECTORS))
    good.write_text(text)
    bad.write_text(text.replace("+P3", "+P4"))
    for path, code, said in (
        (good, 0, "26 outcomes"),
        (bad, 1, "FAILED"),
        (RECORDS / "parade" / "3-players-sixth-colour.record", 1, "FAILED"),
    ):
        done = subprocess.run(
            [sys.executable, str(PATH), str(path)], capture_output=True, text=True, check=False
        )
        assert done.returncode == code
        assert said in done.stdout + done.stderr
        assert "Traceback" not in done.stderr
