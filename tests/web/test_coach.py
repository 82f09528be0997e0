"""The coach over HTTP: who may ask, what is judged once and kept, and what is drawn of it."""

from __future__ import annotations

import asyncio
import html
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from campaigns.wire import Answer, Here, Http
from markup import Checked
from pseudo import CODE, speak_it, untranslated
from roles import ROLES, STAGES, cookie, laid, site
from wonderland.cli import main
from wonderland.core.bot import Budget
from wonderland.core.language import ENGLISH
from wonderland.core.match import Match
from wonderland.core.reading import AnyRecord, read_record
from wonderland.core.words import words_of
from wonderland.study.coach import Coach, coached
from wonderland.study.report import Point, Report, TurningPoint, as_json, read_report
from wonderland.tables.commands import Refusal
from wonderland.tables.shelf import now
from wonderland.tables.sqlite import SqliteStorage
from wonderland.web import chances, coaching
from wonderland.web.coach_shown import Coached
from wonderland.web.coaching import Coaching, Draft, Found
from wonderland.web.editing import opened
from wonderland.web.guard import Buckets
from wonderland.web.replaying import Replay

RECORDS = Path(__file__).parent.parent / "records"
PLAYOUTS = 20


def record_in(name: str) -> AnyRecord:
    return read_record((RECORDS / f"{name}.record").read_bytes()).whole


PARADE = record_in("parade/4-players-empty-pile")
LETTERS = record_in("letters/turned-three-players")
COOKIES = record_in("cookies/three-players-most-points")
HATTER = record_in("parade/noted-by-the-hatter")
SPECTATOR = record_in("cookies/noted-by-a-spectator")
GAMES = [PARADE, LETTERS, COOKIES, HATTER]
IDS = ["parade", "letters", "cookies", "noted"]

Scene = Callable[[Here], Awaitable[None]]


@pytest.fixture
def act(tmp_path: Path) -> Callable[[Scene], None]:
    """Runs a scene at a site whose coach is quick."""

    def run(scene: Scene) -> None:
        async def whole() -> None:
            async with site(tmp_path) as here:
                here.site.coaching.budget = Budget(playouts=PLAYOUTS)
                here.site.coaching.asks = Buckets(rate=1e9, burst=1e9)
                await scene(here)

        asyncio.run(whole())

    return run


async def asked(here: Here, method: str, path: str, role: str = "nobody") -> Answer:
    http = Http(here.port, cookie(role))
    answer = await http.ask(method, path)
    await http.close()
    return answer


async def brought(here: Here, record: AnyRecord) -> str:
    http = Http(here.port)
    answer = await http.ask("POST", "/api/replays", {"text": record.text()})
    await http.close()
    name: str = answer.json()["id"]
    return name


async def judged(here: Here, name: str) -> Report:
    """The report on a replay, which is asked for if need be; on the way, progress only grows."""
    path, before = f"/api/replays/{name}/coach", (-1, 0)
    answer = await asked(here, "POST", path)
    while True:
        assert answer.status == 200, answer.body
        found = answer.json()
        assert found["state"] in ("waiting", "working", "done")
        assert before[0] <= found["done"] <= found["total"]
        assert before[1] in (0, found["total"])
        before = found["done"], found["total"]
        if found["state"] == "done":
            assert found["done"] == found["total"]
            return read_report(json.dumps(found["report"]))
        assert found["report"] is None
        await asyncio.sleep(0.01)
        answer = await asked(here, "GET", path)


async def metric(here: Here, name: str) -> int:
    text = (await asked(here, "GET", "/metrics")).body.decode()
    found = re.search(rf"^wonderland_{name} (\d+)", text, re.MULTILINE)
    assert found is not None
    return int(found[1])


# What is judged


