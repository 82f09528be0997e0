"""The game at the prompt: whole plays with numbers and Enter, invalid input, leaving, resuming."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from support.paths import RECORDS
from support.prompt import arguments, first_choice, script, table
from wonderland.arguments import options_in
from wonderland.bots import Dodo, level
from wonderland.components.bots import Budget
from wonderland.engine import FileProblem, Over, UsageError, game, game_names, read_record
from wonderland.engine.language import ENGLISH
from wonderland.terminal import match_setup
from wonderland.terminal.choices import no_such_choice
from wonderland.terminal.command import PlayArguments
from wonderland.terminal.plain_text import PlainTable, QuitGame
from wonderland.terminal.record_files import load, refuse_to_overwrite, save
from wonderland.terminal.session import Session


@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("seats", [["me", "bot"], ["Tick", "dodo", "Tock"], ["bot", "bot"]])
def test_every_game_can_be_played_to_the_end(name: str, seats: list[str]) -> None:
    holder: list[PlainTable] = []
    plain, shown = table(name, seats, first_choice(holder))
    holder.append(plain)
    plain.play()
    assert isinstance(plain.session.match.turn, Over)
    names = plain.session.match.names
    assert any(plain.session.match.turn.result.text(names) in line for line in shown)
    assert all(len(line) <= 200 for line in shown if "\n" not in line)


def test_between_two_people_the_hands_are_hidden() -> None:
    holder: list[PlainTable] = []
    asked: list[str] = []
    inner = first_choice(holder)

    def ask(question: str) -> str:
        asked.append(question)
        return inner(question)

    plain, shown = table("parade", ["Tick", "Tock"], ask)
    holder.append(plain)
    plain.play()
    passes = [question for question in asked if "Pass the keyboard to" in question]
    assert len(passes) >= 10
    assert shown.count("\n" * 60) == len(passes) + 1
    hands = [line for line in shown if line.startswith(("Tick's hand:", "Tock's hand:"))]
    curtain = 0
    for line in shown:  # between two curtains, only one hand is ever shown
        if line == "\n" * 60:
            curtain += 1
            seen: set[str] = set()
        elif line in hands:
            seen.add(line.partition("'")[0])
            assert len(seen) == 1


def test_invalid_input_is_asked_again_and_help_is_offered() -> None:
    plain, shown = table(
        "parade",
        ["me", "bot"],
        script("99", "hello", "R99", "", "help", "table", "log", "rules", "1", "quit"),
    )
    with pytest.raises(QuitGame):
        plain.play()
    text = "\n".join(shown)
    for wrong in ("99", "hello", "r99"):
        assert no_such_choice(wrong, dict.fromkeys("12345"), ENGLISH, "help") in text
    assert text.count("press Enter. You can also type:") == 2
    assert "**P12**" in text
    assert plain.session.match.decisions >= 1


def test_an_action_can_be_typed_in_its_notation() -> None:
    holder: list[PlainTable] = []

    def ask(_: str) -> str:
        match = holder[0].session.match
        if match.decisions > 5:
            raise EOFError
        return match.game.write(match.legal(0)[-1]).lower()

    plain, _ = table("parade", ["me", "bot"], ask)
    holder.append(plain)
    with pytest.raises(QuitGame):
        plain.play()
    assert plain.session.match.decisions > 5


def test_end_of_input_ends_cleanly() -> None:
    plain, _ = table("letters", ["me", "bot"], script())
    with pytest.raises(QuitGame):
        plain.play()


def test_in_letters_the_choice_number_is_the_space() -> None:
    plain, shown = table("letters", ["me", "bot"], script("27", "quit"))
    with pytest.raises(QuitGame):
        plain.play()
    assert any(line.startswith("Your choice: 1, 2, 3") for line in shown)
    assert any(
        "27" in str(move.action) or "26" in str(move.action) for move in plain.session.match.moves
    )


def test_seats_are_people_me_or_named_bots() -> None:
    seats = ["me", "bot", "Queenie", "Bot", "WHITE-rabbit", "queen@5"]
    match, bots = match_setup.new_match(game("parade"), seats, [], None)
    assert match.names == ("Alice", "Cheshire", "Queenie", "Caterpillar", "White Rabbit", "Queen")
    assert sorted(bots) == [1, 3, 4, 5]
    assert bots[1].budget == level("parade", "cheshire").budget
    assert bots[5].budget == Budget(playouts=5)
    match, _ = match_setup.new_match(
        game("parade"), ["me", "bot", "dodo"], [], None, usual="white rabbit"
    )
    assert match.names == ("Alice", "White Rabbit", "Dodo")
    with pytest.raises(UsageError, match="Parade is for 2 to 6 players, not 1"):
        match_setup.new_match(game("parade"), ["me"], [], None)


def test_the_start_player_can_be_chosen() -> None:
    for name in game_names():
        for first, seat in (("Dinah", 2), ("2", 1), ("me", 0), ("cheshire", 1), ("bot", 1)):
            match, _ = match_setup.new_match(game(name), ["me", "bot", "Dinah"], [], "x", first)
            assert match.game.write(match.moves[0].action) == f"seat{seat + 1}"
    with pytest.raises(UsageError, match="'Duchess' can't go first"):
        match_setup.new_match(game("parade"), ["me", "dodo", "queen"], [], "x", "Duchess")


def test_options_are_read_as_name_and_value() -> None:
    match, _ = match_setup.new_match(
        game("letters"), ["me", "bot"], ["claim=first", "duchess=true"], None
    )
    assert (match.options.claim, match.options.duchess) == ("first", True)
    match, _ = match_setup.new_match(game("cookies"), ["me", "bot"], ["hand-size=2"], None)
    assert match.options.hand_size == 2
    with pytest.raises(UsageError, match="'claim' needs a value"):
        match_setup.new_match(game("letters"), ["me", "bot"], ["claim"], None)


def test_the_player_is_asked_for_the_game_and_the_opponents() -> None:
    shown: list[str] = []
    assert match_setup.ask_for_game(script("x", "0", "3"), shown.append).info.name == "parade"
    assert match_setup.ask_for_game(script("Letters"), shown.append).info.name == "letters"
    assert any("'x'" in line and "1 to 3" in line for line in shown)
    parade = game("parade")
    assert match_setup.ask_for_seats(parade, script("9", "two", "2"), shown.append) == [
        "me",
        "bot",
        "bot",
    ]
    assert match_setup.ask_for_seats(parade, script(""), shown.append) == ["me", "bot"]
    assert shown.count("Type a number from 1 to 5.") == 2  # for 9 and two
    assert match_setup.ask_for_level(parade, script("frog", "6", "0", "5"), shown.append) == "queen"
    assert match_setup.ask_for_level(parade, script("White Rabbit"), shown.append) == "white-rabbit"
    assert match_setup.ask_for_level(parade, script(""), shown.append) == "cheshire"
    assert any("'frog'" in line and "1 to 5" in line for line in shown)
    assert "  1  Dodo: plays whatever comes to mind" in shown


def test_a_game_is_saved_after_every_move_and_can_be_resumed(tmp_path: Path) -> None:
    path = str(tmp_path / "tonight.record")
    plain, _ = table("cookies", ["me", "dodo"], script("1", "1", then="quit"))
    kept: list[Any] = []

    def keep() -> None:
        save(path, plain.session.match.record)
        kept.append(read_record(Path(path).read_bytes()).whole.moves)

    plain.session.keep = keep
    with pytest.raises(QuitGame):
        plain.play()
    assert kept[-1] == tuple(plain.session.match.moves)
    assert all(len(one) < len(two) for one, two in pairwise(kept))
    match, bots = match_setup.resume_match(load(path).whole, "seed")
    assert match.state == plain.session.match.state
    assert list(bots) == [1]
    assert isinstance(bots[1].bot, Dodo)


BOARD = """
spaces = [
  { kind = "tea party", cookies = 1 }, { kind = "rabbit hole", cookies = 2 },
  { kind = "plain", cookies = 3 }, { kind = "plain", cookies = 3 }, { kind = "plain", cookies = 3 },
  { kind = "plain", cookies = 3 }, { kind = "plain", cookies = 3 }, { kind = "plain", cookies = 3 },
]
"""


def test_a_board_file_becomes_the_option_itself(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(BOARD)
    assert options_in(game("cookies"), ["--board", str(path), "--kind-hole"]) == [
        "board=T1-R2-p3-p3-p3-p3-p3-p3",
        "kind_hole=true",
    ]


def test_an_unusable_board_file_is_named(tmp_path: Path) -> None:
    folder, noise, bad = tmp_path / "folder.toml", tmp_path / "noise.toml", tmp_path / "bad.toml"
    folder.mkdir()
    noise.write_bytes(b"\xff\xfe")
    bad.write_text(BOARD.replace("plain", "plane"))
    for value, complaint in [
        (str(tmp_path / "none.toml"), "can't be read: No such file or directory."),
        (str(folder), "can't be read: Is a directory."),
        (str(noise), "can't be read: it isn't a text file."),
        ("\0.toml", "can't be read: it isn't a text file."),
        (str(bad), "can't be used: space 3 has the unknown kind 'plane'"),
    ]:
        with pytest.raises(FileProblem) as refused:
            options_in(game("cookies"), [f"--board={value}"])
        assert complaint in str(refused.value)


def test_invalid_numbers_are_asked_again() -> None:
    shown: list[str] = []
    assert match_setup.ask_for_game(script("²", "9" * 5000, "1"), shown.append).info.name == "cookies"
    assert match_setup.ask_for_seats(game("parade"), script("³", "9" * 5000, "1"), shown.append)
    assert all(len(line) < 200 for line in shown)


def test_in_letters_the_log_does_not_replace_memory() -> None:
    for options, told_again in (([], False), (["memory=open"], True)):
        plain, shown = table("letters", ["me", "bot"], script("5", "log", then="quit"), options)
        with pytest.raises(QuitGame):
            plain.play()
        told = [line for line in shown if line.startswith("· Alice turns card 5")]
        assert told[0] != "· Alice turns card 5."  # when it is turned, it is named
        assert (told[-1] != "· Alice turns card 5.") is told_again


def test_events_before_a_resume_are_not_new(tmp_path: Path) -> None:
    path = str(tmp_path / "game.record")
    plain, _ = table("letters", ["me", "bot"], script("5", then="quit"))
    with pytest.raises(QuitGame):
        plain.play()
    save(path, plain.session.match.record)
    match, bots = match_setup.resume_match(load(path).whole, "seed")
    session = Session(match, bots, random.Random(1), began=len(match.events))
    assert session.news(0) == []
    assert "Alice turns card 5." in session.log(0)


def test_only_bot_names_become_bots_when_a_game_is_resumed() -> None:
    names = ["Dodo", "Dodo 2", "Dodo Dave", "Bottom", "Bot 3", "White Rabbit 2", "white-rabbit", "2"]
    bots = match_setup.bots_among("parade", names)
    assert {seat: each.bot.name for seat, each in bots.items()} == {
        0: "Dodo",
        1: "Dodo",
        4: "Cheshire",
        5: "White Rabbit",
        6: "White Rabbit",
    }
    assert not match_setup.bots_among("letters", ["Hatter"])  # Letters has none, so it was a person


def test_another_game_does_not_inherit_the_options_of_the_first() -> None:
    asked = PlayArguments(arguments(game="letters", first="me"), ["--claim", "first"])
    assert asked.session(game("letters"), ["me", "bot"]).match.options.claim == "first"
    other = asked.session(game("parade"), ["me", "bot", "bot"])
    assert len(other.match.names) == 3


def test_playing_again_after_a_resumed_game_keeps_the_table(tmp_path: Path) -> None:
    path = str(tmp_path / "game.record")
    match, _ = match_setup.new_match(game("letters"), ["Tick", "bot", "Tock"], ["claim=first"], "x")
    save(path, match.record)
    asked = PlayArguments(arguments(resume=path), [])
    first = asked.session(game("letters"), asked.seats)
    again = asked.session(game("letters"), asked.seats)
    assert first.match.names == again.match.names == ("Tick", "Cheshire", "Tock")
    assert first.match.options == again.match.options
    assert list(again.bots) == [1]
    assert asked.path == str(tmp_path / "game-2.record")


def test_a_finished_game_keeps_its_shuffle_statement_when_resumed(tmp_path: Path) -> None:
    path = tmp_path / "game.record"
    source = RECORDS / "parade/3-players-sixth-colour.record"
    path.write_text(source.read_text().replace("\n\n", "\nLuck: hmac-1 as it was\n\n", 1))
    before = path.read_bytes()
    asked = PlayArguments(arguments(resume=str(path)), [])
    PlainTable(asked.session(game("parade"), asked.seats), script(), lambda _: None).play()
    assert path.read_bytes() == before


def test_unusable_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match=r"nowhere\.record' can't be read: No such file"):
        load(str(tmp_path / "nowhere.record"))
    with pytest.raises(FileProblem, match=r"can't be read: invalid file name"):
        load("\0")
    match, _ = match_setup.new_match(game("parade"), ["me", "bot"], [], None)
    for wrong in (str(tmp_path / "no" / "such" / "folder.record"), str(tmp_path), "/", ".", "\0"):
        with pytest.raises(FileProblem, match="can't be written"):
            save(wrong, match.record)
    assert list(tmp_path.iterdir()) == []
    save(str(tmp_path / "there.record"), match.record)
    with pytest.raises(FileProblem, match=r"there\.record' already exists. Continue it with --resume"):
        refuse_to_overwrite(str(tmp_path / "there.record"))
