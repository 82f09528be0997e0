"""Seats that change hands: everyone at the table is told, and nobody comes to see another's hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from support.table_players import LocalService, Scenario, TablePlayer, watch
from wonderland.engine.language import ENGLISH
from wonderland.tables.descriptions import build_update
from wonderland.web.table_page import TablePage
from wonderland.wire import commands as ask

ScenarioRunner = Callable[[Scenario], None]


async def notices(home: LocalService, name: str) -> list[tuple[str, int, str]]:
    return [(one.what, one.seat, one.name) for one in (await home.table(name)).notices]


def test_what_the_host_does_to_a_seat_is_told_to_everyone(run_scenario: ScenarioRunner) -> None:
    async def scenario(home: LocalService) -> None:
        name = await home.create_table(seats=3, access="open")
        await home.alice.sit(name, 0)
        await home.bill.sit(name, 1)
        spectator = watch(home, await home.tables.get_live_table(name), None)
        link = await home.alice.do(name, ask.Link, seat=1, revoke=True)
        await home.dinah.do(name, ask.Claim, seat=1, **link)
        await home.alice.do(name, ask.Leave, seat=1)
        await home.alice.do(name, ask.SeatBot, seat=1, level="hatter")
        bot = (await home.table(name)).places[1].name
        told = [("link", 1, "Bill"), ("claimed", 1, "Bill"), ("removed", 1, "Bill"), ("bot", 1, bot)]
        assert await notices(home, name) == told
        sent = [(one["what"], one["name"]) for each in spectator.messages for one in each["notices"]]
        assert sent == [(what, who) for what, _, who in told]
        for seat, player in ((0, home.alice), (None, home.bill)):
            shown = TablePage(await home.table(name), seat, player.device, ENGLISH).page()
            assert "removed Bill" in shown.html["remarks"]

    run_scenario(scenario)


def test_what_players_do_themselves_is_no_news_of_the_host(run_scenario: ScenarioRunner) -> None:
    async def scenario(home: LocalService) -> None:
        name = await home.create_table(seats=3, access="open")
        await home.alice.sit(name, 0)
        await home.bill.sit(name, 1)
        await home.bill.do(name, ask.Leave, seat=1)
        await home.alice.do(name, ask.Leave, seat=0)
        await home.alice.do(name, ask.SeatBot, seat=1, level="hatter")
        await home.alice.do(name, ask.Leave, seat=1)
        assert [what for what, _, _ in await notices(home, name)] == ["bot"]

    run_scenario(scenario)


def test_a_device_with_two_seats_is_known_to_everyone(run_scenario: ScenarioRunner) -> None:
    async def scenario(home: LocalService) -> None:
        name = await home.create_table(seats=3, access="open")
        await home.alice.sit(name, 0)
        await home.alice.sit(name, 1, name="Edith")
        await home.bill.sit(name, 2)
        link = await home.bill.do(name, ask.Link, seat=2)
        await home.alice.do(name, ask.Claim, seat=2, **link)
        assert await notices(home, name) == [("shared", 1, "Edith"), ("shared", 2, "Bill")]

    run_scenario(scenario)


def test_a_game_waits_until_a_reissued_seat_is_taken(run_scenario: ScenarioRunner) -> None:
    """A link that nobody has opened would let the host into a running game."""

    async def scenario(home: LocalService) -> None:
        name = await home.create_table(access="open")
        await home.alice.sit(name, 0)
        await home.bill.sit(name, 1)
        link = await home.alice.do(name, ask.Link, seat=1, revoke=True)
        assert "seat 2" in str(await home.alice.expect_refusal(name, ask.Start))
        await home.bill.do(name, ask.Claim, seat=1, **link)
        await home.alice.do(name, ask.Start)

    run_scenario(scenario)


def hand_of(table: Any, seat: int, device: str) -> Any:
    """What a device is shown if it asks for a seat."""
    shown = seat if table.holds(device, seat) else None
    return msgspec.json.decode(build_update(table, shown, 0))["view"]["hands"][seat]


@pytest.mark.parametrize("is_handed_over", [False, True], ids=["present", "stand-in"])
def test_no_command_shows_the_host_another_hand(
    run_scenario: ScenarioRunner, is_handed_over: bool
) -> None:
    """Every way to come to hold a seat, tried by the host in a running game."""

    async def scenario(home: LocalService) -> None:
        name = await home.start_game()
        if is_handed_over:
            await home.bill.do(name, ask.Leave, seat=1)
            await home.wait_for_bots(name)
        sit = {"name": "Edith", "contribution": "ab" * 16, "invitation": home.invitation}
        tried: list[tuple[type[ask.Command], dict[str, Any]]] = [
            (ask.Sit, sit),
            (ask.Sit, {**sit, "seat": 1}),
            (ask.Sit, {**sit, "seat": 1, "name": "Bill"}),
            (ask.SeatBot, {"seat": 1, "level": "hatter"}),
            (ask.Leave, {"seat": 1}),
            (ask.TakeBack, {"seat": 1}),
            (ask.Link, {"seat": 1}),
            (ask.Link, {"seat": 1, "revoke": True}),
            (ask.Claim, {"seat": 1, "secret": "guess"}),
            (ask.Play, {"seat": 1, "action": "A0"}),
            (ask.Start, {}),
        ]
        before = hand_of(await home.table(name), 1, home.alice.device)
        assert set(before) == {"?"}
        for host in (home.alice,):
            for command, fields in tried:
                await host.expect_refusal(name, command, **fields)
                table = await home.table(name)
                assert table.seats_of(host.device) == [0]
                assert set(hand_of(table, 1, host.device)) == {"?"}

    run_scenario(scenario)


def test_a_player_recovers_their_own_seat(run_scenario: ScenarioRunner) -> None:
    async def scenario(home: LocalService) -> None:
        name = await home.start_game()
        phone = TablePlayer(home.tables, "Bill's phone")
        link = await home.bill.do(name, ask.Link, seat=1)
        await phone.do(name, ask.Claim, seat=1, **link)
        assert (await home.table(name)).seats_of(phone.device) == [1]
        assert await notices(home, name) == [("claimed", 1, "Bill")]

    run_scenario(scenario)