@pytest.mark.parametrize("record", GAMES, ids=IDS)
def test_a_game_is_judged_as_in_the_terminal_and_only_once(
    act: Callable[[Scene], None], record: AnyRecord, tmp_path: Path
) -> None:
    async def first(here: Here) -> None:
        name = await brought(here, record)
        report = await judged(here, name)
        assert report == coached(record, budget=Budget(playouts=PLAYOUTS))
        done = await metric(here, "coach_decisions")
        assert done == len(report.decisions)
        assert await judged(here, name) == report
        assert await metric(here, "coach_decisions") == done, "it is not judged again"
        assert await metric(here, "coach_games") == 0

    async def after_a_restart(here: Here) -> None:
        name = await brought(here, record)
        answer = await asked(here, "GET", f"/api/replays/{name}/coach")
        assert answer.json()["state"] == "done"
        assert (await asked(here, "GET", f"/replay/{name}/coach")).status == 200
        assert await metric(here, "coach_decisions") == 0

    act(first)
    act(after_a_restart)
    assert (tmp_path / "tables.db").exists()


def test_who_asks_at_the_same_time_gets_the_same(act: Callable[[Scene], None]) -> None:
    async def scene(here: Here) -> None:
        names = [await brought(here, record) for record in GAMES] * 3
        reports = await asyncio.gather(*(judged(here, name) for name in names))
        assert reports[:4] == reports[4:8] == reports[8:]
        assert here.site.coaching.judged == sum(len(report.decisions) for report in reports[:4])

    act(scene)


def test_a_table_is_judged_for_everyone_when_its_game_is_over(act: Callable[[Scene], None]) -> None:
    async def scene(here: Here) -> None:
        paths = ("/api/replays/{}/coach", "/api/replays/{}/coach/page", "/replay/{}/coach")
        for stage in STAGES:
            table = (await laid(here, stage, "bill")).name
            if stage == "finished":
                report = await judged(here, table)
                assert all(seat.judged for seat in report.seats)
            for role in ROLES:
                answers = [await asked(here, "POST", paths[0].format(table), role)]
                answers += [await asked(here, "GET", path.format(table), role) for path in paths]
                for answer in answers:
                    assert answer.status == (200 if stage == "finished" else 409)
                    if stage != "finished":
                        assert b"This game is not over" in answer.body
        for path in paths:
            for name in ("nowhere", "%00", "a" * 500):
                answer = await asked(here, "GET", path.format(name))
                assert answer.status == 404
                assert b"There is no such replay." in answer.body
        assert (await asked(here, "POST", paths[0].format("nowhere"))).status == 404
        http = Http(here.port)
        foreign = {"Origin": "http://evil.example"}
        assert (await http.ask("POST", paths[0].format(table), headers=foreign)).status == 403

    act(scene)


def test_of_a_game_that_somebody_noted_only_they_are_judged(act: Callable[[Scene], None]) -> None:
    async def scene(here: Here) -> None:
        name = await brought(here, HATTER)
        report = await judged(here, name)
        assert [seat.judged > 0 for seat in report.seats] == [False, True, False]
        page = (await asked(here, "GET", f"/replay/{name}/coach")).body.decode()
        assert "Only Hatter is judged: nobody noted what the others held." in page
        assert page.count("not judged") == 2
        watched = await brought(here, SPECTATOR)
        answer = await asked(here, "POST", f"/api/replays/{watched}/coach")
        assert answer.status == 409
        assert answer.json()["says"] == "Nothing can be judged here: nobody noted what the players held."
        begun = await brought(here, replace(PARADE, moves=PARADE.moves[:20]))
        answer = await asked(here, "POST", f"/api/replays/{begun}/coach")
        assert (answer.status, answer.json()["says"]) == (
            409,
            "There is nothing to judge here: nobody had a choice.",
        )

    act(scene)


def test_an_unfinished_record_is_judged_as_far_as_it_goes(act: Callable[[Scene], None]) -> None:
    async def scene(here: Here) -> None:
        name = await brought(here, replace(PARADE, moves=PARADE.moves[:70]))
        report = await judged(here, name)
        assert 0 < len(report.decisions) < 48
        assert (await asked(here, "GET", f"/replay/{name}/coach")).status == 200

    act(scene)


# What keeps it from too much


