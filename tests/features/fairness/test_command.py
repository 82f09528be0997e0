"""`wonderland verify`: fair games pass, and no tampered one does."""

from __future__ import annotations

import ast
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from support.fair_records import SECRET, SETTINGS, contributions_of, fair_record
from support.paths import RECORDS
from support.pseudo_locale import CODE, install_pseudo_language, words_outside_brackets
from wonderland.cli import main
from wonderland.client import shuffle
from wonderland.client.shuffle import CheckFailed, Uncheckable
from wonderland.engine import CHANCE, Chance, Match, Move, Seeded, game, game_names, read_record
from wonderland.engine.match import seats_to_act
from wonderland.engine.record_reader import AnyMatch, AnyRecord
from wonderland.features.fairness import verification
from wonderland.features.fairness.verification import check
from wonderland.tables.fairness import FairChance, Secret, resume, statement

HEX = "0123456789abcdef"


def play_out(match: AnyMatch, seed: int) -> AnyRecord:
    rng = random.Random(seed)
    while waiting := seats_to_act(match.turn):
        seat = rng.choice(waiting)
        match.play(seat, rng.choice(match.legal(seat)))
    return match.record


def chance_moves(record: AnyRecord) -> list[int]:
    """Return the indexes of chance moves."""
    return [place for place, move in enumerate(record.moves) if move.actor is CHANCE]


@pytest.fixture
def save_record(tmp_path: Path) -> Callable[[AnyRecord | str], str]:
    def save(record: AnyRecord | str) -> str:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.record"
        path.write_text(record if isinstance(record, str) else record.text(), encoding="utf-8")
        return str(path)

    return save


