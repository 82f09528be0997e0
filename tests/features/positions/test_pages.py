"""The position editor over HTTP: what it shows, its errors for bad lines, and its advice."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.raw_clients import Answer, Http, site_in
from support.html import HtmlChecker
from support.pseudo_locale import CODE, install_pseudo_language, pseudo_language, untranslated
from wonderland.bots.evaluation import default_budget, evaluate
from wonderland.components.catalogues import load_language
from wonderland.components.editor import editor_of
from wonderland.components.words import words_of
from wonderland.engine.language import ENGLISH
from wonderland.engine.protocol import FACE_DOWN
from wonderland.engine.registry import game, game_names
from wonderland.features.positions.advice import advise, seats_in
from wonderland.features.positions.editor import EditedPosition, Touch, apply_edit, open_position
from wonderland.tables.rate_limit import RateLimiter

EXAMPLES = {name: editor_of(name).EXAMPLE for name in game_names()}  # type: ignore[union-attr]
PARADE = EXAMPLES["parade"]
UNFINISHED = "parade stage=play turn=1 hands=R1.R2/?.?.?.?.? parade=B1 zones=-/- ending=- left=- kept=-"


def request_all(
    folder: Path, *wishes: tuple[str, str, Any], hints: RateLimiter | None = None
) -> list[Answer]:
    async def ask() -> list[Answer]:
        async with site_in(folder, limited=False) as here:
            here.site.hints = hints or here.site.hints
            http = Http(here.port)
            headers = {"Accept": "text/html"}
            return [
                await http.ask(how, path, body, headers if how == "GET" else {})
                for how, path, body in wishes
            ]

    return asyncio.run(ask())


def page_of(name: str, **query: Any) -> tuple[str, str, None]:
    return "GET", f"/position/{name}?{urlencode(query)}", None


def question(position: str, seat: int = 0, name: str = "parade") -> tuple[str, str, Any]:
    return "POST", "/api/positions/advice", {"game": name, "position": position, "seat": seat}


def test_the_line_of_parade_has_a_legend_of_its_colours(tmp_path: Path) -> None:
    """Grey is Y in a position, because G is green."""
    parade, letters = request_all(
        tmp_path, *(page_of(name, position=EXAMPLES[name]) for name in ("parade", "letters"))
    )
    legend = re.search(r'<p id="line-legend"[^>]*>(.*?)</p>', parade.body.decode())
    assert legend is not None
    assert "Y Grey" in legend[1]
    assert 'aria-describedby="line-legend"' in parade.body.decode()
    assert "line-legend" not in letters.body.decode()


def test_a_page_shows_the_position_in_its_address(tmp_path: Path) -> None:
    pages = [page_of(name, position=line, seat=0) for name, line in EXAMPLES.items()]
    answers = request_all(
        tmp_path, *pages, page_of("parade"), page_of("poker"), page_of("parade", seat="x")
    )
    for (name, line), answer in zip(EXAMPLES.items(), answers, strict=False):
        page = answer.body.decode()
        assert answer.status == 200
        assert HtmlChecker(page).wrong == []
        assert f'class="{name}-scene' in page
        assert f'value="{line}"' in page
        assert re.search(r'<button class="main" id="ask" *>', page), "it can be requested at once"
    empty, missing, bad = answers[len(EXAMPLES) :]
    assert "Your hand: add 5 more." in empty.body.decode()
    assert re.search(r'id="ask" disabled', empty.body.decode())
    assert (missing.status, bad.status) == (404, 400)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "Your hand: add 5 more. Add the parade's cards, from front to end."),
        (UNFINISHED, "Your hand: add 3 more."),
        ("chess", "A position of this game starts with 'parade', not with 'chess'."),
        (PARADE.replace(" left=-", ""), "left=… is missing from the position."),
        (PARADE.replace("stage=play", "stage=draw"), "Nobody has a choice to make in this position."),
        (
            PARADE.replace("zones=R2.R5.Y7/R10.G4.G8", "zones=R2.R5.Y7/R10.G4.P1.O1.Y1.B1"),
            "Someone has all six colours, so the last round has started.",
        ),
        (
            UNFINISHED.replace("R1.R2/", "B10.P2.G3.Y9.O6/").replace(
                "B1 zones=-/", "R1.R2.B3.P7.P5.G0 zones=R10/"
            ),
            "Alice hasn't had a turn yet, so can't have taken anything.",
        ),
        (PARADE.replace("turn=1", "turn=2"), "Waiting for Bill."),
        (PARADE, "It's your turn."),
    ],
)
def test_errors_and_missing_facts_are_explained_in_a_sentence(line: str, says: str) -> None:
    shown = open_position("parade", line, 0, ENGLISH).answer()
    assert shown.says == says
    assert shown.ready is (says == "It's your turn.")
    assert line in ("", shown.position), "nothing that was written is lost"


@pytest.mark.parametrize(
    ("name", "right", "wrong", "says", "rule"),
    [
        ("parade", "zones=R2.R5.Y7/", "zones=R2.R5.Y7.G2.O0.P0.B0/", "Jemand hat alle sechs", "P8"),
        ("letters", "redC.", "blueI.", "I in Blau liegt offen, aber Bill", "L9"),
        ("cookies", "pawns=4/6L", "pawns=9/6L", "Zwei Figuren stehen auf Feld 9.", "C9"),
    ],
)
def test_the_reason_a_position_is_impossible_is_given_in_every_language(
    name: str, right: str, wrong: str, says: str, rule: str
) -> None:
    shown = open_position(name, EXAMPLES[name].replace(right, wrong), 0, load_language("de")).answer()
    assert shown.says.startswith(says)
    assert shown.rule == (f"/rules/{name}#{rule}" if rule else "")


def test_other_players_hands_are_left_out() -> None:
    noted = PARADE.replace("?.?.?.?.?/", "R0.B0.P0.Y0.O0/", 1)
    shown = open_position("parade", noted, 0, ENGLISH).answer()
    assert shown.position == PARADE
    form = open_position("parade", noted, 1, ENGLISH).form
    assert form is not None
    assert form.pieces_in("hand") == ("R0", "B0", "P0", "Y0", "O0")


@pytest.mark.parametrize("name", game_names())
@settings(max_examples=10)
@given(data=st.data())
def test_every_touch_redraws_the_position(name: str, data: st.DataObject) -> None:
    shown = open_position(name, data.draw(st.sampled_from(["", EXAMPLES[name]])), 0, ENGLISH)
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    for _ in range(4):
        assert shown.form is not None
        place, choice = rng.choice(shown.form.places), rng.choice(shown.form.choices)
        touch = Touch(place.key, rng.choice(rng.choice(place.rows)).words[0], rng.choice((None, 0)))
        shown = apply_edit(name, shown.form.facts, ENGLISH, touch)
        assert shown.form is not None
        chosen = shown.form.facts | {choice.key: rng.choice(choice.options)[0]}
        shown = apply_edit(name, chosen, ENGLISH)
        answer = shown.answer()
        assert answer.says.endswith(".")
        assert HtmlChecker(answer.html["form"]).wrong == []
        assert HtmlChecker(answer.html["scene"]).wrong == []


def test_edits_over_http(tmp_path: Path) -> None:
    def wish(**more: Any) -> tuple[str, str, Any]:
        return "POST", "/api/positions", {"game": "parade", **more}

    bodies = [
        wish(),
        wish(facts={"hand": "R1"}, touch={"place": "hand", "piece": "R2"}),
        wish(facts={"hand": "R1.R2"}, touch={"place": "hand", "number": 0}),
        wish(facts={"seats": "99", "nonsense": "\x00"}),
        wish(touch={"place": "nowhere", "piece": "R1"}),
        wish(touch={"place": "hand", "piece": "X1"}),
        wish(facts={"hand": 1}),
        ("POST", "/api/positions", {"game": "poker"}),
    ]
    answers = request_all(tmp_path, *bodies)
    assert [answer.status for answer in answers] == [200, 200, 200, 200, 400, 400, 400, 404]
    assert [answer.json()["facts"]["hand"] for answer in answers[:4]] == ["", "R1.R2", "R2", ""]
    sentences = [answer.json()["says"] for answer in answers[:4]]
    sentences += [answer.json()["detail"] for answer in answers[4:]]
    assert all(sentence.endswith((".", "…")) for sentence in sentences)


def test_advice_is_the_judges_verdict_best_first(tmp_path: Path) -> None:
    first, second = request_all(tmp_path, question(PARADE), question(PARADE))
    assert first.status == 200
    assert first.body == second.body
    found, rules = first.json(), game("parade")
    state = rules.read_position(PARADE)
    verdict = evaluate(rules, state, 0, default_budget("parade", 3))
    chances = [option["chance"] for option in found["options"]]
    assert chances == sorted((value.chance for value in verdict.action_values), reverse=True)
    assert found["options"][0]["action"] == rules.write(verdict.best.action)
    view = rules.view(state, 0)
    offers = {words_of("parade").describe_action(view, action) for action in rules.legal(state, 0)}
    assert {option["says"] for option in found["options"]} == offers
    assert found["reason"]
    assert found["html"].count("data-option=") == len(offers)


def test_advice_is_refused_in_a_sentence(tmp_path: Path) -> None:
    unknown = PARADE.replace("B10.P2.G3.Y9.O6", "?.?.?.?.?")
    wishes = [
        question("nonsense"),
        question(PARADE, seat=1),
        question(PARADE, seat=9),
        question(unknown),
        question(PARADE, name="poker"),
        ("POST", "/api/positions/advice", {"game": "parade", "position": "x" * 3000, "seat": 0}),
    ]
    answers = request_all(tmp_path, *wishes)
    assert [answer.status for answer in answers] == [409, 409, 409, 400, 404, 400]
    assert {answer.json()["code"] for answer in answers[:3]} == {"no-advice"}
    assert all(answer.json()["detail"].endswith(".") for answer in answers)


def test_advice_is_rate_limited(tmp_path: Path) -> None:
    few = RateLimiter(rate=0.0, burst=1.0)
    answers = request_all(tmp_path, question(PARADE), question(PARADE), hints=few)
    assert [answer.status for answer in answers] == [200, 429]


def test_remembered_cards_are_shown() -> None:
    """In Letters a card that was turned down again is known to the person who set it up."""
    line = EXAMPLES["letters"]
    shown = open_position("letters", line, 0, ENGLISH).answer()
    assert re.search(r'aria-label="[^"]*card 10[^"]*red I', shown.html["scene"])
    forgotten = open_position("letters", line.replace("redI?", "?"), 0, ENGLISH).answer()
    assert "red I" not in forgotten.html["scene"]


def test_a_position_without_a_form_is_still_drawn() -> None:
    """The same goes for a game that has no editor."""
    for name, line in EXAMPLES.items():
        rules = game(name)
        shown = EditedPosition(rules, line, 0, ENGLISH).answer()
        assert (shown.facts, shown.html["form"], shown.ready) == ({}, "", True)
        assert f"{name}-scene" in shown.html["scene"]
        assert seats_in(line, rules) == (2 if name == "letters" else 3)
        assert seats_in("", rules) == 2
        assert seats_in("a=" + "/" * 50, rules) == rules.info.seats[-1]
    over = "parade stage=over turn=- hands=-/- parade=- zones=-/- ending=both left=- kept=-"
    assert not EditedPosition(game("parade"), over, 0, ENGLISH).answer().ready
    assert FACE_DOWN in game("parade").read_position(PARADE).hands[1]


@pytest.mark.parametrize("name", game_names())
def test_all_visible_text_is_in_a_catalogue(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    install_pseudo_language(monkeypatch)
    say = pseudo_language()
    assert say.code == CODE
    for line in ("", EXAMPLES[name]):
        shown = open_position(name, line, 0, say).answer()
        assert untranslated(shown.html["form"]) == []
        assert untranslated(f"<p>{shown.says}</p>") == []
    assert untranslated(advise(name, EXAMPLES[name], 0, say).html) == []
