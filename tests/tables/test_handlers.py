"""Commands at a table: permissions and effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support.table_players import LocalService, Scenario
from wonderland.bots.characters import home_level
from wonderland.engine import game_names, read_record
from wonderland.tables import entries as log
from wonderland.tables.descriptions import build_record
from wonderland.tables.storage.interface import StoredEntry
from wonderland.wire import commands as ask
from wonderland.wire.problems import Refusal


def test_the_commitment_is_published_before_anyone_sits(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table()
        table = await h.table(name)
        assert len(table.opened.commitment) == 64
        assert table.status == "waiting"
        assert [place.kind for place in table.places] == ["free", "free"]

    run_scenario(scenario)


def test_a_link_is_needed_unless_the_table_is_open(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table()
        seat = {"name": "Bill", "contribution": "00" * 16}
        assert (await h.bill.expect_refusal(name, ask.Sit, **seat)).problem == "not yours"
        wrong = await h.bill.expect_refusal(name, ask.Sit, **seat, invitation="guess")
        assert "link" in str(wrong)
        await h.bill.sit(name, invitation=h.invitation)
        await h.alice.sit(name)  # the host needs none
        assert [place.name for place in (await h.table(name)).places] == ["Bill", "Alice"]
        assert "taken" in str(
            await h.dinah.expect_refusal(name, ask.Sit, **seat, invitation=h.invitation)
        )

        await h.bill.sit(await h.create_table(access="open"))
        alone = await h.create_table(access="bots", bots={"1": "dodo"})
        assert "bots" in str(
            await h.bill.expect_refusal(alone, ask.Sit, **seat, invitation=h.invitation)
        )

    run_scenario(scenario)


def test_names_and_seats_are_checked(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table(access="open", seats=3)
        await h.alice.sit(name, 1)
        seat: dict[str, Any] = {"contribution": "00" * 16}
        for wrong in ("alice", "a,b", " x", "tab\tbed"):
            refusal = await h.bill.expect_refusal(name, ask.Sit, name=wrong, **seat)
            assert refusal.problem == "bad request"
        assert "Seat 2" in str(await h.bill.expect_refusal(name, ask.Sit, name="Bill", seat=1, **seat))
        assert "Seat 8" in str(await h.bill.expect_refusal(name, ask.Sit, name="Bill", seat=7, **seat))

    run_scenario(scenario)


def test_an_impossible_table_is_not_created(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        for wanted in (
            {"game": "chess"},
            {"game": "parade", "seats": 7},
            {"game": "letters", "options": {"claim": "never"}},
            {"game": "letters", "options": {"speed": "high"}},
            {"game": "parade", "bots": {"5": "dodo"}},
            {"game": "parade", "bots": {"one": "dodo"}},
            {"game": "parade", "bots": {"1": "einstein"}},
        ):
            with pytest.raises(Refusal) as refusal:
                await h.tables.create_table(h.alice.device, ask.CreateTable(**({"seats": 2} | wanted)))
            assert refusal.value.problem == "bad request"
            said = str(refusal.value)
            assert said[0].isupper() or said.startswith("claim="), "notation keeps its case"
        assert await h.tables.storage.count() == {}

    run_scenario(scenario)


def test_every_bot_at_a_table_is_somebody_else(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        bots = {str(seat): "queen" for seat in range(1, 6)}
        name = await h.create_table(seats=6, bots=bots, avoid=("Queen", "carpenter"))
        names = [place.name for place in (await h.table(name)).places[1:]]
        assert len(set(names)) == 5
        assert "King" in names
        assert not {"Queen", "Carpenter"} & set(names)
        waiting = await h.create_table(access="open", seats=3)
        await h.bill.sit(waiting, 1, portrait="walrus")
        for level in ["hatter"] * 4:  # the host changes their mind
            await h.alice.do(waiting, ask.SeatBot, seat=0, level=level)
            assert (await h.table(waiting)).places[0].name in ("Hatter", "March Hare")

    run_scenario(scenario)


def test_bots_of_older_logs_keep_their_names(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table(seats=3)
        table = await h.table(name)
        for seat in (0, 2):
            body = log.written(log.BotSat(seat, "white-rabbit"))
            assert b"name" not in body
            table = table.after(StoredEntry(name, table.version + 1, 0, body))
        assert [place.name for place in table.places] == ["White Rabbit", "", "White Rabbit 2"]

    run_scenario(scenario)


def test_only_the_host_seats_bots_and_frees_other_seats(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table(access="open", seats=3)
        await h.bill.sit(name, 1)
        await h.alice.do(name, ask.SeatBot, seat=0, level="White Rabbit")
        await h.alice.do(name, ask.SeatBot, seat=2, level="white-rabbit")
        first, bill, second = [place.name for place in (await h.table(name)).places]
        assert bill == "Bill"
        assert first != second
        assert home_level("parade", first) == home_level("parade", second) == "white-rabbit"
        assert (
            await h.bill.expect_refusal(name, ask.SeatBot, seat=0, level="dodo")
        ).problem == "not yours"
        assert (await h.bill.expect_refusal(name, ask.Leave, seat=0)).problem == "not yours"
        assert "no bot called 'king'. " in str(
            await h.alice.expect_refusal(name, ask.SeatBot, seat=0, level="king")
        )
        assert "taken" in str(await h.alice.expect_refusal(name, ask.SeatBot, seat=1, level="dodo"))
        await h.alice.do(name, ask.Leave, seat=2)
        await h.bill.do(name, ask.Leave, seat=1)
        kinds = [place.kind for place in (await h.table(name)).places]
        assert kinds == ["bot", "free", "free"]
        await h.alice.do(name, ask.Leave, seat=1)  # a free seat that nobody comes for
        kinds = [place.kind for place in (await h.table(name)).places]
        assert kinds == ["bot", "free"]
        assert (await h.alice.expect_refusal(name, ask.Leave, seat=1)).code == "seat-free"

    run_scenario(scenario)


def test_the_game_starts_when_all_seats_are_taken(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.create_table(access="open")
        await h.alice.sit(name)
        assert "free: 2" in str(await h.alice.expect_refusal(name, ask.Start))
        assert "hasn't started" in str(await h.alice.expect_refusal(name, ask.Play, seat=0, action="G3"))
        await h.bill.sit(name)
        assert (await h.dinah.expect_refusal(name, ask.Start)).problem == "not yours"
        await h.bill.do(name, ask.Start)
        assert (await h.table(name)).status == "playing"
        assert "already started" in str(await h.bill.expect_refusal(name, ask.Start))
        seat = {"name": "Dinah", "contribution": "00" * 16}
        assert "already started" in str(await h.dinah.expect_refusal(name, ask.Sit, **seat))

    run_scenario(scenario)


@pytest.mark.parametrize("game", game_names())
def test_whole_games_end_with_a_record_that_round_trips(
    run_scenario: Callable[[Scenario], None], game: str
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game(game)
        assert build_record(await h.table(name)) is None
        table = await h.play_moves(name, seed=3)
        assert table.status == "finished"
        assert table.secret
        record = build_record(table)
        assert record is not None
        text = record.text()
        reading = read_record(text)
        assert reading.fault is None
        assert reading.record is not None
        assert reading.record.text() == text
        late = await h.alice.expect_refusal(name, ask.Play, seat=0, action="G3", at=table.version)
        assert late.problem in ("illegal", "bad request")

    run_scenario(scenario)


def test_illegal_moves_and_moves_for_others_are_refused(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game()
        table = await h.table(name)
        (seat,) = table.to_act
        assert table.match is not None
        word = table.match.game.write(table.match.legal(seat)[0])
        other = h.player_at(1 - seat)
        assert (
            await other.expect_refusal(name, ask.Play, seat=seat, action=word)
        ).problem == "not yours"
        assert (
            await h.dinah.expect_refusal(name, ask.Play, seat=seat, action=word)
        ).problem == "not yours"
        illegal = await other.expect_refusal(name, ask.Play, seat=1 - seat, action=word)
        assert illegal.problem == "illegal"
        assert table.match.names[seat] in str(illegal), "players are called by their names"
        assert illegal.rule_path == "/rules/parade#P4"
        assert (
            await h.player_at(seat).expect_refusal(name, ask.Play, seat=seat, action="tea")
        ).problem == "bad request"
        assert (
            await h.player_at(seat).expect_refusal(name, ask.Play, seat=9, action=word)
        ).problem == "not yours"

    run_scenario(scenario)


def test_a_move_for_an_older_turn_is_stale_but_chat_does_not_make_it_so(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game()
        table = await h.table(name)
        (seat,) = table.to_act
        assert table.match is not None
        word = table.match.game.write(table.match.legal(seat)[0])
        await h.player_at(1 - seat).do(name, ask.Say, seat=1 - seat, phrase="your turn")
        await h.player_at(seat).do(name, ask.Play, seat=seat, action=word, at=table.version)
        await h.play_moves(name, 1)
        again = await h.table(name)
        assert again.match is not None
        word = again.match.game.write(again.match.legal(seat)[0])
        stale = await h.player_at(seat).expect_refusal(
            name, ask.Play, seat=seat, action=word, at=table.version
        )
        assert stale.problem == "stale"
        future = await h.player_at(seat).expect_refusal(name, ask.Play, seat=seat, action=word, at=9999)
        assert "version" in str(future)

    run_scenario(scenario)


def test_anothers_secret_choice_does_not_make_a_move_stale(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game()
        while len((table := await h.table(name)).to_act) < 2:
            await h.play_moves(name, 1)
        match = table.match
        assert match is not None
        words = [match.game.write(match.legal(seat)[0]) for seat in (0, 1)]
        await h.bill.do(name, ask.Play, seat=1, action=words[1], at=table.version)
        await h.alice.do(name, ask.Play, seat=0, action=words[0], at=table.version)
        assert (await h.table(name)).status == "finished"

    run_scenario(scenario)


def test_a_late_message_is_not_taken_for_the_same_action_in_a_later_turn(
    run_scenario: Callable[[Scenario], None],
) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game("letters")
        made = dict[tuple[int, str], int]()
        while True:
            table = await h.table(name)
            assert table.match is not None
            seat = table.to_act[0]
            words = list(map(table.match.game.write, table.match.legal(seat)))
            again = [word for word in words if (seat, word) in made]
            word = (again or words)[0]
            await h.player_at(seat).do(name, ask.Play, seat=seat, action=word, at=table.version)
            if again:
                break
            made[seat, word] = table.version
        live, at = await h.tables.get_live_table(name), table.version
        repeated = ask.Play(at=at, key="twice-clicked", seat=seat, action=word)
        device = h.player_at(seat).device
        assert (await h.tables.execute(live, device, repeated))[1] == at + 1
        late = ask.Play(at=made[seat, word], key="late-message", seat=seat, action=word)
        with pytest.raises(Refusal) as refused:
            await h.tables.execute(live, device, late)
        assert refused.value.problem in ("stale", "illegal")

    run_scenario(scenario)


def test_a_repeated_command_changes_nothing(run_scenario: Callable[[Scenario], None]) -> None:
    async def scenario(h: LocalService) -> None:
        name = await h.start_game()
        table = await h.table(name)
        (seat,) = table.to_act
        assert table.match is not None
        word = table.match.game.write(table.match.legal(seat)[0])
        live = await h.tables.get_live_table(name)
        play = ask.Play(at=table.version, key="samesame", seat=seat, action=word)
        _, version = await h.tables.execute(live, h.player_at(seat).device, play)
        talk = ask.Say(at=table.version, key="talktalk", seat=seat, phrase="hello")
        _, said = await h.tables.execute(live, h.player_at(seat).device, talk)
        await h.play_moves(name, 4)
        before = (await h.table(name)).version
        for _ in range(3):
            assert (await h.tables.execute(live, h.player_at(seat).device, play))[1] == version
            assert (await h.tables.execute(live, h.player_at(seat).device, talk))[1] == said
        assert (await h.table(name)).version == before
        with pytest.raises(Refusal):  # another player's command with the same key is a different command
            await h.tables.execute(live, h.player_at(1 - seat).device, play)

    run_scenario(scenario)