def test_an_address_asks_for_so_many_games_and_no_more(act: Callable[[Scene], None]) -> None:
    async def scene(here: Here) -> None:
        here.site.coaching.asks = Buckets(rate=1e-9, burst=1.0)
        one, other = await brought(here, HATTER), await brought(here, LETTERS)
        await judged(here, one)
        answer = await asked(here, "POST", f"/api/replays/{other}/coach")
        assert (answer.status, answer.json()["problem"]) == (429, "too many")
        assert (await asked(here, "POST", f"/api/replays/{one}/coach")).status == 200

    act(scene)


def test_a_game_without_end_is_refused(
    act: Callable[[Scene], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coaching, "MOST_DECISIONS", 10)

    async def scene(here: Here) -> None:
        answer = await asked(here, "POST", f"/api/replays/{await brought(here, PARADE)}/coach")
        assert (answer.status, answer.json()["says"]) == (400, "The coach takes up to 10 decisions.")

    act(scene)


@asynccontextmanager
async def coach_at(folder: Path, playouts: int = PLAYOUTS) -> AsyncIterator[Coaching]:
    """A coach beside a storage, who does not work yet."""
    storage = SqliteStorage(folder / "tables.db")
    await storage.open()
    found = Coaching(storage, playouts)
    yield found
    await storage.close()


async def until_done(coach: Coaching, key: str) -> Report:
    while (found := await coach.found(key)).report is None:  # noqa: ASYNC110 - as a page does it
        await asyncio.sleep(0.01)
    return found.report


async def until(reached: Callable[[], bool]) -> None:
    while not reached():  # noqa: ASYNC110 - it is not told
        await asyncio.sleep(0.001)


def test_games_wait_for_each_other_and_only_so_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coaching, "MOST_WAITING", 2)

    async def check() -> None:
        async with coach_at(tmp_path) as coach:
            for place, record in enumerate((HATTER, LETTERS, COOKIES)):
                found = await coach.begin(f"game-{place}", record)
                assert (found.state, found.ahead) == ("waiting" if place else "working", place)
            with pytest.raises(Refusal, match="Too many games wait for the coach"):
                await coach.begin("game-3", PARADE)
            assert (await coach.begin("game-1", LETTERS)).ahead == 1, "one that waits goes on waiting"
            coach.start()
            assert (await until_done(coach, "game-2")).game == "cookies"
            assert (await coach.begin("game-3", PARADE)).total == 48
            await coach.close()

    asyncio.run(check())


def test_a_fault_is_said_and_the_next_game_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Coach.answer

    def faulty(self: Coach, question: Any) -> Any:
        if self.record is LETTERS:
            raise ZeroDivisionError
        return honest(self, question)

    monkeypatch.setattr(Coach, "answer", faulty)

    async def check() -> None:
        async with coach_at(tmp_path) as coach:
            coach.start()
            await coach.begin("bad", LETTERS)
            await coach.begin("good", HATTER)
            assert (await until_done(coach, "good")).is_whole
            assert (await coach.found("bad")).state == "failed"
            says = Coached("bad", Replay(LETTERS), await coach.found("bad"), ENGLISH).says()
            assert says == "The coach could not judge this game."
            monkeypatch.undo()
            await coach.begin("bad", LETTERS)
            assert (await until_done(coach, "bad")).is_whole, "one may ask again"
            await coach.close()

    asyncio.run(check())


# What is kept


def test_who_stops_in_the_middle_is_gone_on_from(tmp_path: Path) -> None:
    async def check() -> None:
        async with coach_at(tmp_path, 400) as coach:
            coach.start()
            await coach.begin("key", PARADE)
            await until(lambda: coach.judged >= 3)
            await coach.close()
            before = coach.judged
            assert before < 48
        async with coach_at(tmp_path, 400) as coach:
            assert await coach.found("key") == Found(), "nobody is at it"
            coach.start()
            await coach.begin("key", PARADE)
            report = await until_done(coach, "key")
            await coach.close()
            assert coach.judged == 48 - before
            assert report == coached(PARADE, budget=Budget(playouts=400))

    asyncio.run(check())


