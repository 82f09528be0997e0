"""Codes of refusals: one typed list, used by the server, the API, pages and the documentation."""

from __future__ import annotations

import re

from codes_page import PAGE, render_page
from support.paths import SOURCE
from wonderland.components.catalogues import load_language
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


def test_the_page_of_codes_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == render_page(), "run `make golden`"
