"""The language of a command: an option, or variables of the environment as in GNU gettext."""

from __future__ import annotations

import argparse

import pytest

from wonderland.arguments import language_code, language_of
from wonderland.cli import main
from wonderland.components.catalogues import LANGUAGES, environment_language, load_language
from wonderland.components.rulebook import rulebook
from wonderland.engine.errors import UsageError
from wonderland.engine.registry import game

VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
ABOUT = game("parade").info.about


@pytest.fixture(autouse=True)
def clear_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("name", VARIABLES)
@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("form", ["{}", "{}_XX", "{}_XX.UTF-8", "{}@euro", "{}-xx"])
def test_each_variable_chooses_the_language(name: str, code: str, form: str) -> None:
    assert environment_language({name: form.format(code)}) == code


def test_earlier_variables_take_precedence() -> None:
    environment = dict(zip(reversed(VARIABLES), ("de_DE", "es_ES", "fr_FR", "ja"), strict=True))
    for name, code in zip(VARIABLES, ("ja", "fr", "es", "de"), strict=True):
        assert environment_language(environment) == code
        environment[name] = ""  # an empty variable counts as unset
    assert environment_language(environment) == environment_language({}) == "en"


def test_a_list_of_languages_is_tried_in_order() -> None:
    assert environment_language({"LANGUAGE": "tlh:pl:de"}) == "pl"
    assert environment_language({"LANGUAGE": "en_GB:de", "LANG": "de_DE"}) == "en"
    assert environment_language({"LANGUAGE": "tlh", "LANG": "de_DE"}) == "en"


@pytest.mark.parametrize("locale", ["C", "POSIX"])
def test_the_locale_without_a_language_is_english(locale: str) -> None:
    for name in VARIABLES[1:]:
        assert environment_language({"LANGUAGE": "de", name: locale}) == "en"
    assert environment_language({"LANGUAGE": "de", "LANG": "C.UTF-8"}) == "de"
    assert environment_language({"LANG": "C.UTF-8"}) == "en"


@pytest.mark.parametrize("words", [["--language", "de", "games"], ["games", "--language=de"]])
def test_the_option_is_accepted_before_and_after_the_command(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANGUAGE", "pl")
    assert main(words) == 0
    assert load_language("de")(ABOUT) in capsys.readouterr().out


def test_the_environment_is_used_without_the_option(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_MESSAGES", "ja_JP.UTF-8")
    assert main(["games"]) == 0
    assert load_language("ja")(ABOUT) in capsys.readouterr().out
    monkeypatch.setenv("LC_ALL", "C")
    assert main(["games"]) == 0
    assert ABOUT in capsys.readouterr().out


@pytest.mark.parametrize(
    "words", [["--language", "tlh", "games"], ["rules", "parade", "--language", ""]]
)
def test_an_unknown_language_is_rejected_in_one_sentence(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert all(f"{code} ({name})" in said.err for code, name in LANGUAGES.items())


def test_errors_are_translated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "parade", "P99", "--language", "de"]) == 2
    with pytest.raises(UsageError) as caught:
        language_code(argparse.Namespace(language="xx"))
    assert "P99" in capsys.readouterr().err
    assert "xx" in str(caught.value)


@pytest.mark.parametrize("code", LANGUAGES)
def test_rulebooks_are_shown_in_the_language(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "letters", "--language", code]) == 0
    assert capsys.readouterr().out.strip() == rulebook("letters", code).strip()
    assert main(["--language", code, "rules", "letters", "L6"]) == 0
    assert capsys.readouterr().out.startswith("- **L6**")


def test_english_loads_no_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gettext.GNUTranslations", None)
    load_language.cache_clear()
    assert language_of(argparse.Namespace()).code == "en"