def test_what_another_process_works_at_is_left_to_it(tmp_path: Path) -> None:
    whole = coached(HATTER, budget=Budget(playouts=PLAYOUTS))

    async def check() -> None:
        async with coach_at(tmp_path) as coach, coach_at(tmp_path) as other:
            work = coaching.Job("key", Coach(HATTER, None, coach.budget), list(whole.decisions[:4]))
            shelf = coach._storage.shelf
            await shelf.put(coaching.DRAFT, "key", work.draft("another", now()))
            coach.start()
            await coach.begin("key", HATTER)
            await until(lambda: not len(coach))
            found = await other.found("key")
            assert (found.state, found.decisions, found.total) == ("working", whole.decisions[:4], 15)
            assert coach.judged == 0
            await shelf.put(coaching.DRAFT, "key", work.draft("another", now() - 60_000))
            assert (await other.found("key")).state == "idle", "it is there no more"
            await coach.begin("key", HATTER)
            assert await until_done(other, "key") == whole
            assert coach.judged == len(whole.decisions) - 4
            await coach.close()

    asyncio.run(check())


@pytest.mark.parametrize("body", [b"", b"nonsense", b"x\x9c\xabV\x02\x00\x00\xa6\x00_"])
def test_what_can_no_longer_be_read_is_made_anew(tmp_path: Path, body: bytes) -> None:
    async def check() -> None:
        async with coach_at(tmp_path) as coach:
            for kind in (coaching.KIND, coaching.DRAFT):
                await coach._storage.shelf.put(kind, "key", body)
            assert await coach.found("key") == Found()
            coach.start()
            await coach.begin("key", HATTER)
            assert (await until_done(coach, "key")).is_whole
            await coach.close()

    asyncio.run(check())


def test_a_draft_of_another_game_is_not_gone_on_from() -> None:
    decisions = coached(HATTER, budget=Budget(playouts=PLAYOUTS)).decisions
    job = coaching.Job("key", Coach(LETTERS, None, Budget(playouts=PLAYOUTS)))
    job.go_on_from(Draft("", 0, 15, decisions))
    assert job.decisions == []


def test_reports_of_other_judges_and_budgets_are_others(tmp_path: Path) -> None:
    async def check() -> None:
        async with coach_at(tmp_path) as coach, coach_at(tmp_path, 0) as usual:
            keys = {coach.key_of("a", PARADE), usual.key_of("a", PARADE), usual.key_of("b", PARADE)}
            assert len(keys) == 3

    asyncio.run(check())


# What is drawn


def found_in(record: AnyRecord) -> Found:
    report = coached(record, budget=Budget(playouts=PLAYOUTS))
    return Found("done", report.decisions, len(report.decisions), report=read_report(as_json(report)))


@pytest.mark.parametrize("record", GAMES, ids=IDS)
def test_every_decision_is_drawn_with_all_that_could_be_done(record: AnyRecord) -> None:
    replay, found = Replay(record), found_in(record)
    drawn = Coached("name", replay, found, ENGLISH)
    game, words = record.game, words_of(record.game.info.name)
    for decision in found.decisions[::3]:
        shown = drawn.moment(decision.number).html["moment"]
        assert Checked(shown).wrong == []
        actions = list(map(html.unescape, re.findall(r'data-option="([^"]+)"', shown)))
        assert sorted(actions) == sorted(option.action for option in decision.options)
        assert actions[0] == decision.options[decision.best].action
        assert decision.options[decision.chosen].action in actions[:6]
        assert shown.count(">best</em>") == shown.count(">chosen</em>") == 1
        match: Any = Match.resume(record, upto=decision.move)
        assert words.offer(match.view(decision.seat), game.read(actions[0]))
        assert f"/replay/name?at={decision.number - 1}&amp;seat={decision.seat}" in shown
        line = opened(game.info.name, game.write_position(match.state), decision.seat, ENGLISH)
        assert line.answer().ready, "the coach's position can be asked about in the editor"
        assert line.seat == decision.seat
    with pytest.raises(Refusal, match="This decision was not judged"):
        drawn.moment(999)


