"""Bots as commands name them: levels, budgets, custom bots, and clear errors."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.bots import entrant, levels
from wonderland.components.bots import Budget
from wonderland.engine.errors import BotFailed, UsageError
from wonderland.engine.registry import game_names

OWN = """
class Modest:
    name = "Modest"
    def choose(self, view, legal, rng, budget):
        return legal[0]

class Nameless:
    def choose(self, view, legal, rng, budget):
        return legal[0]

class Onlooker:
    name = "Onlooker"

class Demanding(Modest):
    def __init__(self, fee):
        self.fee = fee

NUMBER = 7
"""


@pytest.fixture(autouse=True)
def _own_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_bots_of_a_test.py").write_text(OWN)
    (tmp_path / "broken_bots_of_a_test.py").write_text("1 / 0\n")
    (tmp_path / "needy_bots_of_a_test.py").write_text("import soup\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.parametrize("name", game_names())
def test_every_level_can_be_selected_by_name(name: str) -> None:
    for level in levels(name):
        found = entrant(name, f" {level.name} ")
        assert (found.name, found.policy, found.budget) == (level.name, level.word, level.budget)
        assert entrant(name, level.word).make().name == level.name


def test_a_budget_follows_an_at_sign() -> None:
    assert entrant("parade", "dodo@250").budget == Budget(playouts=250)
    assert entrant("parade", "dodo@0.25s").budget == Budget(seconds=0.25)
    assert entrant("parade", "dodo@3s").budget == Budget(seconds=3)
    found = entrant("parade", "dodo@250")
    assert found.name == "Dodo@250"
    assert found.policy is None  # a kernel plays it with its default budget only


@given(st.text(max_size=8))
def test_other_budgets_are_rejected_in_one_sentence(text: str) -> None:
    if re.fullmatch(r"[0-9]+|[0-9]*\.?[0-9]+s", text.rstrip()) and float(text.strip().rstrip("s")):
        found = entrant("parade", f"dodo@{text}").budget
        assert (found.playouts or found.seconds or 0) > 0
    else:
        with pytest.raises(UsageError, match=r"has an invalid limit.*\.$"):
            entrant("parade", f"dodo@{text}")


def test_a_custom_bot_can_be_named_by_module() -> None:
    found = entrant("parade", "own_bots_of_a_test:Modest@7")
    assert found.name == "Modest@7"
    assert found.budget == Budget(playouts=7)
    assert found.make() is not found.make()
    assert found.make().choose(None, [3, 4], random.Random(1), found.budget) == 3
    assert entrant("parade", "own_bots_of_a_test:Nameless").name == "Nameless"
    assert entrant("parade", "own_bots_of_a_test:Nameless").budget == Budget()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("no_such_module:Bot", "'no_such_module:Bot' can't be imported: ModuleNotFoundError"),
        ("own_bots_of_a_test:Missing", "there is no class 'Missing' in own_bots_of_a_test."),
        ("own_bots_of_a_test:NUMBER", "there is no class 'NUMBER' in own_bots_of_a_test."),
        ("own_bots_of_a_test:Onlooker", "it has no method choose(view, legal, rng, budget)."),
        (":Bot", "can't be imported"),
        ("..:Bot", "can't be imported"),
        ("own_bots_of_a_test:", "there is no class ''"),
        ("", "there is no bot called ''"),
    ],
)
def test_an_unknown_bot_is_rejected_in_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(UsageError) as told:
        entrant("parade", text)
    assert sentence in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("broken_bots_of_a_test:Bot", "can't be imported: ZeroDivisionError: division by zero."),
        ("needy_bots_of_a_test:Bot", "can't be imported: ModuleNotFoundError: No module named 'soup'."),
        ("own_bots_of_a_test:Demanding", "can't be created without arguments: TypeError"),
    ],
)
def test_a_bot_that_fails_to_load_is_a_failure(text: str, sentence: str) -> None:
    with pytest.raises(BotFailed) as told:
        entrant("parade", text)
    assert sentence in str(told.value)
    assert "\n" not in str(told.value)
