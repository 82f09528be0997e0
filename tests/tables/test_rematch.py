"""Rematches: the same seats and options, the next start player, the chat, and players who don't come.

The same people may also go on to another game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from support.example_verifier import example
from support.table_players import LocalService, Scenario, open_service
from wonderland.client.shuffle import check_record
from wonderland.features.fairness.verification import check
from wonderland.tables.descriptions import build_record, describe_table
from wonderland.tables.handlers import hash_secret
from wonderland.tables.table import Table
from wonderland.wire import commands as ask
from wonderland.wire.codes import Code

ScenarioRunner = Callable[[Scenario], None]


async def play_whole_game(h: LocalService, game: str = "parade", **wanted: object) -> str:
    """Play a game between Alice and Bill to its end."""
    name = await h.start_game(game, **({"access": "link"} | wanted))
    await h.play_moves(name)
    return name


async def ask_for_rematch(h: LocalService, name: str, **wishes: object) -> str:
    return (await h.alice.do(name, ask.Rematch, seat=0, **wishes))["table"]


def first_word(table: Table) -> str:
    """Return the first move of a table's game: the draw of the start player."""
    assert table.match is not None
    return table.match.game.write(table.match.moves[0].action)


def test_it_keeps_the_seats_and_answers_everyone_alike(run_scenario: ScenarioRunner) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game(access="link")
        assert "over" in str(await h.bill.expect_refusal(name, ask.Rematch, seat=1))
        await h.play_moves(name)
        assert (await h.dinah.expect_refusal(name, ask.Rematch, seat=1)).problem == "not yours"
        told = await h.bill.do(name, ask.Rematch, seat=1)
        table = await h.table(name)
        assert (table.next, table.rematch_by) == (told["table"], 1)
        assert await h.alice.do(name, ask.Rematch, seat=0, more=True) == told
        assert (await h.table(name)) is table, "asking again changes nothing"
        following = told["table"]
        seat = {"name": "Dinah", "contribution": "00" * 16, "invitation": told["invitation"]}
        assert (await h.dinah.expect_refusal(following, ask.Sit, **seat)).problem == "not now"
        await h.bill.sit(following)
        await h.alice.sit(following)
        assert [place.name for place in (await h.table(following)).places] == ["Alice", "Bill"]
        await h.alice.do(following, ask.Start)
        assert (await h.table(following)).opened.earlier == name
        seats = await h.tables.storage.seats_of_device(h.bill.device)
        assert {row.table for row, _ in seats} == {name, following}

    run_scenario(scenario)


