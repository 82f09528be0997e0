"""The analysis board over HTTP: variations, verdicts, expected play, sharing, and faulty records."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from campaigns.raw_clients import Answer, Http, RunningSite, site_in
from support.html import HtmlChecker
from support.paths import RECORDS
from support.pseudo_locale import CODE, install_pseudo_language, untranslated
from support.replays import COOKIES, LETTERS, NOTED, PARADE
from wonderland.components.bots import Budget
from wonderland.engine.errors import UsageError
from wonderland.engine.match import seats_to_act
from wonderland.engine.record_reader import read_record
from wonderland.features.replay import board_pages, variations
from wonderland.features.replay.expected_play import MOVES, expect_play
from wonderland.features.replay.variations import (
    Branches,
    Line,
    VariationMove,
    VariationNode,
    VariationTree,
)
from wonderland.tables.erasure import erase_tables
from wonderland.tables.storage.documents import ANALYSES

pytestmark = pytest.mark.slow
QUICK = Budget(playouts=20)


def branches_in(path: Path) -> Branches:
    return Branches(read_record(path.read_bytes()).whole)


def other_move(branches: Branches, at: int, number: int = 0) -> VariationMove:
    """A move that wasn't played at a moment of the game."""
    match, played = branches.match(Line(at)), branches.played(at)
    assert played is not None
    others = [
        word
        for action in match.legal(played.seat)
        if (word := branches.game.write(action)) != played.action
    ]
    return branches.try_move(Line(at), played.seat, others[number % len(others)])


def as_json(value: Any) -> Any:
    """A value as a request or a response holds it."""
    return msgspec.json.decode(msgspec.json.encode(value))


# The tree


@pytest.mark.parametrize("path", [PARADE, LETTERS, COOKIES, *NOTED], ids=lambda path: path.stem)
def test_the_moves_of_the_game_lead_through_the_game(path: Path) -> None:
    branches = branches_in(path)
    for at in range(branches.last):
        played = branches.played(at)
        assert played is not None
        assert branches.match(Line(at, (played,))).state == branches.match(Line(at + 1)).state
    assert branches.played(branches.last) is None


