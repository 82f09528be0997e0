"""Agreements between players: links, chat, bots, undo."""

from __future__ import annotations

from collections.abc import Callable

from support.table_players import LocalService, Scenario, TablePlayer, watch
from wonderland.bots import levels
from wonderland.engine import game_names
from wonderland.wire import commands as ask
from wonderland.wire.commands import PHRASES


def test_a_seat_link_works_once_and_the_host_can_revoke(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table(access="open")
        await h.alice.sit(name, 0)
        await h.bill.sit(name, 1)
        phone, thief = TablePlayer(h.tables, "Bill's phone"), TablePlayer(h.tables, "thief")
        told = await h.bill.do(name, ask.Link, seat=1)
        assert (
            await phone.expect_refusal(name, ask.Claim, seat=1, secret=h.invitation)
        ).problem == "not yours"
        assert (
            await phone.expect_refusal(name, ask.Claim, seat=0, secret=told["secret"])
        ).problem == "not yours"
        await phone.do(name, ask.Claim, seat=1, secret=told["secret"])
        assert "used" in str(await thief.expect_refusal(name, ask.Claim, seat=1, secret=told["secret"]))
        await phone.do(name, ask.Say, seat=1, phrase="hello")
        await h.bill.do(name, ask.Say, seat=1, phrase="hello")

        assert (await h.bill.expect_refusal(name, ask.Link, seat=0)).problem == "not yours"
        assert (await h.bill.expect_refusal(name, ask.Link, seat=1, revoke=True)).problem == "not yours"
        told = await h.alice.do(name, ask.Link, seat=1, revoke=True)
        assert (await phone.expect_refusal(name, ask.Say, seat=1, phrase="hello")).problem == "not yours"
        assert (
            await h.bill.expect_refusal(name, ask.Say, seat=1, phrase="hello")
        ).problem == "not yours"
        assert await h.tables.storage.seats_of_device(phone.device) == []
        await h.bill.do(name, ask.Claim, seat=1, secret=told["secret"])
        await h.bill.do(name, ask.Say, seat=1, phrase="hello")
        ((row, seat),) = await h.tables.storage.seats_of_device(h.bill.device)
        assert (row.table, seat) == (name, 1)

    run_scenario(scenario)


def test_chat_has_limits_and_can_be_switched_off(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game()
        await h.alice.do(
            name, ask.Say, seat=0, text="\U0001f469\u200d\U0001f52c \u0645\u06cc\u200c\u062e"
        )
        await h.alice.do(name, ask.Say, seat=0, text="  Off   with\ttheir heads!  ")
        assert (await h.table(name)).remarks[-1].text == "Off with their heads!"
        for wrong in ({}, {"text": "a", "phrase": "hello"}, {"text": "\u202e"}, {"phrase": "tea"}):
            assert (
                await h.alice.expect_refusal(name, ask.Say, seat=0, **wrong)
            ).problem == "bad request"
        assert (await h.dinah.expect_refusal(name, ask.Say, seat=0, text="boo")).problem == "not yours"
        for phrase in list(PHRASES)[:3]:
            await h.alice.do(name, ask.Say, seat=0, phrase=phrase)
        assert (await h.alice.expect_refusal(name, ask.Say, seat=0, text="and")).problem == "too many"
        await h.bill.do(name, ask.Say, seat=1, text="peace")
        assert (await h.bill.expect_refusal(name, ask.Silence, off=True)).problem == "not yours"
        await h.alice.do(name, ask.Silence, off=True)
        assert "off" in str(await h.bill.expect_refusal(name, ask.Say, seat=1, text="and"))
        await h.alice.do(name, ask.Silence, off=False)
        await h.bill.do(name, ask.Say, seat=1, text="and")

    run_scenario(scenario)


def test_a_player_who_leaves_is_replaced_and_can_come_back(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game()
        assert "No bot" in str(await h.bill.expect_refusal(name, ask.TakeBack, seat=1))
        await h.bill.do(name, ask.Leave, seat=1)
        await h.wait_for_bots(name)
        assert "already" in str(await h.bill.expect_refusal(name, ask.Leave, seat=1))
        await h.play_moves(name, 8)
        table = await h.wait_for_bots(name)
        assert table.places[1].kind == "person"
        assert table.places[1].level in [level.word for level in levels("parade")]
        assert "Take the seat back" in str(
            await h.bill.expect_refusal(name, ask.Play, seat=1, action="G3")
        )
        await h.bill.do(name, ask.TakeBack, seat=1)
        assert (await h.play_moves(name)).status == "finished"
        assert "over" in str(await h.bill.expect_refusal(name, ask.Leave, seat=1))

    run_scenario(scenario)


def test_a_proposal_lapses_with_the_next_move(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game()
        while len((table := await h.table(name)).to_act) < 2:
            await h.play_moves(name, 1)
        assert table.match is not None
        words = [table.match.game.write(table.match.legal(seat)[0]) for seat in (0, 1)]
        await h.alice.do(name, ask.Play, seat=0, action=words[0])
        await h.alice.do(name, ask.Propose, seat=0, what="undo")
        assert "Another" in str(await h.bill.expect_refusal(name, ask.Propose, seat=1, what="undo"))
        assert "agreed" in str(await h.alice.expect_refusal(name, ask.Answer, seat=0, agree=True))
        await h.bill.do(name, ask.Answer, seat=1, agree=False)
        assert "no request" in str(await h.bill.expect_refusal(name, ask.Answer, seat=1, agree=True))
        await h.alice.do(name, ask.Propose, seat=0, what="undo")
        await h.bill.do(name, ask.Play, seat=1, action=words[1])
        assert (await h.table(name)).proposal is None

    run_scenario(scenario)


def test_an_undo_is_refused_when_something_was_revealed(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        for game in game_names():
            name = await h.start_game(game)
            table = await h.table(name)
            seat = table.to_act[0]
            assert "nothing" in str(
                await h.player_at(seat).expect_refusal(name, ask.Propose, seat=seat, what="undo")
            )
            await h.play_moves(name, 1)
            refusal = await h.player_at(seat).expect_refusal(name, ask.Propose, seat=seat, what="undo")
            assert "revealed" in str(refusal), game

    run_scenario(scenario)


def test_a_secret_choice_can_be_taken_back(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game()
        while len((table := await h.table(name)).to_act) < 2:
            await h.play_moves(name, 1)
        assert table.match is not None
        before, moves = table.match.state, len(table.match.moves)
        words = [table.match.game.write(action) for action in table.match.legal(0)]
        live = await h.tables.get_live_table(name)
        bill = watch(h, live, 1)
        await h.alice.do(name, ask.Play, seat=0, action=words[0])
        await h.alice.do(name, ask.Propose, seat=0, what="undo")
        assert bill.messages[-1]["table"]["proposal"]["what"] == "undo"
        await h.bill.do(name, ask.Answer, seat=1, agree=True)
        table = await h.table(name)
        assert table.match is not None
        assert table.match.state == before
        assert len(table.match.moves) == moves
        assert not bill.messages[-1]["complete"], "events were undone: everything is sent"
        await h.alice.do(name, ask.Play, seat=0, action=words[1])
        assert (await h.play_moves(name)).status == "finished"

    run_scenario(scenario)


def test_several_seats_on_one_device_are_people_sharing_a_screen(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table(access="open")
        await h.alice.sit(name, 0)
        await h.alice.sit(name, 1, name="Bill")
        await h.alice.do(name, ask.Start)
        assert (await h.table(name)).seats_of(h.alice.device) == [0, 1]
        h.bill.device = h.alice.device
        assert (await h.play_moves(name)).status == "finished"

    run_scenario(scenario)
