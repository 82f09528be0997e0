"""Mutation testing of the readable rules on a small sample, and the campaign's own power."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from campaigns import rule_mutations
from campaigns.mutants import mutants_of
from wonderland.engine import game_names

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
SOURCE = '''
"""Not changed."""

LIMIT: int = 3


def takes(cards, limit=LIMIT):
    """Not changed either."""
    assert cards
    if not cards or len(cards) > limit:
        raise ValueError(f"{limit - 1} at most")
    total = max(cards)
    total += 2
    return sorted(cards)[total % 2 :]
'''
WEAK = """
from wonderland.games.parade.rules.components import DECK
from wonderland.games.parade.rules.scoring import score_sheets


def test_p12_points_are_counted_on_score_sheets_alone():
    assert [sheet.total for sheet in score_sheets([DECK[:1], DECK[12:13], DECK[13:14]])] == [1, 1, 1]
"""


def campaign(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.campaigns.rule_mutations", "--seed", "1", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=600)


def test_mutants_have_one_small_fault_each(tmp_path: Path) -> None:
    path = tmp_path / "small.py"
    path.write_text(SOURCE)
    found = mutants_of("small", path)
    assert Counter(mutant.function for mutant in found) == {"<module>": 2, "takes": 21}
    changes = {mutant.change for mutant in found}
    assert changes >= {
        "3 -> 4",
        "not cards or len(cards) > limit -> not cards and len(cards) > limit",
        "not cards or len(cards) > limit -> len(cards) > limit",
        "not cards or len(cards) > limit -> not cards or len(cards) >= limit",
        "limit - 1 -> limit + 1",
        "max(cards) -> min(cards)",
        "total += 2 -> pass",
        "total += 2 -> total -= 2",
        "sorted(cards)[total % 2:] -> list(cards)[total % 2:]",
        "return sorted(cards)[total % 2:] -> return None",
    }
    line = 1 + SOURCE[: SOURCE.index("total += 2")].count("\n")
    assert {mutant.line for mutant in found if mutant.change.startswith("total += 2")} == {line}
    codes = {mutant.compiled().co_consts for mutant in found}
    assert len(codes) > 1
    assert [mutant.change for mutant in mutants_of("small", path)] == [it.change for it in found]


@pytest.mark.parametrize("name", game_names())
def test_the_rule_tests_kill_a_sample_of_mutants(name: str) -> None:
    done = campaign("--game", name, "--mutants", "4")
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{name}: tried 4 of " in done.stdout


def test_a_gap_in_the_tests_is_reported(tmp_path: Path) -> None:
    weak = tmp_path / "test_weak.py"
    weak.write_text(WEAK)
    done = campaign("--game", "parade", "--function", "totals", "--tests", str(weak))
    assert done.returncode == 1, done.stdout + done.stderr
    assert "scoring.py:" in done.stdout
    assert re.search(r" in totals: .+ if .+ >= .+ -> .+ if .+ < .+", done.stdout)
    assert "0 killed" in done.stdout


def test_tests_that_fail_on_the_original_rules_are_rejected(tmp_path: Path) -> None:
    failing = tmp_path / "test_failing.py"
    failing.write_text("def test_nothing():\n    raise AssertionError\n")
    done = campaign("--game", "letters", "--mutants", "1", "--tests", str(failing))
    assert done.returncode == 1
    assert "The rule tests of letters fail without any mutant." in done.stderr


@pytest.mark.parametrize("name", game_names())
def test_every_listed_equivalent_mutant_exists(name: str) -> None:
    listed = rule_mutations.known_equivalent(name)
    assert all(listed.values()), "each has a reason"
    assert not set(listed) - {rule_mutations.key(mutant) for mutant in rule_mutations.mutants(name)}


@pytest.mark.parametrize("name", game_names())
def test_rule_tests_import_only_the_rules_of_a_game(name: str) -> None:
    chosen = {path.name for path in rule_mutations.rule_tests(name)}
    assert len(chosen) >= 3
    assert not chosen & {"test_kernel.py", "test_levels.py", "test_scene.py", "test_tutorial.py"}
