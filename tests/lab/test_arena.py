"""Tournaments: equal deals, every seat, a verdict independent of workers; and bots that misbehave."""

from __future__ import annotations

import os
import signal
from collections import Counter

import pytest

from support.paths import TESTS
from wonderland.engine.errors import BotFailed
from wonderland.lab.arena import Deal, DealPlayed, GamePlayed, Tournament, arrangements, play_deal
from wonderland.lab.executors import ProcessExecutor
from wonderland.lab.game_runner import GameSetup
from wonderland.lab.standings import standings_of

PARADE = GameSetup("parade", 2)


@pytest.fixture(autouse=True)
def _run_beside_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots are imported from the folder where the command runs."""
    monkeypatch.chdir(TESTS)


def run_to_end(tournament: Tournament) -> Tournament:
    tournament.play()
    return tournament


@pytest.mark.parametrize(
    ("seats", "meeting", "games"), [(2, (0, 1), 2), (3, (0, 1), 6), (4, (1, 2), 8), (3, (0, 1, 2), 3)]
)
def test_every_bot_sits_in_every_seat(seats: int, meeting: tuple[int, ...], games: int) -> None:
    deal = Deal(GameSetup("parade", seats), ("dodo",) * 3, meeting, 5, "tea")
    found = arrangements(deal)
    assert len(found) == games
    for bot in meeting:
        alone = [seats.index(bot) for seats in found if seats.count(bot) == 1]
        assert Counter(alone) == dict.fromkeys(range(seats), len(alone) // seats)
        assert alone


def test_opponents_change_from_deal_to_deal() -> None:
    setting = GameSetup("parade", 4)
    orders = {arrangements(Deal(setting, (), (0, 1, 2, 3), number, "tea"))[0] for number in range(30)}
    assert len(orders) > 10


def test_shares_belong_to_the_lone_bot() -> None:
    games = (GamePlayed((0, 1, 1), 0b001), GamePlayed((1, 0, 1), 0b110), GamePlayed((0, 1, 0), 0b101))
    deal = DealPlayed((0, 1), 0, games)
    assert deal.share(0) == (1 + 0.5) / 2
    assert deal.share(1) == 0
    assert games[1].share(1) == 0.5


def test_all_games_of_a_deal_have_the_same_shuffle() -> None:
    """A bot that always makes the first choice, against itself: every seating gives the same game."""
    bots = ("support.sample_bots:First", "support.sample_bots:First")
    deals = [play_deal(Deal(PARADE, bots, (0, 1), number, "tea")) for number in range(8)]
    for deal in deals:
        one, other = deal.games
        assert one.winners == other.winners
        assert deal.share(0) == deal.share(1) == 0.5
    assert len({deal.games[0].winners for deal in deals}) > 1


@pytest.mark.parametrize("bot", ["dodo", "hatter"])
def test_identical_bots_score_the_same_over_a_deal(bot: str) -> None:
    played = [
        play_deal(Deal(GameSetup("parade", 2), (bot, bot), (0, 1), number, "twins"))
        for number in range(4)
    ]
    assert [each.share(0) for each in played] == [0.5] * 4


def test_the_standings_do_not_depend_on_workers() -> None:
    asked = Tournament(PARADE, ("dodo", "support.sample_bots:Searcher@2"), 4, "tea")
    expected = standings_of(run_to_end(asked))
    again = Tournament(PARADE, ("dodo", "support.sample_bots:Searcher@2"), 4, "tea")
    again.play(by=ProcessExecutor(2))
    assert standings_of(again) == expected
    assert expected.games == 8
    assert expected.bots[0].name == "Searcher@2"


def test_a_bot_against_itself_shows_no_clear_difference() -> None:
    found = standings_of(run_to_end(Tournament(PARADE, ("dodo", "dodo"), 60, "jam", until_clear=True)))
    (pair,) = found.pairs
    assert not pair.is_clear
    assert pair.edge.low < 0 < pair.edge.high
    assert not found.stopped_when_clear
    assert {bot.name for bot in found.bots} == {"Dodo 1", "Dodo 2"}


def test_it_stops_when_the_difference_is_clear() -> None:
    bots = ("support.sample_bots:Searcher@2", "dodo")
    tournament = run_to_end(Tournament(PARADE, bots, 60, "tea", until_clear=True))
    found = standings_of(tournament)
    assert found.stopped_when_clear
    (pair,) = found.pairs
    assert pair.is_clear
    assert pair.edge.low > -0.001
    fewer = Tournament(PARADE, bots, found.deals - 1, "tea")
    assert not run_to_end(fewer).is_clear  # not one deal too late


def test_three_bots_at_one_table_and_in_pairs() -> None:
    bots = ("dodo", "dodo", "dodo")
    table = run_to_end(Tournament(GameSetup("parade", 3), bots, 3, "tea"))
    assert table.games == 9
    assert [len(pair.edge.numbers) for pair in table.pairs] == [3, 3, 3]
    pairs = run_to_end(Tournament(PARADE, bots, 3, "tea"))
    assert pairs.games == 18
    assert [len(pair.edge.numbers) for pair in pairs.pairs] == [3, 3, 3]
    wins = [bot.wins.value for bot in standings_of(table).bots]
    assert sum(wins) == pytest.approx(1)


def test_an_interrupted_tournament_keeps_its_deals() -> None:
    tournament = Tournament(PARADE, ("dodo", "dodo"), 100, "tea")

    def tell(deals: int) -> None:
        if deals == 5:
            os.kill(os.getpid(), signal.SIGINT)

    tournament.play(tell)
    found = standings_of(tournament)
    assert (found.interrupted, found.deals, found.asked) == (True, 5, 100)
    five = run_to_end(Tournament(PARADE, ("dodo", "dodo"), 5, "tea"))
    assert standings_of(five).pairs == found.pairs


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("Cheat", "chose 'an ace from the sleeve', which isn't a legal action, in deal 3 of seed 'tea'"),
        ("Stumbler", "raised IndexError: tuple index out of range (sample_bots.py, line"),
        ("Odd", "which isn't a legal action"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_bot_that_misbehaves_is_named(bot: str, sentence: str, workers: int) -> None:
    name = f"support.sample_bots:{bot}"
    tournament = Tournament(PARADE, ("dodo", name), 2, "tea", skip=3, workers=workers)
    with pytest.raises(BotFailed) as told:
        tournament.play()
    assert f"the bot {name} " in str(told.value)
    assert sentence in str(told.value)
    assert "(to repeat it: --skip 3 --deals 1)" in str(told.value)
