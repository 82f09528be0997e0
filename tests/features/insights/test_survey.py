"""Insights about the games: how they are made and reproduced, and how files are read."""

from __future__ import annotations

import datetime as dt
import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings

from support import insights_samples
from wonderland.bots import default_level
from wonderland.cli import main
from wonderland.components import formatting
from wonderland.components.game_data import dump
from wonderland.engine.errors import FileProblem
from wonderland.engine.language import ENGLISH
from wonderland.engine.registry import game, game_names
from wonderland.features.insights.model import FILE, Figure, Insights, insights
from wonderland.features.insights.survey import Surveyor, made_with

SMALL = 1200
Shown = pytest.CaptureFixture[str]


# Files


@settings(max_examples=25)
@given(insights_samples.insights())
def test_insights_round_trip(found: Insights) -> None:
    assert FILE.read(dump(found).encode(), insights_samples.GAME) == found


def with_values(**values: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda whole: whole | values


def without(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda whole: {key: value for key, value in whole.items() if key != name}


def in_survey(**values: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda whole: whole | {"surveys": [whole["surveys"][0] | values]}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (with_values(version=2), "format 2"),
        (with_values(game="parade"), "for 'parade'"),
        (with_values(rules=99), "version 99"),
        (with_values(date="yesterday"), "date"),
        (with_values(surveys=[]), "surveys"),
        (with_values(extra=1), "extra"),
        (without("meetings"), "meetings"),
        (in_survey(order=[{"value": 0.5, "low": 0.4, "high": 0.6}]), "seats"),
        (in_survey(shared={"value": 0.5, "low": 0.6, "high": 0.7}), "between"),
        (in_survey(games=0), "games"),
        (in_survey(seats=7), "seats"),
    ],
)
def test_a_file_of_another_shape_is_rejected_in_one_sentence(
    change: Callable[[dict[str, Any]], dict[str, Any]], word: str
) -> None:
    whole = json.loads(FILE.home(insights_samples.GAME).read_bytes())
    with pytest.raises(FileProblem, match=r"insights\.json for Cookies can't be used: ") as refused:
        FILE.read(json.dumps(change(whole)).encode(), insights_samples.GAME)
    assert word in str(refused.value)
    assert str(refused.value).endswith("wonderland insights make cookies")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff\xfe", b'{"version": "1"}'])
def test_invalid_json_is_rejected_in_one_sentence(body: bytes) -> None:
    with pytest.raises(FileProblem, match="can't be used"):
        FILE.read(body, insights_samples.GAME)


@pytest.mark.parametrize("name", game_names())
def test_shipped_figures_add_up(name: str) -> None:
    found = insights(name)
    assert found.seats == tuple(game(name).info.seats)
    for survey in found.surveys:
        assert sum(share.value for share in survey.order) == pytest.approx(1, abs=1e-4)
        assert sum(each.share.value for each in survey.endings) == pytest.approx(1, abs=1e-4)
        for spread, number in (
            (survey.scores, survey.seats * survey.games),
            (survey.decisions, survey.games),
        ):
            assert sum(spread.counts.values()) == number
            total = sum(value * times for value, times in spread.counts.items())
            assert spread.mean.value == pytest.approx(total / number, abs=1e-4)
            assert (spread.lowest, spread.highest) == (min(spread.counts), max(spread.counts))
            below = sum(times for value, times in spread.counts.items() if value < spread.median)
            assert below < number / 2 <= below + spread.counts[spread.median]


@pytest.mark.parametrize("name", game_names())
def test_shipped_figures_are_precise_enough(name: str) -> None:
    """Skill to within three percent, and no figure made by hand."""
    found = insights(name)
    assert dump(found) == FILE.home(name).read_text(encoding="utf-8")
    assert found.command.startswith(f"wonderland insights make {name} --games ")
    for each in found.meetings:
        assert (each.wins.high - each.wins.low) / 2 <= 0.0305
    options = {option.name for option in game(name).info.options if len(option.examples[-1]) < 12}
    assert {variant.option for variant in found.variants} == options


# Making insights


@pytest.fixture(scope="module")
def made() -> Insights:
    return Surveyor("cookies", SMALL, "tea").found("2026-01-31")


def test_the_same_seed_gives_the_same_figures_except_the_date(made: Insights) -> None:
    again = Surveyor("cookies", SMALL, "tea").found("2026-02-01")
    assert msgspec.structs.replace(again, date=made.date) == made
    assert made.command == made_with("cookies", SMALL, "tea")


def answer(command: str, capsys: Shown) -> Any:
    words = shlex.split(command)
    assert words[0] == "wonderland"
    assert main([*words[1:], "--workers", "1", "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


def close(found: Figure, shown: Any) -> bool:
    return (found.value, found.low, found.high) == pytest.approx(
        (shown["value"], shown["low"], shown["high"]), abs=2e-6
    )


def test_the_command_shown_with_a_survey_reproduces_it(made: Insights, capsys: Shown) -> None:
    assert len(made.surveys) == 6
    for survey in made.surveys:
        shown = answer(survey.command, capsys)
        assert shown["games"] == survey.games
        assert all(map(close, survey.order, [part["share"] for part in shown["by_order"]]))
        assert close(survey.shared, shown["shared"])
        assert close(survey.decisions.mean, shown["length"]["mean"])
        means = [seat["score"]["mean"]["value"] for seat in shown["seats"]]
        assert survey.scores.mean.value == pytest.approx(sum(means) / len(means), abs=2e-6)
        for ending, part in zip(survey.endings, shown["endings"], strict=True):
            assert (ending.name, close(ending.share, part["share"])) == (part["name"], True)


def test_the_command_shown_with_a_matchup_reproduces_it(made: Insights, capsys: Shown) -> None:
    assert sum(each.is_next for each in made.meetings) == 4
    for meeting in made.meetings[:3]:
        (pair,) = answer(meeting.command, capsys)["pairs"]
        assert pair["wins_of_one"]["value"] == pytest.approx(meeting.wins.value, abs=2e-6)
        assert meeting.games == 2 * pair["deals"] == 2 * meeting.deals


def test_the_command_shown_with_a_variant_reproduces_it(made: Insights, capsys: Shown) -> None:
    assert [variant.option for variant in made.variants] == ["hands", "hand_size", "kind_hole"]
    for variant in made.variants:
        shown = {each["name"]: each for each in answer(variant.command, capsys)["changes"]}
        for change in variant.changes:
            if change.kind == "score":
                seats = [shown[f"score of seat {seat + 1}"] for seat in range(variant.seats)]
                mean = sum(seat["difference"]["value"] for seat in seats) / variant.seats
                assert change.difference.value == pytest.approx(mean, abs=2e-6)
                continue
            name = {
                "first": "1st player wins",
                "shared": "shared win",
                "decisions": "moves",
            }[change.kind]
            assert close(change.difference, shown[name]["difference"])
            assert change.before == pytest.approx(shown[name]["before"], abs=2e-6)
            assert change.after == pytest.approx(shown[name]["after"], abs=2e-6)


def test_endings_are_compared_where_there_are_several() -> None:
    found = Surveyor("letters", 8000, "tea").found("2026-01-31")
    (variant,) = [each for each in found.variants if each.option == "claim"]
    ended = [change for change in variant.changes if change.kind == "ending"]
    assert {"turned", "claimed after"} <= {change.ending for change in ended}
    assert sum(change.difference.value for change in ended) == pytest.approx(0, abs=1e-5)
    assert found.surveys[-1].player.name == default_level("letters").name


# The command


def error_of(capsys: Shown, *words: str) -> str:
    assert main(["insights", *words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("wonderland: ")
    assert shown.err.count("\n") == 1
    return shown.err


def long_date(text: str) -> str:
    return formatting.date(dt.date.fromisoformat(text), ENGLISH)


def test_it_prints_the_insights_of_all_games(capsys: Shown) -> None:
    assert main(["insights"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    for name in game_names():
        found = insights(name)
        assert f"{game(name).info.title}, {long_date(found.date)}" in lines
        assert f"Based on {found.games:,} simulated games." in lines
    assert main(["insights", "Parade"]) == 0
    shown = capsys.readouterr().out
    for survey in insights("parade").surveys:
        assert f"{100 * survey.order[0].value:.1f}%" in shown
        assert f"{survey.scores.mean.value:.2f}" in shown
    for meeting in insights("parade").meetings:
        assert f"{100 * meeting.wins.value:.1f}%" in shown


def test_make_writes_a_file_that_is_shown_and_round_trips(tmp_path: Path, capsys: Shown) -> None:
    path = tmp_path / "found.json"
    asked = ["insights", "make", "letters", "--games=400", "--seed=tea", "--workers=1"]
    assert main([*asked, "--out", str(path)]) == 0
    shown = capsys.readouterr()
    found = FILE.read(path.read_bytes(), "letters")
    assert f"Letters, {long_date(found.date)}" in shown.out
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", found.date)
    made = [each.command for each in (*found.surveys, *found.meetings, *found.variants)]
    assert shown.err.splitlines() == made
    assert list(tmp_path.iterdir()) == [path]
    assert "already exists" in error_of(capsys, *asked[1:], "--out", str(path))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chess"], "there is no game called 'chess'"),
        (["make", "chess"], "there is no game called 'chess'"),
        (["parade", "letters"], "more than one game"),
        (["make", "parade", "--games", "many"], "--games must be"),
        (["make", "parade", "--games", "0"], "--games must be"),
        (["make", "parade", "--seed", "a cup"], "one word without spaces"),
        (["make", "--out", "all.json"], "--out works only with one game"),
        (["make", "parade", "--out", "nowhere/it.json"], "the folder doesn't exist"),
        (["parade", "--games", "100"], "--games works only with make"),
        (["--out", "x.json"], "--out works only with make"),
    ],
)
def test_invalid_arguments_are_rejected_in_one_sentence(
    words: list[str], said: str, capsys: Shown
) -> None:
    assert said in error_of(capsys, *words)


def test_a_game_without_insights_says_how_to_make_them(
    monkeypatch: pytest.MonkeyPatch, capsys: Shown
) -> None:
    monkeypatch.setattr("wonderland.features.insights.model.FILE.name", "no-such-file.json")
    assert "run: wonderland insights make parade" in error_of(capsys, "parade")