@pytest.mark.parametrize("game", ["cookies", "letters", "parade"])
def test_the_next_player_starts_and_the_record_can_be_verified(
    run_scenario: ScenarioRunner, game: str
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await play_whole_game(h, game)
        starts = [first_word(await h.table(name))]
        for _ in range(2):
            name = await ask_for_rematch(h, name)
            await h.alice.sit(name)
            await h.bill.sit(name)
            await h.alice.do(name, ask.Start)
            table = await h.play_moves(name)
            starts.append(first_word(table))
            record = build_record(table)
            assert record is not None
            verdict = check(record)
            assert "first player was set before the shuffle" in verdict
            assert "another game" not in verdict
            assert example.verify(record.text()) == check_record(record).outcomes
        assert starts[0] != starts[1]
        assert starts[0] == starts[2]

    run_scenario(scenario)


def test_options_clock_and_chat_are_kept(run_scenario: ScenarioRunner) -> None:
    async def scenario(h: LocalService) -> None:
        name = await play_whole_game(h, "letters", options={"claim": "first"}, clock=600)
        await h.bill.do(name, ask.Say, seat=1, text="One more?")
        await h.alice.do(name, ask.Silence, off=True)
        following = await h.table(await ask_for_rematch(h, name))
        assert (following.opened.options, following.opened.clock) == ({"claim": "first"}, 600)
        (message,) = following.remarks
        assert (message.seat, message.name, message.text) == (1, "Bill", "One more?")
        assert following.silent

    run_scenario(scenario)


def test_one_more_player_joins_by_the_link(run_scenario: ScenarioRunner) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table("parade", 2, access="bots", bots={"1": "dodo"})
        await h.alice.sit(name, 0)
        await h.alice.do(name, ask.Start)
        await h.play_moves(name)
        told = await h.alice.do(name, ask.Rematch, seat=0, more=True)
        following = told["table"]
        table = await h.table(following)
        assert [place.kind for place in table.places] == ["reserved", "bot", "free"]
        assert table.opened.access == "link"
        assert table.opened.invitation == hash_secret(told["invitation"])
        await h.alice.sit(following)
        await h.bill.sit(following, invitation=told["invitation"])
        await h.alice.do(following, ask.Start)
        assert first_word(await h.table(following)) != first_word(await h.table(name))

    run_scenario(scenario)


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_player_who_does_not_come_is_no_longer_waited_for(
    run_scenario: ScenarioRunner, rounds: int
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await play_whole_game(h)
        for _ in range(rounds - 1):
            name = await ask_for_rematch(h, name)
            await h.alice.sit(name)
            await h.bill.sit(name)
            await h.alice.do(name, ask.Start)
            await h.play_moves(name)
        starter = first_word(await h.table(name))
        following = await ask_for_rematch(h, name, more=True)
        await h.dinah.expect_refusal(following, ask.Leave, seat=2)
        await h.alice.sit(following)
        await h.bill.sit(following)
        await h.bill.do(following, ask.Say, seat=1, text="She can't come.")
        await h.bill.do(following, ask.Leave, seat=2)
        table = await h.table(following)
        assert [place.name for place in table.places] == ["Alice", "Bill"]
        await h.bill.expect_refusal(following, ask.Leave, seat=2)
        await h.alice.do(following, ask.Start)
        assert first_word(await h.table(following)) != starter
        await h.play_moves(following)
        record = build_record(await h.table(following))
        assert record is not None
        assert "first player was set before the shuffle" in check(record)

    run_scenario(scenario)


def test_the_host_removes_a_seat_and_messages_keep_their_senders(run_scenario: ScenarioRunner) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table("parade", 3, access="open")
        await h.alice.sit(name, 0)
        await h.bill.sit(name, 2)
        await h.bill.do(name, ask.Say, seat=2, text="Here I am.")
        await h.bill.expect_refusal(name, ask.Leave, seat=1)
        await h.alice.do(name, ask.Leave, seat=1)
        table = await h.table(name)
        assert [place.name for place in table.places] == ["Alice", "Bill"]
        assert [(message.seat, message.name) for message in table.remarks] == [(1, "Bill")]
        await h.alice.do(name, ask.Start)

    run_scenario(scenario)


@pytest.mark.parametrize("kind", ["bot", "guest", "host"])
def test_a_double_click_frees_a_seat_but_does_not_remove_it(
    run_scenario: ScenarioRunner, kind: str
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table("parade", 3, access="open", bots={"2": "dodo"})
        await h.alice.sit(name, 0)
        await h.bill.sit(name, 1)
        seat = ("host", "guest", "bot").index(kind)
        shown = (await h.table(name)).version
        await h.alice.do(name, ask.Leave, seat=seat, at=shown)
        refusal = await h.alice.expect_refusal(name, ask.Leave, seat=seat, at=shown)
        assert refusal.code is Code.OUTDATED
        assert [place.kind for place in (await h.table(name)).places].count("free") == 1
        await h.alice.do(name, ask.Leave, seat=seat)
        assert len((await h.table(name)).places) == 2

    run_scenario(scenario)


def test_links_to_earlier_games_invite_to_the_rematch(run_scenario: ScenarioRunner) -> None:
    async def scenario(h: LocalService) -> None:
        name = await play_whole_game(h)
        for more in (False, True):
            name = await ask_for_rematch(h, name, more=more)
            await h.alice.sit(name)
            await h.bill.sit(name)
            if not more:
                await h.alice.do(name, ask.Start)
                await h.play_moves(name)
        seat = {"name": "Dinah", "contribution": "00" * 16}
        for secret in ("", "another link"):
            refusal = await h.dinah.expect_refusal(name, ask.Sit, invitation=secret, **seat)
            assert refusal.problem == "not yours"
        assert [place.kind for place in (await h.table(name)).places] == ["person", "person", "free"]
        await h.dinah.sit(name, invitation=h.invitation)
        assert [place.name for place in (await h.table(name)).places] == ["Alice", "Bill", "Dinah"]

    run_scenario(scenario)


def test_a_full_game_has_no_room_for_one_more(run_scenario: ScenarioRunner) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table(
            "letters", 4, access="bots", bots={"1": "dodo", "2": "dodo", "3": "dodo"}
        )
        await h.alice.sit(name, 0)
        await h.alice.do(name, ask.Start)
        await h.play_moves(name)
        assert "room" in str(await h.alice.expect_refusal(name, ask.Rematch, seat=0, more=True))
        assert not (await h.table(name)).next

    run_scenario(scenario)


def test_the_level_of_the_bots_can_change(run_scenario: ScenarioRunner) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table("parade", 3, access="bots", bots={"1": "dodo", "2": "hatter"})
        await h.alice.sit(name, 0, name="Hatter 2")
        await h.alice.do(name, ask.Start)
        await h.play_moves(name)
        refusal = await h.alice.expect_refusal(name, ask.Rematch, seat=0, level="jabberwock")
        assert "jabberwock" in str(refusal)
        following = await h.table(await ask_for_rematch(h, name, level="hatter"))
        assert [place.level for place in following.places] == ["", "hatter", "hatter"]
        assert len({place.name for place in following.places}) == 3
        await h.alice.sit(following.id, 0, name="Hatter 2")

    run_scenario(scenario)


def test_a_bot_stands_in_for_a_player_who_does_not_come(run_scenario: ScenarioRunner) -> None:
    async def scenario(h: LocalService) -> None:
        name = await play_whole_game(h)
        following = (await h.bill.do(name, ask.Rematch, seat=1))["table"]
        stand_in = {"seat": 0, "level": "dodo"}
        assert (await h.bill.expect_refusal(following, ask.SeatBot, **stand_in)).problem == "not yours"
        await h.bill.sit(following)  # Bill is not the host, who may be gone
        await h.bill.do(following, ask.SeatBot, **stand_in)
        await h.bill.do(following, ask.Start)
        table = await h.table(following)
        assert (table.places[0].kind, table.places[0].name) == ("person", "Alice")
        assert table.people() == [1]
        await h.alice.do(following, ask.TakeBack, seat=0)
        assert (await h.table(following)).people() == [0, 1]
        assert (await h.play_moves(following)).status == "finished"

    run_scenario(scenario)


def test_a_free_seat_at_a_rematch_can_be_given_to_a_bot_by_any_player(
    run_scenario: ScenarioRunner,
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await play_whole_game(h)
        following = (await h.bill.do(name, ask.Rematch, seat=1, more=True))["table"]
        await h.bill.sit(following)
        await h.bill.do(following, ask.SeatBot, seat=2, level="dodo")
        assert (await h.table(following)).places[2].kind == "bot"

    run_scenario(scenario)


def test_the_same_people_go_on_to_another_game(run_scenario: ScenarioRunner) -> None:
    async def scenario(h: LocalService) -> None:
        name = await play_whole_game(h, "letters", options={"claim": "first"}, clock=600)
        await h.alice.do(name, ask.Say, seat=0, text="Parade?")
        told = await h.bill.do(name, ask.Rematch, seat=1, game="parade")
        table = await h.table(name)
        assert (table.next, table.next_game, table.rematch_by) == (told["table"], "parade", 1)
        assert describe_table(table).next_game == "parade"
        assert await h.alice.do(name, ask.Rematch, seat=0) == told, "who agrees needs no name of a game"
        following = told["table"]
        await h.alice.sit(following)
        await h.bill.sit(following)
        await h.alice.do(following, ask.Start)
        after = await h.play_moves(following)
        assert [place.name for place in after.places] == ["Alice", "Bill"]
        assert (after.opened.game, after.opened.options, after.opened.clock) == ("parade", {}, 600)
        assert [message.text for message in after.remarks if message.text] == ["Parade?"]
        record = build_record(after)
        assert record is not None
        assert "the start player" not in check(record).lower(), "it is drawn, as in any first game"
        again = await h.table(await ask_for_rematch(h, following, game="parade"))
        assert (await h.table(following)).next_game == "", "the same game is a rematch"
        assert again.opened.begun

    run_scenario(scenario)


def test_bots_come_along_to_another_game(run_scenario: ScenarioRunner) -> None:
    async def scenario(h: LocalService) -> None:
        bots = {str(seat): "hatter" for seat in (1, 2, 3)}
        name = await h.create_table("parade", 4, access="bots", bots=bots)
        await h.alice.sit(name, 0)
        await h.alice.do(name, ask.Start)
        before = (await h.play_moves(name)).places
        for wrong in ("croquet", "cookies", "letters"):
            wishes = {"game": wrong, "more": wrong != "croquet"}
            refusal = await h.alice.expect_refusal(name, ask.Rematch, seat=0, **wishes)
            assert ("croquet" if wrong == "croquet" else "room") in str(refusal)
        after = (await h.table(await ask_for_rematch(h, name, game="cookies"))).places
        assert [place.level for place in after] == ["", "hatter", "hatter", "hatter"]
        kept = {place.name for place in before} - {"Hatter"}
        assert kept <= {place.name for place in after}
        assert "Hatter" not in {place.name for place in after}, "a pawn of this game"

    run_scenario(scenario)


def test_two_wishes_at_two_servers_lead_to_one_game(tmp_path: Path) -> None:
    async def main() -> None:
        async with open_service(tmp_path) as h, open_service(tmp_path) as elsewhere:
            name = await play_whole_game(h)
            asked = {"parade": h.alice, "letters": elsewhere.bill}
            one, other = await asyncio.gather(
                *(
                    player.do(name, ask.Rematch, seat=seat, game=game)
                    for seat, (game, player) in enumerate(asked.items())
                )
            )
            assert one == other
            following = (await h.table(one["table"])).opened.game
            for each in (h, elsewhere):
                table = (await each.tables.fresh(name)).table
                assert (table.next_game or "parade") == following

    asyncio.run(main())
