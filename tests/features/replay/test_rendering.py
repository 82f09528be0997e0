"""Rendering of whole replays, from every viewpoint and in other languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from support.html import HtmlChecker
from support.replays import COOKIES, FILES, IDS, LETTERS, NOTED, PARADE, replay_in, viewpoints_of
from wonderland.engine.language import ENGLISH
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import CHANCE, FACE_DOWN
from wonderland.engine.record_reader import read_record
from wonderland.features.replay.rendering import OPEN, WATCHING, ReplayPage
from wonderland.games.parade.rules.state import Ended
from wonderland.web.languages import negotiate_language
from wonderland.web.rendering import render_scene

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_whole_game_is_rendered(path: Path) -> None:
    """Positions from one viewpoint each; games with unknown cards from every viewpoint and open."""
    replay = replay_in(path)
    everyone = viewpoints_of(replay)
    decisions = sum(move.actor is not CHANCE for move in replay.record.moves)
    assert replay.last == decisions
    for moment in range(0, replay.last + 1, 1 if path in NOTED else 5):
        for eyes in {everyone[moment % len(everyone)], OPEN if path in NOTED else WATCHING}:
            page = replay.page(moment, eyes, ENGLISH, log=False)
            assert HtmlChecker("".join(page.html.values())).wrong == []
            to_act = map(str, replay.to_act(moment))
            assert "data-play" not in page.html["scene"] or eyes in to_act
            assert page.moves == moment
    end = replay.page(replay.last, OPEN, ENGLISH, log=True)
    result = replay.record.result
    assert result is not None
    assert result.sentence(replay.names(ENGLISH)) in re.sub(r"&#39;", "'", end.html["status"])


@pytest.mark.parametrize("path", [PARADE, LETTERS, COOKIES], ids=["parade", "letters", "cookies"])
def test_a_seat_sees_what_it_saw_at_the_table(path: Path) -> None:
    replay = replay_in(path)
    rules = replay.game
    for moment in range(0, replay.last + 1, 4):
        match = replay.moments.match_at(moment)
        before = len(replay.moments.match_at(moment - 1).events) if moment else 0
        for eyes, seat in ((WATCHING, None), ("0", 0), ("1", 1)):
            last = [rules.witness(event, seat) for event in match.events[before:]]
            legal = match.legal(seat) if seat in seats_to_act(match.turn) else ()
            seen = render_scene(rules, match.view(seat), replay.setting(legal, last, ENGLISH))
            assert replay.parts(moment, eyes, ENGLISH)["scene"] == seen


def hands(scene: str) -> set[str]:
    """Return the open cards in hands of Parade."""
    rows = re.findall(r'class="open-hand".*?</ul>', scene, re.DOTALL)
    return set(re.findall(r'data-piece="(\w+)"', "".join(rows)))


@pytest.mark.parametrize("path", [PARADE, *(path for path in NOTED if path.parent == PARADE.parent)])
def test_the_open_viewpoint_shows_every_known_hand(path: Path) -> None:
    replay = replay_in(path)
    seen = hidden = 0
    for moment in range(replay.last):
        state = replay.moments.match_at(moment).state
        known = {str(card) for hand in state.hands for card in hand if card is not FACE_DOWN}
        unknown = any(FACE_DOWN in hand for hand in state.hands)
        scene = str(replay.parts(moment, OPEN, ENGLISH)["scene"])
        assert hands(scene) == known
        assert ('class="held"' in scene) == unknown
        assert not hands(str(replay.parts(moment, WATCHING, ENGLISH)["scene"]))
        seen, hidden = seen + len(known), hidden + unknown
    assert seen
    assert bool(hidden) == (path != PARADE)
    end = replay.moments.match_at(replay.last).state
    assert isinstance(end.stage, Ended)
    assert not hands(str(replay.parts(replay.last, OPEN, ENGLISH)["scene"])), "they are discarded then"


def test_the_open_viewpoint_remembers_turned_cards() -> None:
    replay = replay_in(LETTERS)
    notes = [
        (str(replay.parts(n, eyes, ENGLISH)["scene"]).count('class="note'), eyes)
        for n in range(replay.last)
        for eyes in (OPEN, "0")
    ]
    assert max(number for number, eyes in notes if eyes == OPEN) > 1
    assert not any(number for number, eyes in notes if eyes == "0"), "at the table it is for memory"


def test_log_lines_link_to_their_position() -> None:
    replay = replay_in(COOKIES)
    lines = re.findall(r'<li data-look="(\d+)">([^<]*)</li>', str(replay.log(OPEN, ENGLISH)))
    assert len(lines) > 50
    for moment, text in lines[:: len(lines) // 12]:
        parts = replay.parts(int(moment), OPEN, ENGLISH)
        assert text in parts["news"] + parts["status"]


def test_a_partial_record_is_replayed_to_where_it_ends() -> None:
    moves = "Alice: +R10 +B5 +G3 +Y0 +P7\nHatter: +? +? +? +? +?\nParade: +R1 +B0 +G9 +O4 +P2 +Y8\n"
    head = "Game: parade\nRules: 1\nSeats: Alice, Hatter\n\nStart: seat2\n"
    whole = ReplayPage(read_record(f"{head}{moves}Hatter: B7 +?\n").whole)
    assert (whole.last, whole.is_over) == (1, False)
    assert "Alice to move" in whole.parts(1, OPEN, ENGLISH)["status"]
    dealing = ReplayPage(read_record(head + "Alice: +R10\n").whole)
    assert "The record ends here." in dealing.parts(0, OPEN, ENGLISH)["status"]
    assert dealing.to_act(0) == ()


@pytest.mark.parametrize("path", [PARADE, LETTERS, COOKIES], ids=["parade", "letters", "cookies"])
def test_bots_have_translated_names_and_people_their_own(path: Path) -> None:
    german = negotiate_language("de")
    walrus = german("Walrus")
    assert walrus != "Walrus"
    names = ("Lily", "Walrus · medium", "Dormouse", "Bill")
    record = replay_in(path).record
    replay = ReplayPage(replace(record, names=names[: len(record.names)]))
    assert replay.names(german)[:2] == ["Lily", walrus]
    assert replay.names(ENGLISH)[:2] == ["Lily", "Walrus"]
    assert replay.portraits[1] == "walrus"
    page = replay.page(replay.last, OPEN, german, log=True)
    assert walrus in page.html["scene"]
    assert walrus in page.html["log"]
    assert german("medium") in page.html["scene"], "the level stays visible"
    assert walrus in page.title
    names_only = page.html["log"] + page.html["status"] + page.title
    assert "Walrus" not in names_only.replace(walrus, "")
    assert "medium" not in names_only
