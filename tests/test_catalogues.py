"""The catalogues of every language are complete: no text is missing, fuzzy, stale or left in English."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message

from catalogues import (
    CODES,
    GAMES,
    SHELL,
    Text,
    catalogue_file,
    extract_messages,
    forms,
    home,
    narrow_spaces,
    read_catalogue,
    render_catalogue,
)
from wonderland.components.catalogues import load_language
from wonderland.components.rulebook import rulebook, rules_in
from wonderland.features.rulebook.pages import rules_html

ENDS = (".", "?", "!", "…", ":", "。", "\uff1f", "\uff01", "\uff1a")
HOMES = (SHELL, *GAMES)
EVERY = [(name, code) for name in HOMES for code in CODES]
IDS = [f"{name}-{code}" for name, code in EVERY]
EACH = pytest.mark.parametrize(("name", "code"), EVERY, ids=IDS)
SAME = {
    "Alice",
    "Bot",
    "Bots",
    "Chat",
    "Cheshire",
    "Coach",
    "Dodo",
    "Enter",
    "Esc",
    "Flamingo",
    "Home, End",
    "Humpty",
    "Joker",
    "Median",
    "Name",
    "Orange",
    "Parade",
    "Pause",
    "Points",
    "Position",
    "Scores",
    "Total",
    "Tutorial",
    "Walrus",
    "Bot A",
    "Bot B",
    "bot",
    "coach",
    "no",
    "normal",
    "point",
    "points",
    "positions",
    "tutorial",
    "{number} bot",
    "{number} bots",
    "{number} minute",
    "{number} minutes",
    "{number} point",
    "{number} points",
    "{signed} point",
    "{signed} points",
}
"""Words that some language has as well; what has no letters besides its fields may stay as it is."""


def texts(message: Message) -> tuple[str, ...]:
    """Return the English of a message."""
    return (message.id,) if isinstance(message.id, str) else tuple(message.id)


def messages(catalogue: Catalog) -> dict[Text, Message]:
    return {
        message.id if isinstance(message.id, str) else tuple(message.id): message
        for message in catalogue
        if message.id
    }


def fields(text: str) -> set[str]:
    """Return the placeholders of a text: `{name}`, `%(num)s`."""
    return set(re.findall(r"\{\w*\}|%\(\w+\)s", text))


def has_words(text: str) -> bool:
    return bool(re.search(r"[^\W\d_]{2}", re.sub(r"\{\w*\}|%\(\w+\)s", "", text)))


@EACH
def test_a_catalogue_has_exactly_the_texts_in_use(name: str, code: str) -> None:
    there, wanted = messages(read_catalogue(name, code)), messages(extract_messages(name))
    assert sorted(map(str, wanted.keys() - there.keys())) == [], "run make catalogues"
    assert sorted(map(str, there.keys() - wanted.keys())) == [], "run make catalogues"


@pytest.mark.release
@EACH
def test_every_text_is_translated(name: str, code: str) -> None:
    catalogue = read_catalogue(name, code)
    empty = [text for text, message in messages(catalogue).items() if not all(forms(message))]
    assert empty == []
    assert [message.id for message in catalogue if message.fuzzy] == []
    for message in messages(catalogue).values():
        if message.pluralizable:
            assert len(forms(message)) == catalogue.num_plurals, message.id


@EACH
def test_every_translation_has_the_fields_of_its_text(name: str, code: str) -> None:
    """A singular may omit the number; no text has a field that is never filled."""
    for message in messages(read_catalogue(name, code)).values():
        wanted = set().union(*map(fields, texts(message)))
        for form in filter(None, forms(message)):
            if message.pluralizable:
                assert wanted - {"{number}", "%(num)s"} <= fields(form) <= wanted, message.id
            else:
                assert fields(form) == wanted, message.id


@pytest.mark.release
@EACH
def test_no_text_is_left_in_english(name: str, code: str) -> None:
    left = [
        message.id
        for message in messages(read_catalogue(name, code)).values()
        if any(has_words(text) for text in texts(message))
        and set(texts(message)) & set(forms(message))
        and not SAME.issuperset(texts(message))
    ]
    assert left == []


@EACH
def test_a_translation_keeps_leading_and_trailing_characters(name: str, code: str) -> None:
    """With or without a full stop, and without stray spaces."""
    for message in messages(read_catalogue(name, code)).values():
        for form in filter(None, forms(message)):
            text = texts(message)[-1]
            if text.strip():
                assert form == text or form == form.strip(), message.id
                assert text.endswith(ENDS[:5]) == form.endswith(ENDS), message.id


@EACH
def test_a_catalogue_is_formatted_as_the_script_writes_it(name: str, code: str) -> None:
    assert catalogue_file(name, code).read_bytes() == render_catalogue(read_catalogue(name, code))


@pytest.mark.parametrize("code", CODES)
def test_games_and_shell_translate_the_same_text_alike(code: str) -> None:
    """Catalogues are merged: a text in two games is translated as in the first."""
    said: dict[Text, tuple[str, ...]] = {}
    for name in HOMES:
        for text, message in messages(read_catalogue(name, code)).items():
            assert said.setdefault(text, forms(message)) == forms(message), (name, text)


@EACH
def test_catalogues_are_compiled_and_read(name: str, code: str) -> None:
    """As built with the package, or by `make catalogues`: the compiled files match the sources."""
    say = load_language(code)
    for message in messages(read_catalogue(name, code)).values():
        if all(forms(message)):
            if message.pluralizable:
                one, many = texts(message)
                assert say.catalogue.ngettext(one, many, 1) == forms(message)[0]
            else:
                assert say.catalogue.gettext(message.id) == forms(message)[0]


@pytest.mark.parametrize("name", HOMES)
def test_french_punctuation_has_narrow_spaces(name: str) -> None:
    """No-break and narrow before ; : ! ? and inside « »; addresses and notation have none."""
    said = [form for message in messages(read_catalogue(name, "fr")).values() for form in forms(message)]
    if name in GAMES:
        said += translated_rulebook(name, "fr").read_text(encoding="utf-8").splitlines()
    assert [text for text in said if unspaced_punctuation(text)] == []


def unspaced_punctuation(text: str) -> list[str]:
    """Return the French punctuation without its space."""
    prose = re.sub(r"`[^`]*`|\w+://\S*|\S*[A-Za-z]:\S\S*|\d+:\d+|\S+: application/json|\+\?", "", text)
    return re.findall("[^\u202f][;:!?»](?!-)|«[^\u202f]", prose)


def test_missing_spaces_would_be_found() -> None:
    for text in ("Prêt ?", "Prêt\u00a0?", "Prêt!", "Choisis « Jouer\u202f».", "Choisis «\u202fJouer »."):
        assert unspaced_punctuation(text)
        assert not unspaced_punctuation(narrow_spaces(text)) or text == "Prêt!"
    assert not unspaced_punctuation("comme http://host:8000/tables/abc ou HOST:PORT")


# Rulebooks


def translated_rulebook(name: str, code: str) -> Path:
    return home(name) / "locale" / f"RULES.{code}.md"


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", GAMES)
def test_a_rulebook_has_the_same_rules_in_every_language(name: str, code: str) -> None:
    text = translated_rulebook(name, code).read_text(encoding="utf-8")
    english = rulebook(name)
    assert list(rules_in(text)) == list(rules_in(english))
    for mark in (r"^#+ ", r"^- ", r"^\d+\. ", r"^\|"):
        counts = [len(re.findall(mark, each, flags=re.MULTILINE)) for each in (text, english)]
        assert counts[0] == counts[1], mark
    same = set(re.split(r"\n\s*\n", text)) & set(re.split(r"\n\s*\n", english))
    left = [part for part in same if len(part) > 60 and not part.startswith("```")]
    assert left == [], "left in English"


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", GAMES)
def test_a_rulebook_marks_the_same_rulings_in_every_language(name: str, code: str) -> None:
    text = translated_rulebook(name, code).read_text(encoding="utf-8")
    assert rulings_in(text) == rulings_in(rulebook(name))


def rulings_in(text: str) -> dict[str, int]:
    """Return the number of rulings per rule of a rulebook: they start with a bold word and a colon."""
    mark = r"\*\*[^*\d]+[:\uff1a]\*\*"
    return {rule: len(re.findall(mark, words)) for rule, words in rules_in(text).items()}


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", GAMES)
def test_rules_are_shown_in_the_readers_language(name: str, code: str) -> None:
    assert rules_html(name, code) != rules_html(name)


def test_a_missing_rulebook_falls_back_to_english() -> None:
    assert rules_html("parade", "tlh") == rules_html("parade", "en") == rules_html("parade")