@pytest.mark.parametrize("record", GAMES, ids=IDS)
def test_the_whole_game_is_drawn_at_every_stage_of_the_work(record: AnyRecord) -> None:
    replay, found = Replay(record), found_in(record)
    for done in (0, 1, len(found.decisions) // 2):
        part = Found("working", found.decisions[:done], found.total)
        shown = Coached("name", replay, part, ENGLISH).page()
        assert Checked("".join(shown.html.values())).wrong == []
        assert shown.says == f"{done} of {found.total} decisions judged"
        assert shown.html["graph"].count("data-at=") == done
        assert (shown.at, shown.html["costly"].strip()) == (None, "")
    whole = Coached("name", replay, found, ENGLISH).page()
    assert Checked("".join(whole.html.values())).wrong == []
    assert whole.html["graph"].count("data-at=") == found.total
    assert found.report is not None
    for seat in found.report.seats:
        for each in seat.costliest:
            assert f"?at={each.number}" in whole.html["costly"]
            assert each.reason.split()[0] in whole.html["costly"]
    assert whole.html["turns"].count("<li>") == len(found.report.turning_points)


def test_those_who_wait_are_told_how_long() -> None:
    replay = Replay(PARADE)
    says = [Coached("name", replay, Found("waiting", ahead=n), ENGLISH).says() for n in (1, 3)]
    assert says == ["1 game comes before this one.", "3 games come before this one."]


POINTS = st.lists(st.tuples(st.integers(1, 60), st.floats(0, 1)), max_size=30, unique_by=lambda p: p[0])


@given(graphs=st.lists(POINTS, min_size=1, max_size=6), turns=st.sets(st.integers(2, 61), max_size=5))
def test_all_of_the_graph_is_inside_it(graphs: list[list[tuple[int, float]]], turns: set[int]) -> None:
    points = [[Point(*point) for point in sorted(graph)] for graph in graphs]
    where = [TurningPoint(0, 1, number, 0.1, 0.9, None) for number in sorted(turns)]
    found = chances.drawn(points, [], where, 61, ENGLISH)
    assert len(found.marks) == sum(map(len, points))
    assert len(found.lines) == sum(max(0, len(graph) - 1) for graph in points)
    for mark in found.marks:
        assert 0 <= mark.x <= 100
        assert found.top <= mark.y <= found.floor < found.height
    for mark, other in zip(found.marks, found.marks[1:], strict=False):
        assert mark.x <= other.x
        assert (mark.x < other.x) == (mark.number < other.number)
    for turn, later in zip(found.turns, found.turns[1:], strict=False):
        assert later.x - turn.x >= 5 or later.row != turn.row, "their numbers don't touch"
    assert all(0 < tick.at < 100 for tick in found.across)


def test_all_that_is_shown_is_in_a_catalogue(
    act: Callable[[Scene], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    speak_it(monkeypatch)
    names = ("Alice", "Bill", "Dinah", "Duchess")

    async def scene(here: Here) -> None:
        for record in GAMES:
            name = await brought(here, replace(record, names=names[: len(record.names)]))
            path = f"/replay/{name}/coach?lang={CODE}"
            for judging in (False, True):
                if judging:
                    await judged(here, name)
                answer = await asked(here, "GET", path)
                assert answer.status == 200
                assert untranslated(answer.body.decode()) == []

    act(scene)


def test_there_are_only_so_many_decisions(act: Callable[[Scene], None]) -> None:
    async def scene(here: Here) -> None:
        name = await brought(here, HATTER)
        await judged(here, name)
        number = (await asked(here, "GET", f"/api/replays/{name}/coach/page")).json()["at"]
        for query, status in [
            (f"at={number}", 200),
            ("at=0", 404),
            ("at=46", 404),
            ("at=999", 404),
            ("at=-1", 400),
            ("at=x", 400),
        ]:
            for path in (f"/api/replays/{name}/coach/page?{query}", f"/replay/{name}/coach?{query}"):
                assert (await asked(here, "GET", path)).status == status, path
        page = (await asked(here, "GET", f"/replay/{name}/coach?at={number}")).body.decode()
        assert f"Decision {number}: Hatter" in page

    act(scene)


def test_a_server_is_told_how_much_to_think(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--coach-playouts", "-1"]) == 2
    assert "--coach-playouts -1 is not possible: it is 0 to 10000000." in capsys.readouterr().err
