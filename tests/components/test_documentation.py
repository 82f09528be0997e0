"""`docs/components.md` repeats the code correctly and explains every member of every contract."""

from __future__ import annotations

from components_page import PAGE, meanings, render_page

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_page_is_up_to_date() -> None:
    assert render_page(TEXT) == TEXT, "run make golden"


def test_every_member_of_a_contract_is_explained() -> None:
    assert [member for member, meaning in meanings(TEXT).items() if not meaning] == []
