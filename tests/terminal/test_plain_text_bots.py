"""Bots and hints at the prompt: every level, unknown levels, resumed bots, and what a hint may know."""

from __future__ import annotations

import random
from copy import copy
from pathlib import Path
from typing import Any

import pytest

from support.prompt import arguments, first_choice, script, table
from wonderland.bots import level, levels
from wonderland.components.bots import Budget
from wonderland.engine import BotFailed, Over, UsageError, game, game_names
from wonderland.terminal import match_setup
from wonderland.terminal.choices import choices_of
from wonderland.terminal.command import PlayArguments
from wonderland.terminal.plain_text import PlainTable, QuitGame
from wonderland.terminal.record_files import save
from wonderland.terminal.session import Opponent, Session


@pytest.mark.parametrize(
    ("name", "word"), [(name, each.word) for name in game_names() for each in levels(name)]
)
def test_every_level_plays_a_whole_game(name: str, word: str) -> None:
    holder: list[PlainTable] = []
    plain, _ = table(name, ["me", f"{word}@5"], first_choice(holder))
    holder.append(plain)
    plain.play()
    assert isinstance(plain.session.match.turn, Over)


def test_an_unknown_level_is_rejected_with_the_known_ones() -> None:
    there = "dodo, white-rabbit, cheshire, queen"
    with pytest.raises(UsageError, match=rf"no bot called 'frog'\. .* {there}"):
        PlayArguments(arguments(game="letters", bots="frog"), [])
    with pytest.raises(UsageError, match="no game has a bot called 'frog'"):
        PlayArguments(arguments(bots="frog"), [])
    with pytest.raises(UsageError, match="has an invalid limit"):
        PlayArguments(arguments(game="letters", bots="queen@lots"), [])
    asked = PlayArguments(arguments(game="letters", seats="me,hatter"), [])
    with pytest.raises(UsageError, match=rf"no bot called 'hatter' in Letters. Choose from {there}"):
        asked.session(game("letters"), asked.seats)
    with pytest.raises(UsageError, match="--resume can't be combined"):
        PlayArguments(arguments(resume="game.record", bots="queen"), [])


def test_a_resumed_queen_is_the_queen_again(tmp_path: Path) -> None:
    path = str(tmp_path / "game.record")
    match, _ = match_setup.new_match(game("cookies"), ["me", "queen@5", "white-rabbit"], [], "x")
    save(path, match.record)
    session = PlayArguments(arguments(resume=path), []).session(game("cookies"), [])
    assert session.match.names == ("Alice", "King", "Hedgehog")
    assert [each.bot.name for each in session.bots.values()] == ["Queen", "White Rabbit"]
    assert session.bots[1].budget == level("cookies", "queen").budget


def test_six_bots_of_a_level_have_names_and_stay_who_they_are(tmp_path: Path) -> None:
    path = str(tmp_path / "game.record")
    match, bots = match_setup.new_match(game("parade"), ["queen"] * 5 + ["dormouse"], [], "x")
    assert match.names[:3] == ("Queen", "King", "Carpenter")
    assert len(set(match.names)) == 6
    assert [bots[seat].level for seat in range(6)] == ["queen"] * 5 + ["dodo"]
    save(path, match.record)
    session = PlayArguments(arguments(resume=path), []).session(game("parade"), [])
    assert [each.level for each in session.bots.values()] == ["queen"] * 5 + ["dodo"]
    assert not any("·" in name for name in session.names), "the level is only in the record"
    introduced = session.introductions()
    assert len(introduced) == 6
    assert "hardest" in introduced[4]
    assert introduced[5] == "Dormouse (easiest): Plays in its sleep."


def test_bots_introduce_themselves_once() -> None:
    plain, shown = table("letters", ["me", "dodo"], script("table", then="quit"))
    with pytest.raises(QuitGame):
        plain.play()
    assert [line for line in shown if "(easiest)" in line] == [f"· {plain.session.introductions()[0]}"]


@pytest.mark.parametrize("name", game_names())
def test_a_hint_names_a_choice_and_plays_nothing(name: str) -> None:
    plain, shown = table(name, ["me", "dodo"], script("hint", "hint", then="quit"))
    with pytest.raises(QuitGame):
        plain.play()
    advice = [line for line in shown if line.startswith("Queen would choose ")]
    assert len(advice) == 2
    assert len(set(advice)) == 1  # the same question has the same answer
    choices = choices_of(plain.session.match, 0)
    assert advice[0].removeprefix("Queen would choose ").partition(":")[0] in choices
    assert not any(move.actor == 0 for move in plain.session.match.moves)


@pytest.mark.parametrize("name", game_names())
def test_a_hint_knows_no_more_than_the_player_asking(name: str) -> None:
    session = table(name, ["Tick", "Tock"], script())[0].session
    the_game = session.match.game
    differences = 0
    for _ in range(12):
        seat = session.next_person
        if seat is None:
            break
        advised = session.hint_task(seat)()
        for seed in range(4):
            sampled = the_game.sample_state(session.match.view(seat), random.Random(seed))
            differences += sampled != session.match.state
            other = copy(session.match)
            other.state = sampled
            again = Session(other, {}, random.Random(9), adviser=session.adviser)
            assert again.hint_task(seat)() == advised
        session.play(seat, advised)
    assert differences or name == "letters"  # there, nobody knows more than anybody else


def test_hints_do_not_change_the_bots_play() -> None:
    def played(*, hints: bool) -> list[Any]:
        holder: list[PlainTable] = []
        choose = first_choice(holder)
        asked = 0

        def ask(question: str) -> str:
            nonlocal asked
            asked += 1
            return "hint" if hints and asked % 2 else choose(question)

        plain, _ = table("parade", ["me", "hatter", "queen@5"], ask)
        holder.append(plain)
        plain.play()
        return plain.session.match.moves

    assert played(hints=True) == played(hints=False)


class Confused:
    """A bot that fails."""

    name = "Gryphon"

    def choose(self, *_: object) -> Any:
        return 1 // 0


def test_a_failing_bot_is_reported_in_one_sentence() -> None:
    match, _ = match_setup.new_match(game("parade"), ["dodo", "dodo"], [], "x")
    session = Session(match, dict.fromkeys((0, 1), Opponent(Confused(), Budget())), random.Random(1))
    with pytest.raises(BotFailed, match=r"^Gryphon can't choose: ZeroDivisionError: integer"):
        session.play_bot(0)
