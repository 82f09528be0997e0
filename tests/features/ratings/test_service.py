"""Ratings are a fold over the recorded results, whenever, wherever and however often they are read."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.storages import Backend, open_storages
from wonderland.features.ratings import service
from wonderland.features.ratings.model import FEWEST, Ladder, PlayerRating
from wonderland.features.ratings.service import RatedHistory, RatingService
from wonderland.tables.rated_games import RatedResult, kind, record_result
from wonderland.tables.storage.sqlite import SqliteStorage

PEOPLE = tuple("abcdef")


@st.composite
def outcomes(draw: st.DrawFn) -> list[RatedResult]:
    """Games of a few accounts, ordered by name; some ended at the same time."""
    found = []
    for number in range(draw(st.integers(0, 12))):
        people = draw(st.permutations(PEOPLE))[: draw(st.integers(2, 4))]
        winners = draw(st.sets(st.sampled_from(range(len(people))), min_size=1))
        time = draw(st.integers(0, 6))
        found.append(RatedResult(f"t{number}", "tea", time, tuple(people), tuple(sorted(winners))))
    return found


def fold_games(games: list[RatedResult]) -> Ladder:
    ladder = Ladder()
    for game in sorted(games, key=lambda each: (each.time, each.table)):
        ladder.add(game.people, game.winners)
    return ladder


def is_same(one: Ladder, other: Ladder) -> bool:
    return all(one.steps(person) == other.steps(person) for person in PEOPLE)


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(games=outcomes(), seed=st.integers(0, 999))
def test_all_servers_compute_the_same_ratings(
    backend: Backend, games: list[RatedResult], seed: int
) -> None:
    """Recorded in any order, repeatedly, by two servers that read in between, and after a restart."""
    rng = random.Random(seed)
    in_order = sorted(games, key=lambda each: (each.time, each.table))

    async def main() -> None:
        nodes = [backend.storage(), backend.storage()]
        async with open_storages(*nodes):
            await nodes[0].documents.trim(kind("tea"), 0)
            servers = [RatingService(node) for node in nodes]
            for game in rng.sample(games, len(games)) + rng.choices(games, k=3 if games else 0):
                await asyncio.gather(
                    *(record_result(node.documents, game) for node in rng.sample(nodes, 1 + seed % 2))
                )
                if rng.random() < 0.5:
                    await rng.choice(servers).of("tea")
            for server in (*servers, RatingService(nodes[0])):
                played = await server.of("tea")
                assert is_same(played.ladder, fold_games(games))
                assert played.outcomes == in_order
                assert await server.of("tea") is played, "nothing new, nothing done"

    asyncio.run(main())


def test_large_batches_and_removed_results_are_rated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "_OVERLAP", 0)
    monkeypatch.setattr(service, "_MAX_INCREMENT", 3)
    games = [RatedResult(f"t{n}", "tea", n, ("a", "b"), (n % 2,)) for n in range(12)]

    async def main() -> None:
        storage = SqliteStorage(tmp_path / "tables.db")
        await storage.open()
        server = RatingService(storage)
        for batch in (games[:2], games[2:8], games[8:]):
            for game in batch:
                await record_result(storage.documents, game)
            await server.of("tea")
        assert is_same((await server.of("tea")).ladder, fold_games(games))
        assert (await server.of("mice")).ladder.games == 0
        await storage.documents.remove(kind("tea"), "t5")
        assert is_same((await server.of("tea")).ladder, fold_games(games[:5] + games[6:]))
        await storage.close()

    asyncio.run(main())


def test_concurrent_requests_get_the_same_ratings(tmp_path: Path) -> None:
    async def main() -> None:
        storage = SqliteStorage(tmp_path / "tables.db")
        await storage.open()
        server = RatingService(storage)
        await record_result(storage.documents, RatedResult("t", "tea", 1, ("a", "b"), (0,)))
        found = await asyncio.gather(*(server.of("tea") for _ in range(5)))
        assert len(set(map(id, found))) == 1
        assert found[0].ladder.games == 1
        await storage.close()

    asyncio.run(main())


def test_a_win_raises_the_rating_and_lowers_its_uncertainty() -> None:
    ladder = Ladder()
    new = ladder.of("a")
    assert (new.rating, new.games) == (1000, 0)
    assert new.likely[0] < 1000 < new.likely[1]
    ladder.add(("a", "b"), (0,))
    won, lost = ladder.of("a"), ladder.of("b")
    assert won.mu > new.mu > lost.mu
    assert won.rating > lost.rating
    assert max(won.sigma, lost.sigma) < new.sigma
    assert (won.games, lost.games) == (1, 1)


def test_a_shared_win_is_between_winning_and_losing() -> None:
    shares, wins = Ladder(), Ladder()
    shares.add(("a", "b", "c"), (0, 1))
    wins.add(("a", "b", "c"), (0,))
    assert wins.of("a").mu > shares.of("a").mu > shares.of("c").mu
    assert shares.of("a").mu == pytest.approx(shares.of("b").mu)


def test_the_ranking_lists_accounts_with_a_few_games_best_first() -> None:
    played = RatedHistory(
        RatedResult(f"t{n}", "tea", n, ("a", "b") if n < FEWEST else ("a", "c"), (1,))
        for n in range(FEWEST + 1)
    )
    assert [person for person, _ in played.ladder.ranking()] == ["b", "a"]
    assert list(Ladder().ranking()) == []


@given(st.floats(-20, 80), st.floats(0.5, 10))
def test_a_rating_is_inside_its_own_interval(mu: float, sigma: float) -> None:
    shown = PlayerRating(mu, sigma)
    low, high = shown.likely
    assert low < shown.rating < high
    assert abs((low + high) / 2 - shown.rating) <= 1, "in the middle, up to rounding"
