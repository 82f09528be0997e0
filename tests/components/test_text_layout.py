"""Text laid out in terminal cells: wrapping, breaking and aligning, also of wide characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some
from rich.cells import cell_len

from wonderland.components.text_layout import (
    align_left,
    align_right,
    centre,
    fit_lines,
    fitting,
    plain,
    shorten_cells,
    wrap_text,
)

TEXTS = some.text(some.sampled_from("ab éお茶会（、。）ー\u00ad"), max_size=60)  # noqa: RUF001 - Japanese


@given(text=TEXTS, width=some.integers(6, 30))
def test_wrapped_text_is_complete_and_fits(text: str, width: int) -> None:
    lines = wrap_text(text, width, "  ")
    assert all(cell_len(line) <= width for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(line.startswith("  ") for line in lines[1:])


def test_an_indented_first_line_keeps_its_indentation() -> None:
    assert wrap_text("    one two", 8) == ["    one", "two"]
    assert wrap_text("", 8) == wrap_text("   ", 8) == []


def test_a_word_that_is_too_long_is_broken() -> None:
    assert wrap_text("abcdefghij", 4, " ") == ["abcd", " efg", " hij"]


def test_japanese_punctuation_does_not_start_a_line() -> None:
    assert wrap_text("あいう、えお。", 6) == ["あい", "う、え", "お。"]


def test_a_name_is_broken_at_soft_hyphens_and_spaces() -> None:
    assert fit_lines("King of Hearts", 7) == ["King of", "Hearts"]
    assert fit_lines("Zimmer\u00admann", 6) == ["Zimmer", "mann"]
    assert fit_lines("Herzo\u00adgin", 6) == ["Herzo-", "gin"]
    assert plain("Herzo\u00adgin") == "Herzogin"


@given(text=TEXTS, width=some.integers(1, 70))
def test_aligned_text_has_the_width_if_it_fits(text: str, width: int) -> None:
    for aligned in (align_left(text, width), align_right(text, width), centre(text, width)):
        assert cell_len(aligned) == max(width, cell_len(text))
        assert aligned.strip() == text.strip()


def test_short_forms() -> None:
    assert shorten_cells("三月ウサギ", 7) == "三月ウ…"
    assert fitting(["三月ウサギ", "ウサギ", ""], 6) == "ウサギ"
