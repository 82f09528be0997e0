"""Languages: texts with fields, plurals, and language negotiation."""

from __future__ import annotations

import gettext
from typing import Any

import pytest

from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.engine.errors import IllegalAction, NotationError, WonderlandError, cite_rule
from wonderland.engine.language import ENGLISH, Language, Message
from wonderland.engine.outcome import Result
from wonderland.engine.record_reader import read_record
from wonderland.engine.registry import package_of
from wonderland.web.languages import negotiate_language


class Backwards(gettext.NullTranslations):
    """A language with the words of each sentence reversed."""

    def gettext(self, message: str) -> str:
        return " ".join(reversed(message.split(" ")))

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


SDRAWKCAB = Language("xx", Backwards())


def test_a_text_is_formatted_with_its_fields() -> None:
    assert ENGLISH("{name} goes first.", name="{x}") == "{x} goes first."
    assert SDRAWKCAB("{name} goes first.", name="Alice") == "first. goes Alice"
    assert ENGLISH("100 {percent}") == "100 {percent}"
    assert ENGLISH("") == SDRAWKCAB("") == ""


def test_plural_forms_are_chosen_by_number() -> None:
    texts = ("{number} spin for {name}", "{number} spins for {name}")
    assert ENGLISH.plural(*texts, 1, name="Bill") == "1 spin for Bill"
    assert SDRAWKCAB.plural(*texts, 3, name="Bill") == "Bill for spins 3"


def test_lists_and_initial_capitals_are_formatted() -> None:
    assert ENGLISH.join_list(iter(["R1", "G2"])) == "R1, G2"
    assert (ENGLISH.capital("turn card 3"), ENGLISH.capital("")) == ("Turn card 3", "")


def test_templates_get_the_language_functions() -> None:
    given = SDRAWKCAB.context()
    assert given["language"] == "xx"
    assert given["_"]("a {b}", b="c") == given["gettext"]("a {b}", b="c") == "c a"
    assert given["plural"]("one", "{number} more", 2) == "more 2"
    assert given["ngettext"]("%(num)s seat", "%(num)s seats", 2) == "seats 2"


@pytest.mark.parametrize(
    ("header", "chosen", "code"),
    [
        ("", "", "en"),
        ("de", "", "de"),
        ("de-CH, en;q=0.8", "", "de"),
        ("en;q=0.8, PL;q=0.9", "", "pl"),
        ("tlh, ja;q=0.2, fr;q=0.1", "", "ja"),
        ("de;q=0, fr;q=0.1", "", "fr"),
        ("de;q=0", "", "en"),
        ("de;q=nan", "", "en"),
        ("de;q=x, es", "", "es"),
        ("*", "", "en"),
        (";;;,,,", "", "en"),
        ("de" * 5000, "", "en"),
        ("xx," * 30 + "de", "", "en"),
        ("de", "pl", "pl"),
        ("de", "en", "en"),
        ("de", "tlh", "de"),
        ("", "../../etc/passwd", "en"),
        ("", "de\r\nSet-Cookie: a=b", "en"),
    ],
)
def test_the_requested_language_is_negotiated(header: str, chosen: str, code: str) -> None:
    assert negotiate_language(header, chosen).code == code


def test_an_unavailable_language_falls_back_to_english() -> None:
    assert load_language("tlh") is load_language("en") is ENGLISH
    assert {load_language(code).code for code in LANGUAGES} == set(LANGUAGES)


def test_catalogues_of_all_games_are_read(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The shell's catalogue takes precedence over those of games; a text in none is in English."""
    homes = {"wonderland": b"shell", package_of("parade"): b"parade"}
    for home, word in homes.items():
        folder = tmp_path / home / "locale"
        folder.mkdir(parents=True)
        (folder / "de.mo").write_bytes(_compile_catalogue({b"both": word, word: b"its own"}))
    monkeypatch.setattr("importlib.resources.files", lambda home: tmp_path / home)
    found = load_language.__wrapped__("de")
    texts = [found(text) for text in ("both", "shell", "parade", "neither")]
    assert texts == ["shell", "its own", "its own", "neither"]


def _compile_catalogue(texts: dict[bytes, bytes]) -> bytes:
    """Return a compiled catalogue as gettext reads it."""
    pairs = sorted({b"": b"Content-Type: text/plain; charset=utf-8\n"}.items() | texts.items())
    table, data, at = b"", b"", 28 + 16 * len(pairs)
    for column in (0, 1):
        for pair in pairs:
            table += len(pair[column]).to_bytes(4, "little") + (at + len(data)).to_bytes(4, "little")
            data += pair[column] + b"\0"
    numbers = (0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, 0)
    return b"".join(number.to_bytes(4, "little") for number in numbers) + table + data


def test_an_error_is_translated() -> None:
    error = NotationError("two seats have the same name: {names}.", names="A, A")
    assert str(error) == "two seats have the same name: A, A."
    assert error.said(SDRAWKCAB) == "A, A. name: same the have seats two"
    assert str(WonderlandError("what {this} is")) == "what {this} is"
    assert str(WonderlandError()) == ""


def test_the_fields_of_a_message_are_shown_as_what_they_are() -> None:
    inner = Message("{seat} has {card}", {"seat": 1, "card": (0, 3)})
    whole = Message(
        "{title}: {inner}; {list}", {"title": "Tea time", "inner": inner, "list": ("a", "b")}
    )
    assert whole.said(ENGLISH) == "Tea time: player 2 has (0, 3); a, b"
    named = whole.with_names(["Alice", "Bill"])
    assert named.said(ENGLISH, lambda card: f"card {sum(card)}") == "Tea time: Bill has card 3; a, b"
    assert named.said(SDRAWKCAB) == "a ,b (0, 3) has Bill; time Tea:"
    assert whole.with_names(["Alice"]).said(ENGLISH) == whole.said(ENGLISH), "too few names"


def test_an_illegal_action_is_translated_as_a_whole() -> None:
    error = IllegalAction("G8", "{seat} doesn't have this card.", "P4", seat=1)
    assert str(error).endswith("player 2 doesn't have this card (rule P4).")
    german = load_language("de")
    said = error.message.with_names(["Alice", "Bill"]).said(german)
    assert "Bill hat diese Karte nicht." in said
    assert "allowed" not in said
    assert "P4" not in said
    assert cite_rule(said, error.rule, german).endswith("diese Karte nicht (Regel P4).")
    assert cite_rule("これです。", "P4", load_language("ja")).endswith("P4）。")  # noqa: RUF001 - Japanese
    assert cite_rule(said, "", german) == said


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_a_fault_in_a_record_has_no_english_in_it(code: str) -> None:
    text = "Game: parade\nRules: 1\nSeats: Alice, Bill\n\nStart: seat1\nAlice: R1"
    fault = read_record(text).fault
    assert fault is not None
    assert (fault.rule, fault.game) == ("P3", "parade")
    said = fault.said(load_language(code))
    assert not {"isn't", "Expected", "must", "line"} & set(said.split())


def test_a_result_is_translated() -> None:
    alone = Result((1,), (3, 9), "most points", "all cards played")
    shared = Result((0, 1, 2), (3, 3, 3), "same points", "all cards played")
    names = ["A", "B", "C"]
    assert alone.text(names) == "B wins (3 9)"
    assert alone.text(names, SDRAWKCAB) == "(3 9) wins B"
    assert shared.text(names) == "A, B and C share the win (3 3 3)"
    assert alone.sentence(names[:2]) == "B wins (A: 3, B: 9): most points."
    assert alone.sentence(names[:2], SDRAWKCAB) == "points most. (3 A: ,9 B:) wins B:"