def test_chance_gives_in_a_variation_what_it_gave_in_the_game() -> None:
    branches = branches_in(PARADE)
    for at in range(0, branches.last // 2, 3):
        played, other = branches.played(at), other_move(branches, at)
        assert played is not None
        assert other.drawn == played.drawn
        assert other == other_move(branches, at), "beyond the game, too, it is always the same"


def test_impossible_variations_are_refused() -> None:
    branches, played = branches_in(PARADE), branches_in(PARADE).played(4)
    assert played is not None
    for wrong in (
        Line(99),
        Line(4, (VariationMove(played.seat, "Z9"),)),
        Line(4, (VariationMove(1 - played.seat, played.action, played.drawn),)),
        Line(4, (VariationMove(played.seat, played.action),)),
        Line(4, (VariationMove(played.seat, played.action, (*played.drawn, "+R1")),)),
    ):
        with pytest.raises(UsageError):
            branches.match(wrong)
    with pytest.raises(UsageError, match="turn"):
        branches.try_move(Line(4), 1 - played.seat, played.action)
    move = other_move(branches, 4)
    for nodes in (
        (VariationNode(move, 4, 0),),
        (VariationNode(move, 4), VariationNode(played, 5, 0)),
    ):
        with pytest.raises(UsageError):
            branches.matches(VariationTree(nodes))


def test_expected_play_makes_the_best_moves_and_stops_at_an_unknown_hand() -> None:
    branches = branches_in(PARADE)
    seat = seats_to_act(branches.match(Line(3)).turn)[0]
    found = expect_play(branches, Line(3), seat, QUICK)
    assert len(found.moves) == MOVES == len(found.evaluated)
    branches.match(Line(3, found.moves))
    last = branches.last - 1
    ending = branches.played(last)
    assert ending is not None
    assert len(expect_play(branches, Line(last), ending.seat, QUICK).moves) == 1, "the game ends there"
    noted = branches_in(RECORDS / "parade" / "noted-by-the-hatter.record")
    moves = [
        expect_play(noted, Line(at), seats_to_act(noted.match(Line(at)).turn)[0], QUICK).moves
        for at in range(6)
    ]
    assert {each.seat for line in moves for each in line} == {1}, "only the Hatter's hand is known"
    assert {len(line) for line in moves} == {0, 1}


# Over HTTP


class Door:
    """Asks a site about one replay."""

    def __init__(self, here: RunningSite, replay: str) -> None:
        self.here, self.replay = here, replay

    async def ask(self, what: str, body: Any) -> Answer:
        http = Http(self.here.port)
        answer = await http.ask("POST", f"/api/replays/{self.replay}/{what}", body)
        await http.close()
        return answer

    async def get(self, path: str) -> Answer:
        http = Http(self.here.port)
        answer = await http.ask("GET", path)
        await http.close()
        return answer

    async def tree(self, path: Path, at: int = 5) -> dict[str, Any]:
        """A variation of two moves and an alternative, with comments."""
        branches = branches_in(path)
        first, second = other_move(branches, at), other_move(branches, at, 1)
        seat = seats_to_act(branches.match(Line(at, (first,))).turn)[0]
        word = branches.game.write(branches.match(Line(at, (first,))).legal(seat)[0])
        reply = branches.try_move(Line(at, (first,)), seat, word)
        nodes = (
            VariationNode(first, at, comment="safer <b>"),
            VariationNode(reply, at, 0),
            VariationNode(second, at),
        )
        found: dict[str, Any] = as_json(VariationTree(nodes, {"2": "odd & late"}))
        return found


Scenario = Callable[[Door], Awaitable[None]]


@pytest.fixture
def run_board(tmp_path: Path) -> Callable[..., None]:
    def run(path: Path, scenario: Scenario) -> None:
        text = path.read_text()

        async def whole() -> None:
            async with site_in(tmp_path, limited=False) as here:
                here.site.evaluation_budget = QUICK
                http = Http(here.port)
                answer = await http.ask("POST", "/api/replays", {"text": text})
                await http.close()
                await scenario(Door(here, answer.json()["id"]))

        asyncio.run(whole())

    return run


BoardRunner = Callable[[Path, Scenario], None]


@pytest.mark.parametrize("path", [PARADE, LETTERS, COOKIES], ids=["parade", "letters", "cookies"])
def test_a_position_is_explored(run_board: BoardRunner, path: Path) -> None:
    async def scenario(door: Door) -> None:
        branches = branches_in(path)
        played, other = branches.played(4), other_move(branches, 4)
        assert played is not None
        line: dict[str, Any] = {"at": 4}
        wish = {"line": line, "seat": played.seat, "action": played.action}
        assert (await door.ask("moves", wish)).json()["played"]
        found = (await door.ask("moves", wish | {"action": other.action})).json()
        assert found == {"move": as_json(other), "played": False}
        line = {"at": 4, "moves": [found["move"]]}
        page = (await door.ask("position", {"line": line})).json()
        assert page["moves"] == 5
        assert HtmlChecker("".join(page["html"].values())).wrong == []
        assert "data-try" in page["html"]["choices"]
        for where, seat in (({"at": 4}, "open"), (line, "open"), ({"at": 4}, str(played.seat))):
            verdict = (await door.ask("verdict", {"line": where, "seat": seat})).json()
            assert HtmlChecker(verdict["html"]).wrong == []
            assert verdict["html"].count("data-try") == len(verdict["chances"])
        expected = (await door.ask("expected", {"line": line})).json()
        assert HtmlChecker(expected["html"]).wrong == []
        assert expected["html"].count("<li>") == len(expected["moves"]) > 0

    run_board(path, scenario)


def test_other_viewers_are_shown_no_choices(run_board: BoardRunner) -> None:
    async def scenario(door: Door) -> None:
        played = branches_in(PARADE).played(4)
        assert played is not None
        for seat in ("watching", str(1 - played.seat)):
            page = (await door.ask("position", {"line": {"at": 4}, "seat": seat})).json()
            assert page["html"]["choices"] == ""
            for what in ("verdict", "expected"):
                answer = await door.ask(what, {"line": {"at": 4}, "seat": seat})
                assert answer.status == 409

    run_board(PARADE, scenario)


def test_invalid_requests_are_refused(run_board: BoardRunner) -> None:
    async def scenario(door: Door) -> None:
        beyond = {"line": {"at": 999}}
        for what, body in (
            ("position", beyond),
            ("verdict", beyond),
            ("expected", beyond),
            ("position", {"line": {"at": 4}, "seat": "9"}),
            ("moves", beyond | {"seat": 0, "action": "R1"}),
            ("moves", {"line": {"at": 4}, "seat": 0, "action": "nonsense"}),
            ("variations", {"tree": {"nodes": [{"move": {"seat": 0, "action": "R1"}, "at": 4}]}}),
            ("analyses", {"nodes": [{"move": {"seat": 0, "action": "R1"}, "at": 4}]}),
            ("analyses", {"comments": {"999": "late"}}),
            ("analyses", {"comments": {"2": "x" * (variations.MAX_COMMENT + 1)}}),
            ("tables", {"at": 4, "seat": 0, "moves": [{"seat": 0, "action": "Z9"}]}),
        ):
            assert (await door.ask(what, body)).status == 400, (what, body)

    run_board(PARADE, scenario)


@pytest.mark.parametrize("path", [PARADE, LETTERS, COOKIES], ids=["parade", "letters", "cookies"])
def test_a_tree_is_drawn_and_shared(run_board: BoardRunner, path: Path) -> None:
    async def scenario(door: Door) -> None:
        tree = await door.tree(path)
        html = (await door.ask("variations", {"tree": tree})).json()["html"]
        assert HtmlChecker(html).wrong == []
        assert [html.count(f'data-node="{node}"') for node in range(3)] == [1, 1, 1]
        assert "safer &lt;b&gt;" in html
        assert "odd &amp; late" in html
        stored = await door.ask("analyses", tree)
        assert stored.status == 201
        assert (await door.ask("analyses", tree)).json() == stored.json(), "the same has the same link"
        page = await door.get(f"/replay/{door.replay}?analysis={stored.json()['id']}")
        assert page.status == 200
        assert "safer &lt;b&gt;" in page.body.decode()
        for missing in ("aaaaaaaaaaaaaaaa", "%00", "../x"):
            gone = await door.get(f"/replay/{door.replay}?analysis={missing}")
            assert gone.status == 404

    run_board(path, scenario)


def test_analyses_are_limited_and_erased_with_their_game(
    run_board: BoardRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_pages, "MAX_ANALYSES", 2)

    async def scenario(door: Door) -> None:
        for number in range(4):
            assert (await door.ask("analyses", {"comments": {str(number): "here"}})).status == 201
        storage = door.here.site.tables.storage
        assert await storage.documents.count(ANALYSES) == 2
        await storage.maintenance.delete_documents(ANALYSES, [f"{door.replay}-"])
        assert await storage.documents.count(ANALYSES) == 0
        await erase_tables(storage, [], wait=0)

    run_board(PARADE, scenario)


def test_a_variation_is_played_on(run_board: BoardRunner) -> None:
    async def scenario(door: Door) -> None:
        branches = branches_in(PARADE)
        move = other_move(branches, 4)
        wish = {"at": 4, "seat": 0, "moves": [as_json(move)]}
        answer = await door.ask("tables", wish)
        assert answer.status == 201
        table = (await door.here.site.tables.get_live_table(answer.json()["table"])).table
        assert table.match is not None
        reached = branches.match(Line(4, (move,)))
        assert tuple(table.match.moves[: len(reached.moves)]) == tuple(reached.moves)

    run_board(PARADE, scenario)


# Records with a fault


def test_a_faulty_record_opens_up_to_its_fault(run_board: BoardRunner) -> None:
    async def scenario(door: Door) -> None:
        lines = PARADE.read_text().splitlines()
        wrong = next(at for at, line in enumerate(lines) if at > 15 and line.startswith("Alice:"))
        lines[wrong] = "Alice: Z99"
        http = Http(door.here.port)
        text = "\n".join(lines)
        refused = await http.ask("POST", "/api/replays", {"text": text})
        assert refused.status == 400
        moves = refused.json()["moves"]
        assert moves > 0
        found = await http.ask("POST", "/api/replays", {"text": text, "faulty": True})
        assert found.status == 201
        name = found.json()["id"]
        page = (await http.ask("GET", f"/replay/{name}")).body.decode()
        assert f'data-at="{moves}" data-last="{moves}"' in page
        assert f"Line {wrong + 1}, column 8" in page
        record = (await http.ask("GET", f"/api/replays/{name}/record")).body.decode()
        assert read_record(record).fault is None, "what can be read is a record"
        for hopeless in ("tea", "Game: parade\nRules: 9\nSeats: A, B\n"):
            body = {"text": hopeless, "faulty": True}
            answer = await http.ask("POST", "/api/replays", body)
            assert (answer.status, answer.json()["moves"]) == (400, 0)
        await http.close()

    run_board(PARADE, scenario)


def test_all_text_of_the_board_is_in_a_catalogue(
    run_board: BoardRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_pseudo_language(monkeypatch)

    async def scenario(door: Door) -> None:
        tree = await door.tree(PARADE)
        line = {"at": 5, "moves": [tree["nodes"][0]["move"]]}
        for what, body in (
            ("position", {"line": line}),
            ("variations", {"tree": tree | {"comments": {}}}),
            ("verdict", {"line": line}),
            ("expected", {"line": line}),
        ):
            http = Http(door.here.port)
            path = f"/api/replays/{door.replay}/{what}?lang={CODE}"
            found = json.loads((await http.ask("POST", path, body)).body)
            await http.close()
            html = "".join(found["html"].values()) if what == "position" else found["html"]
            assert untranslated(html.replace("safer &lt;b&gt;", "")) == [], what

    run_board(PARADE, scenario)
