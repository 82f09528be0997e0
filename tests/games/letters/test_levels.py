"""The bots of Letters: honest, repeatable, forgetful in a human way, and ordered by strength."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wonderland.bots import decide, levels
from wonderland.components.bots import Bot, Budget, Level, RememberingBot
from wonderland.engine import CHANCE, Match, laws
from wonderland.engine.protocol import Acting, Chance, Over
from wonderland.games.letters import GAME
from wonderland.games.letters.bots import search, solution
from wonderland.games.letters.bots.levels import LEVELS, Queen, simple_choice
from wonderland.games.letters.bots.memory import MemoryModel, believed_state
from wonderland.games.letters.rules.components import Letter
from wonderland.games.letters.rules.events import CardTurned
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import Choosing, State, TurnCard, TurnedDown

FEW = Budget(playouts=20)

each_level = pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.word)


@pytest.fixture(autouse=True)
def cache_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path_factory.getbasetemp() / "letters-cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    return home


def play_share(seats: int, seed: int, share: float, **options: Any) -> Match[Any, Any, Any, Any, Any]:
    """Play at random until this share of the play is over and a seat has a choice."""
    whole = laws.random_match(GAME, seats, Options(**options), random.Random(seed))
    places = [n for n, move in enumerate(whole.moves) if move.actor is not CHANCE]
    return Match.resume(whole.record, upto=places[int(share * len(places))])


def on_turn(match: Match[Any, Any, Any, Any, Any]) -> int:
    turn = match.turn
    assert isinstance(turn, Acting)
    return turn.seats[0]


some_play = {
    "seats": st.sampled_from([2, 3, 4]),
    "seed": st.integers(min_value=0, max_value=2**32),
    "share": st.floats(0, 0.999),
}


# Honesty


def choose_with(bot: Bot, view: Any, legal: Sequence[Any], witnessed: Sequence[Any]) -> Any:
    if isinstance(bot, RememberingBot):
        bot.remember(witnessed)
    return bot.choose(view, legal, random.Random(5), FEW)


@each_level
@given(**some_play)
def test_hidden_cards_do_not_change_a_seats_choice(
    level: Level, seats: int, seed: int, share: float
) -> None:
    match = play_share(seats, seed, share)
    seat = on_turn(match)

    def choice(game: Any, state: Any, observer: int | None) -> Any:
        if observer != seat:
            return None
        return choose_with(
            level.make(), game.view(state, seat), game.legal(state, seat), match.events_seen_by(seat)
        )

    laws.check_secrecy(GAME, seats, match.state, random.Random(seed), [choice])


def test_a_bot_that_peeks_under_cards_is_caught() -> None:
    def cheat(game: Any, state: State, observer: int | None) -> Any:
        legal = game.legal(state, observer)
        known = [action for action in legal if isinstance(state.spaces[action.space], TurnedDown)]
        return (known or legal or [None])[0]

    def all_plays() -> None:
        for seed in range(40):
            match = play_share(2, seed, 0.7)
            laws.check_secrecy(GAME, 2, match.state, random.Random(seed), [cheat])

    with pytest.raises(laws.LawBroken, match="law 7"):
        all_plays()


@each_level
@given(**some_play)
def test_equal_random_numbers_give_equal_choices(
    level: Level, seats: int, seed: int, share: float
) -> None:
    match = play_share(seats, seed, share)
    seat = on_turn(match)
    one, two = (decide(level.make(), match, seat, random.Random(seed), FEW) for _ in range(2))
    assert one == two
    assert one in match.legal(seat)


@each_level
def test_forced_choices_need_no_thinking(level: Level) -> None:
    view = play_share(2, 1, 0.5).view(0)
    rng = random.Random(1)
    before = rng.getstate()
    assert level.make().choose(view, [TurnCard(4)], rng, Budget(seconds=100)) == TurnCard(4)
    assert rng.getstate() == before


# Strength


def winner(players: Sequence[Bot], first: int, rng: random.Random) -> int:
    match = Match(GAME, len(players))
    while not isinstance(turn := match.turn, Over):
        if isinstance(turn, Chance):
            outcome = GAME.read(f"seat{first + 1}") if turn.label == "start" else None
            match.apply(CHANCE, outcome or turn.pick(rng.randrange(turn.total)))
        else:
            seat = turn.seats[0]
            match.apply(seat, decide(players[seat], match, seat, rng, FEW))
    return int(turn.result.winners[0])


@pytest.mark.uncounted
@pytest.mark.parametrize("better", [1, 2, 3])
def test_each_level_beats_the_one_below(better: int) -> None:
    """Six plays in ten in the long run; here, enough of them that an even match would rarely pass."""
    worse, plays, rng = levels("letters")[better - 1], 600, random.Random(better)
    won = 0
    for number in range(plays):
        seat, first = number % 2, number // 2 % 2
        players = [worse.make(), worse.make()]
        players[seat] = levels("letters")[better].make()
        won += winner(players, first, rng) == seat
    assert won > 0.54 * plays


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_queen_takes_a_win_she_remembers(play: Any, seats: int) -> None:
    own = iter(["redE", "Hatter", "redA", "redL", "redI", "redC"])
    letters = [f"{colour}{letter}" for colour in ("blue", "yellow", "green") for letter in "ECIL"]
    others = iter([*letters, "Hare", "King", "Walrus", "Turtle", "Carpenter", "Duchess"])
    cards = [next(others) if number % seats else next(own) for number in range(6 * seats)]
    match = play(*(f"{space} {card}" for space, card in enumerate(cards, start=1)), seats=seats)
    assert match.state.rails[0] == 4
    assert decide(Queen(), match, 0, random.Random(3), FEW) == TurnCard(0)


@given(**some_play)
def test_searches_cover_all_choices_and_trials(seats: int, seed: int, share: float) -> None:
    match = play_share(seats, seed, share)
    wins, tries = search.count_wins(match.state, random.Random(1), FEW, default=1)
    assert set(wins) == set(match.legal(on_turn(match)))
    assert FEW.playouts is not None
    assert all(0 <= won <= tries == FEW.playouts // 2 for won in wins.values())


def test_a_choice_within_a_time_budget_is_legal() -> None:
    match = play_share(4, 3, 0.6)
    seat = on_turn(match)
    chosen = decide(Queen(), match, seat, random.Random(1), Budget(seconds=0.01))
    assert chosen in match.legal(seat)


def test_without_a_solution_the_queen_uses_the_heuristic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution, "cached_solution", lambda _: None)
    match = play_share(2, 3, 0.6)
    seat = on_turn(match)
    chosen = decide(Queen(), match, seat, random.Random(1), FEW)
    assert chosen == simple_choice(match.state, random.Random(1))


def test_levels_are_ordered_by_strength() -> None:
    assert [level.name for level in levels("letters")] == ["Dodo", "White Rabbit", "Cheshire", "Queen"]
    assert all(level.make().name == level.name for level in LEVELS)


# Memory


def truth(match: Match[Any, Any, Any, Any, Any]) -> dict[int, Letter]:
    spaces = enumerate(match.state.spaces)
    return {space: lies.card for space, lies in spaces if isinstance(lies, TurnedDown)}


@given(**some_play, duchess=st.booleans(), seat=st.sampled_from([0, 1]))
def test_perfect_memory_knows_every_turned_card(
    seats: int, seed: int, share: float, duchess: bool, seat: int
) -> None:
    match = play_share(seats, seed, share, duchess=duchess)
    recalled = MemoryModel().recall(match.events, seat)
    assert recalled == truth(match)
    assert believed_state(match.view(seat), recalled) == match.state


@given(**some_play, turns=st.floats(0.1, 50), longer=st.floats(1, 5))
def test_better_memory_holds_more_and_never_holds_errors(
    seats: int, seed: int, share: float, turns: float, longer: float
) -> None:
    match = play_share(seats, seed, share)
    worse = MemoryModel(turns).recall(match.events, 0).items()
    better = MemoryModel(turns * longer).recall(match.events, 0).items()
    assert worse <= better <= truth(match).items()


@given(**some_play, turns=st.floats(0.1, 20))
def test_forgotten_letters_stay_forgotten_until_seen_again(
    seats: int, seed: int, share: float, turns: float
) -> None:
    events = play_share(seats, seed, share).events
    memory, known = MemoryModel(turns), dict[int, Letter]()
    for end, event in enumerate(events, start=1):
        now = memory.recall(events[:end], 0)
        if isinstance(event, CardTurned):
            assert now.items() <= known.items()
        known = now


def test_a_card_just_turned_down_is_known(play: Any) -> None:
    match = play("1 redL", "2 blueE", "3 King")
    assert MemoryModel(0.001).recall(match.events, 1) == {0: Letter(*GAME.read("redL"))}


def test_often_seen_and_recent_letters_are_remembered_longer() -> None:
    kept = {
        times: [MemoryModel(4)._retention(draw << 44, times) for draw in range(2**20)[:: 2**8]]
        for times in (1, 2)
    }
    mean = {times: sum(turns) / len(turns) for times, turns in kept.items()}
    assert mean[1] == pytest.approx(4, rel=0.05)
    assert mean[2] == pytest.approx(8, rel=0.05)
    assert MemoryModel()._retention(3, 1) == inf


def test_seats_and_plays_forget_different_letters() -> None:
    """Otherwise all White Rabbits at a table would forget the same letter at the same time."""
    matches = [play_share(2, seed, 0.8) for seed in range(60)]
    memories = [[MemoryModel(3).recall(match.events, seat) for match in matches] for seat in (0, 1)]
    assert memories[0] != memories[1]
    shares = [
        len(known) / max(len(truth(match)), 1) for known, match in zip(memories[0], matches, strict=True)
    ]
    assert len(set(shares)) > 3


def test_memories_that_contradict_the_view_are_dropped(play: Any) -> None:
    match = play("1 redL", "2 blueE", "3 King")
    wrong = {1: Letter(*GAME.read("redC")), 5: Letter(*GAME.read("blueE"))}
    state = believed_state(match.view(1), wrong)
    assert not any(isinstance(lies, TurnedDown) for lies in state.spaces)
    assert isinstance(state.stage, Choosing)
    open_state = play("1 redL", "2 blueE", "3 King", memory="open").state
    assert believed_state(GAME.view(open_state, 0), {}) == open_state
