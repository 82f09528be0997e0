"""Errors survive pickling, add a hint, and quote any value; sentences join by language."""

from __future__ import annotations

import pickle

from wonderland.components.catalogues import load_language
from wonderland.engine.errors import FileProblem, UsageError, quote
from wonderland.engine.language import ENGLISH, Message


def test_an_error_can_be_pickled() -> None:
    error = UsageError("{word} is unknown.", word="tea")
    assert str(pickle.loads(pickle.dumps(error))) == str(error) == "tea is unknown."  # noqa: S301 - our own


def test_a_file_problem_ends_with_its_hint() -> None:
    assert str(FileProblem("Bad file.")) == "Bad file."
    assert str(FileProblem("Bad file.", hint=Message("Try again.", {}))) == "Bad file. Try again."


def test_a_huge_number_is_quoted_in_words() -> None:
    assert "digits" in quote(10**5000)


def test_sentences_are_joined_as_the_language_does() -> None:
    assert ENGLISH.sentences(["One.", "Two."]) == "One. Two."
    assert load_language("ja").sentences(["一。", "二。"]) == "一。二。"