@pytest.mark.parametrize(("name", "seats", "options"), SETTINGS)
def test_a_fair_game_passes(
    name: str,
    seats: int,
    options: tuple[tuple[str, str], ...],
    save_record: Callable[[AnyRecord], str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    record = fair_record(name, seats, options)
    path = save_record(record)
    assert main(["verify", path]) == 0
    found = capsys.readouterr()
    assert found.err == ""
    assert found.out == (
        f"{path}: ok: {len(chance_moves(record))} random outcomes follow from the server's secret and "
        "what the players added. Compare this commitment with the one shown before the game: "
        f"{SECRET.commitment}\n"
    )


# What is caught.


@given(st.data())
def test_every_changed_outcome_is_caught_at_its_place(data: st.DataObject) -> None:
    record = fair_record(data.draw(st.sampled_from(game_names())), 2)
    place = data.draw(st.sampled_from(chance_moves(record)))
    state, move = list(record.states())[place]
    assert move is not None
    turn = record.game.turn(state)
    assert isinstance(turn, Chance)
    others = [outcome for outcome in turn.outcomes if outcome != move.action]
    if not others:
        return  # no other outcome is possible here
    other = data.draw(st.sampled_from(others))
    forged = replace(record, moves=(*record.moves[:place], Move(CHANCE, other)))
    write = record.game.write
    with pytest.raises(CheckFailed) as raised:
        check(read_record(forged.text()).whole)
    assert str(raised.value) == (
        f"move {place + 1} ({turn.label}) is {write(other)}, but the server's secret and what the "
        f"players added give {write(move.action)}."
    )


@given(st.data())
def test_no_other_statement_verifies(data: st.DataObject) -> None:
    """Change any one character of the secret, the commitment, a contribution or the table."""
    record = fair_record(data.draw(st.sampled_from(game_names())), 3)
    said = record.shuffle_statement
    assert said is not None
    place = data.draw(st.integers(0, len(said) - 1))
    any_other = st.characters(codec="utf-8", exclude_characters=said[place])
    other = data.draw(st.sampled_from(HEX.replace(said[place], "")) | any_other)
    with pytest.raises((CheckFailed, Uncheckable)):
        check(replace(record, shuffle_statement=said[:place] + other + said[place + 1 :]))


@given(st.data())
def test_every_changed_digit_of_the_proof_fails(data: st.DataObject) -> None:
    record = fair_record(data.draw(st.sampled_from(game_names())), 3)
    said = record.shuffle_statement
    assert said is not None
    start, end = data.draw(st.sampled_from(parts(said)))
    place = data.draw(st.integers(start, end - 1))
    other = data.draw(st.sampled_from(HEX.replace(said[place], "")))
    with pytest.raises(CheckFailed):
        check(replace(record, shuffle_statement=said[:place] + other + said[place + 1 :]))


def parts(said: str) -> list[tuple[int, int]]:
    """Return the places of the commitment, the secret and each contribution."""
    words = dict(word.split("=") for word in said.split(" ")[1:])
    wanted = [words["commitment"], words["secret"], *words["seats"].replace("-,", "").split(",")]
    return [(said.index(word), said.index(word) + len(word)) for word in wanted]


@pytest.mark.parametrize("name", game_names())
def test_no_secret_can_be_chosen_afterwards(name: str) -> None:
    """A new secret with a matching commitment, or the right secret with other contributions."""
    record = fair_record(name, 3)
    right = contributions_of(3)
    mine = Secret("k3v", bytes(32))
    forgeries: list[tuple[Secret, list[str | None]]] = [
        (mine, right),
        (SECRET, right[::-1]),
        (SECRET, [right[0], "00" * 16, right[2]]),
        (SECRET, [None, None, right[2]]),
        (SECRET, [None, None, None]),
        (Secret("k3w", bytes.fromhex(SECRET.reveal())), right),
    ]
    for secret, added in forgeries:
        with pytest.raises(
            CheckFailed, match=r"^move \d+ \(.*\) is .*, but the server's secret and what"
        ):
            check(replace(record, shuffle_statement=statement(secret, added)))


def test_outcomes_from_another_algorithm_fail() -> None:
    match: AnyMatch = Match(game("parade"), 3, chance=Seeded(1))
    with pytest.raises(CheckFailed, match=r"^move "):
        check(replace(play_out(match, 1), shuffle_statement=statement(SECRET, contributions_of(3))))


def test_cards_missing_from_the_record_are_not_ignored() -> None:
    record = read_record((RECORDS / "parade" / "noted-by-the-hatter.record").read_text()).whole
    with pytest.raises(CheckFailed):
        check(replace(record, shuffle_statement=statement(SECRET, contributions_of(len(record.names)))))
    fair = fair_record("parade", 2)
    first = next(n for n, m in enumerate(fair.moves) if fair.game.write(m.action).startswith("+"))
    hidden = replace(fair, moves=(*fair.moves[:first], Move(CHANCE, fair.game.read("+?"))))
    with pytest.raises(CheckFailed, match=rf"^move {first + 1} \(card\) is \+\?, but"):
        check(hidden)


# Output.


def test_a_failure_is_one_line_and_exit_code_1(
    save_record: Callable[[AnyRecord], str], capsys: pytest.CaptureFixture[str]
) -> None:
    record = fair_record("parade", 2)
    said = record.shuffle_statement or ""
    for stated, sentence in [
        (said.replace(SECRET.commitment, "0" * 64), f"doesn't match its commitment {'0' * 64}."),
        (said + ",-", "the Luck line is for 3 seats, but the game has 2 players."),
        (
            statement(Secret("k3v", bytes(32)), contributions_of(2)),
            "but the server's secret and what the players added give ",
        ),
    ]:
        path = save_record(replace(record, shuffle_statement=stated))
        assert main(["verify", path]) == 1
        found = capsys.readouterr()
        assert found.err == ""
        assert found.out.startswith(f"{path}: FAILED: ")
        assert sentence in found.out
        assert found.out.count("\n") == 1


def test_an_uncheckable_record_is_one_line_and_exit_code_2(
    save_record: Callable[[AnyRecord | str], str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = fair_record("parade", 2)
    said = record.shuffle_statement or ""
    given_start = replace(record, given=(("start", (record.moves[0].action,)),))
    for path, sentence in [
        (save_record(replace(record, shuffle_statement=None)), "can't be checked: it has no Luck line"),
        (save_record(given_start), "can't be checked: it has a Given line"),
        (
            save_record(replace(record, shuffle_statement=said.replace("hmac-1", "hmac-2"))),
            "version 'hmac-2'",
        ),
        (
            save_record(replace(record, shuffle_statement=said.upper().replace("HMAC", "hmac"))),
            "its Luck line must look like this",
        ),
        (
            save_record(replace(record, shuffle_statement=f"{said} more=1")),
            "its Luck line must look like this",
        ),
        (save_record(record.text() + "Alice: R1\n"), "but the game is already over."),
        (save_record("Game: chess"), ", line 1, column 7: there is no game called 'chess'"),
        (str(tmp_path / "nowhere"), "can't be read: No such file or directory."),
    ]:
        assert main(["verify", path]) == 2
        found = capsys.readouterr()
        assert found.out == ""
        assert found.err.startswith("wonderland: ")
        assert path in found.err
        assert sentence in found.err
        assert found.err.count("\n") == 1


def test_several_records_get_a_line_each_and_no_failure_is_masked(
    save_record: Callable[[AnyRecord], str], capsys: pytest.CaptureFixture[str]
) -> None:
    record = fair_record("letters", 2)
    good, silent = save_record(record), save_record(replace(record, shuffle_statement=None))
    bad = save_record(
        replace(record, shuffle_statement=statement(Secret("k3v", bytes(32)), contributions_of(2)))
    )
    assert main(["verify", good, good]) == 0
    assert [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()] == ["ok", "ok"]
    assert main(["verify", silent, good]) == 2
    found = capsys.readouterr()
    assert (found.out.count("\n"), found.err.count("\n")) == (1, 1)
    for order in ([silent, bad, good], [bad, silent, good], [good, bad, silent]):
        assert main(["verify", *order]) == 1
        found = capsys.readouterr()
        assert (found.out.count(": ok: "), found.out.count(": FAILED: ")) == (1, 1)
        assert found.err.count("\n") == 1


def test_verdicts_are_translated(
    save_record: Callable[[AnyRecord], str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    install_pseudo_language(monkeypatch)
    record = fair_record("parade", 2)
    other = statement(Secret("k3v", bytes(32)), contributions_of(2))
    for found, code in [
        (record, 0),
        (replace(record, moves=record.moves[:40]), 0),
        (replace(record, shuffle_statement=other), 1),
        (replace(record, shuffle_statement=f"{record.shuffle_statement},-"), 1),
        (
            replace(
                record,
                shuffle_statement=(record.shuffle_statement or "").replace(SECRET.commitment, "0" * 64),
            ),
            1,
        ),
        (replace(record, shuffle_statement=None), 2),
    ]:
        path = save_record(found)
        assert main(["verify", path, "--language", CODE]) == code
        said = "".join(capsys.readouterr()).removeprefix("wonderland: ").replace(path, "")
        assert said.count("\n") == 1
        assert words_outside_brackets(said) == []


def test_a_partial_game_is_checked_as_far_as_it_goes() -> None:
    record = fair_record("cookies", 2)
    for moves, words in [(1, "1 random outcome follows from"), (0, "0 random outcomes follow from")]:
        said = check(replace(record, moves=record.moves[:moves]))
        assert said.startswith(f"ok so far (the game isn't finished): {words}")


def test_a_shuffle_without_contributions_is_reported_as_such() -> None:
    match: AnyMatch = Match(game("letters"), 2, chance=FairChance(SECRET, [None, None]))
    record = replace(play_out(match, 3), shuffle_statement=statement(SECRET, [None, None]))
    assert "no player added anything" in check(record)


def run(*arguments: str, typed: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, *arguments],
        input=typed,
        capture_output=True,
        check=False,
        env=os.environ | environment,
    )


def test_a_record_may_come_from_standard_input() -> None:
    done = run("-m", "wonderland", "verify", "-", typed=fair_record("parade", 4).text().encode())
    assert done.returncode == 0
    assert done.stdout.startswith(b"standard input: ok: ")
    done = run("-m", "wonderland", "verify", "-", typed=b"Game: parade\nRules: 1\nSeats: A, B\n\n\xff")
    assert done.returncode == 2
    assert done.stderr.startswith(b"wonderland: standard input, line 5, column 1: the byte 0xff")


def test_a_file_name_is_no_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sly = tmp_path / "x\ny.record: ok"
    sly.write_text(
        replace(fair_record("letters", 2), shuffle_statement=statement(SECRET, [None, None])).text()
    )
    assert main(["verify", str(sly)]) == 1
    assert capsys.readouterr().out.count("\n") == 1


# Independence from the server.


def test_it_shares_no_code_with_the_server() -> None:
    own = Path(verification.__file__).parent
    for module in (own / "command.py", own / "verification.py", Path(shuffle.__file__)):
        tree = ast.parse(module.read_text(encoding="utf-8"))
        named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        named += [a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names]
        assert not [name for name in named if name.startswith("wonderland.tables")]
    code = (
        "import sys; from wonderland.cli import main; code = main(['verify', '-']);"
        "assert not [name for name in sys.modules if name.startswith('wonderland.tables')];"
        "sys.exit(code)"
    )
    done = run("-c", code, typed=fair_record("letters", 2).text().encode())
    assert (done.returncode, done.stderr) == (0, b"")


@given(st.sampled_from(game_names()), st.integers(2, 4), st.integers(0, 10_000))
def test_a_resumed_game_continues_the_same_shuffle(name: str, seats: int, cut: int) -> None:
    whole, added = fair_record(name, seats), contributions_of(seats)
    cut %= len(whole.moves) + 1
    draws = [
        (turn.label, turn.total)
        for state, move in list(whole.states())[:cut]
        if move is not None and isinstance(turn := whole.game.turn(state), Chance)
    ]
    match: AnyMatch = Match.resume(whole, upto=cut, chance=resume(SECRET, added, draws))
    while waiting := seats_to_act(match.turn):
        move = whole.moves[len(match.moves)]
        assert move.actor in waiting
        match.play(int(move.actor), move.action)
    assert match.record.moves == whole.moves


HASHING = """
import random
from wonderland.engine import Match, game, game_names
from wonderland.engine.match import seats_to_act
from wonderland.tables.fairness import FairChance, Secret
for name in game_names():
    chance = FairChance(Secret("t", bytes(32)), ["ab" * 16, None, "cd" * 20])
    match = Match(game(name), 3, chance=chance)
    rng = random.Random(1)
    while waiting := seats_to_act(match.turn):
        match.play(waiting[0], rng.choice(match.legal(waiting[0])))
    print(match.record.text())
"""


def test_outcomes_do_not_depend_on_pythons_hash_seed() -> None:
    done = [run("-c", HASHING, PYTHONHASHSEED=seed) for seed in ("0", "1", "4242")]
    assert [(each.returncode, each.stderr) for each in done] == [(0, b"")] * 3
    assert len({each.stdout for each in done}) == 1
    assert done[0].stdout.count(b"Result: ") == 3
