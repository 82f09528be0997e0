"""Codes of refusals: one typed list, used by the server, the API, pages and the documentation."""

from __future__ import annotations

import ast
import re
from importlib import import_module

import pytest

from codes_page import PAGE, render_page
from support.paths import SOURCE
from wonderland.components.catalogues import load_language
from wonderland.components.rulebook import rulebook
from wonderland.engine import IllegalAction, Match, Seeded, game, game_names
from wonderland.engine.errors import Impossible
from wonderland.engine.registry import package_of
from wonderland.wire.codes import Code
from wonderland.wire.problems import STATUS, Refusal, problem_document


def test_codes_are_short_names_with_a_meaning() -> None:
    for code in Code:
        assert re.fullmatch(r"[a-z]+(-[a-z]+){0,4}", code)
        assert code.name == code.upper().replace("-", "_")
        assert code.kind in STATUS
        assert re.fullmatch(r"[A-Z].*\.", code.meaning)
    assert len({code.meaning for code in Code}) == len(Code)


def test_every_code_is_used() -> None:
    used = set()
    for path in SOURCE.rglob("*.py"):
        used |= set(re.findall(r"\bCode\.([A-Z_]+)", path.read_text(encoding="utf-8")))
    assert used == set(Code.__members__)


def test_scripts_switch_on_codes_that_exist() -> None:
    found = [
        code
        for path in SOURCE.rglob("static/*.js")
        for code in re.findall(r'\bcode === "([a-z-]+)"', path.read_text(encoding="utf-8"))
    ]
    assert "already-started" in found
    assert set(found) <= set(Code)


def test_a_problem_document_has_the_members_of_rfc_9457() -> None:
    refusal = Refusal(Code.SEAT_TAKEN, "Seat {number} is taken or doesn't exist.", number=2)
    german = problem_document(refusal, say=load_language("de"))
    assert (german.code, german.problem, german.status) == ("seat-taken", "not now", 409)
    assert german.type == "/api/docs#seat-taken"
    assert german.title == Code.SEAT_TAKEN.meaning
    assert german.detail


@pytest.mark.parametrize("name", game_names())
def test_every_error_of_the_rules_has_a_code(name: str) -> None:
    folder = SOURCE / "wonderland" / "games" / name / "rules"
    codes = import_module(f"{package_of(name)}.rules.error_codes").ErrorCode
    used = set()
    for path in folder.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        used |= set(re.findall(r"\bErrorCode\.([A-Z_]+)", text))
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call) and ast.unparse(call.func) in ("IllegalAction", "Impossible"):
                why = ast.unparse(call.args[-1])
                assert why == "code" or why.startswith("ErrorCode."), ast.unparse(call)
    assert used == set(codes.__members__)
    for code in codes:
        assert re.fullmatch(r"[a-z]+(-[a-z]+){0,4}", code)
        assert code.rule in rulebook(name)


def test_a_refusal_tells_the_reason_of_the_game() -> None:
    rules = game("parade")
    match = Match(rules, 2, chance=Seeded(1))
    seat = match.turn.seats[0]
    absent = next(each for each in map(rules.read, ("R0", "B0")) if each not in match.legal(seat))
    with pytest.raises(IllegalAction) as illegal:
        match.play(seat, absent)
    assert (illegal.value.code, illegal.value.rule) == ("not-in-hand", "P4")
    document = problem_document(Refusal.of(Code.ILLEGAL_ACTION, illegal.value, "parade"))
    assert (document.reason, document.rule) == ("not-in-hand", "/rules/parade#P4")
    with pytest.raises(Impossible) as impossible:
        rules.read_position(rules.write_position(match.state).replace("ending=-", "ending=both"))
    assert impossible.value.code == "ending-without-left"


def test_the_page_of_codes_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_page(), "run `make golden`"
