"""One play inside a state of OpenSpiel: a match, in numbers, with what each seat has witnessed of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from wonderland.components.information_sets import ObservedMove, histories, observed_history
from wonderland.components.learning import Learning, learning, rewards
from wonderland.engine.append_only import AppendOnlyList
from wonderland.engine.errors import UsageError
from wonderland.engine.match import Match
from wonderland.engine.options import read_options, write_options
from wonderland.engine.protocol import FACE_DOWN, LUCK, Acting, Chance, Over, Seat, Turn
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import component
from wonderland.engine.registry import game as named_game
from wonderland.engine.serialization import encoder_for

CHANCE, TERMINAL = -1, -4
"""What OpenSpiel calls the players that are none: `pyspiel.PlayerId`."""


class _Numbers(dict[Any, int]):
    """The numbers of outcomes, each asked for once: luck has dozens at every turn."""

    def __init__(self, packing: Any) -> None:
        super().__init__()
        self.packing = packing

    def __missing__(self, outcome: Any) -> int:
        number: int = self.packing.number(outcome)
        self[outcome] = number
        return number


class OpenSpielSetup:
    """A game with its number of seats and its options: what all plays of it have in common."""

    def __init__(self, name: str, seats: int, options: Any) -> None:
        numbers = learning(name)
        if numbers is None:
            raise UsageError(f"{name} offers nothing to learning agents: it has no learning.py.")
        self.game = named_game(name)
        self.name, self.seats, self.options = name, seats, options
        self.numbers: Learning = numbers
        self.names = numbers.action_names(seats, options)
        self.features = numbers.features(seats, options)
        self.histories = histories(name)
        self.bounds = self.histories.bounds(seats, options) if self.histories else None
        self.is_open = self.histories is not None and self.histories.is_open(options)
        self.write = encoder_for(name)
        self._packing: Any = component(name, "encoding.packing")
        self._numbers = _Numbers(self._packing)
        self._first: dict[Seat, bytes] = {}
        self.start = OpenSpielPlay(self, Match(self.game, seats, options))

    @property
    def rows(self) -> tuple[int, int]:
        """How many moves a play has at most, and how many numbers tell one of them.

        Those are a flag for each seat, oneself first, and for luck; one for each mark that a move can
        have; and one for a move that was not seen.
        """
        bounds = self.bounds
        if bounds is None:
            return 0, 0
        return bounds.decisions + bounds.outcomes, self.seats + 1 + bounds.marks + 1

    def observed(self, match: AnyMatch, seat: Seat) -> bytes:
        """What a seat observes now.

        Each time that a tensor is asked for, OpenSpiel finds out how large it is, by having a play
        observed that has not begun: so that is kept.
        """
        if match.moves:
            return self.numbers.observe(match.view(seat))
        if seat not in self._first:
            self._first[seat] = self.numbers.observe(match.view(seat))
        return self._first[seat]

    def line(self, note: ObservedMove) -> str:
        """A move as a seat noted it: who did what, and what was seen of it."""
        who = "luck" if note.actor is LUCK else f"seat {note.actor + 1}"
        what = "?" if note.action is FACE_DOWN else self.game.write(note.action)
        return f"{who}: {what} {self.write(note.events).decode()}"

    def ones(self, place: int, seat: Seat, note: ObservedMove, number: int) -> tuple[int, ...]:
        """Which numbers of all rows are 1 for a move that a seat noted."""
        if self.bounds is None or self.histories is None:
            return ()
        first = place * self.rows[1]
        who = self.seats if note.actor is LUCK else (note.actor - seat) % self.seats
        hidden = note.action is FACE_DOWN
        mark = self.bounds.marks if hidden else self.histories.mark(number, note.action)
        return first + who, first + self.seats + 1 + mark

    def outcome_numbers(self, turn: Chance[Any]) -> list[int]:
        """The numbers of what luck may decide: the kernel's, or their places, in a game without one."""
        if self._packing is None:
            return list(range(len(turn.outcomes)))
        return [self._numbers[outcome] for outcome in turn.outcomes]

    def outcome(self, play: OpenSpielPlay, turn: Chance[Any], number: int) -> Any:
        """The outcome that a number stands for."""
        if self._packing is None:
            return turn.outcomes[number]
        return self._packing.action(number, play.match.state)


@cache
def setting(name: str, seats: int, options: Any) -> OpenSpielSetup:
    """The same, made once."""
    return OpenSpielSetup(name, seats, options)


class OpenSpielPlay:
    """A match that OpenSpiel can copy (which is cheap here) and pickle."""

    __slots__ = ("_told", "_view", "match", "player", "setting", "turn")

    def __init__(self, setting: OpenSpielSetup, match: AnyMatch) -> None:
        self.setting, self.match = setting, match
        self._told: dict[Seat | None, tuple[AppendOnlyList[str], AppendOnlyList[int]]] = {}
        self._look()

    def _look(self) -> None:
        """See whose turn it is: several may choose at once, and do so here one after the other."""
        self.turn: Turn[Any] = self.match.turn
        self._view: Any = None
        match self.turn:
            case Acting(seats):
                self.player = seats[0]
            case Chance():
                self.player = CHANCE
            case Over():
                self.player = TERMINAL

    def fork(self) -> OpenSpielPlay:
        """The same play, to go on by itself."""
        other = OpenSpielPlay.__new__(OpenSpielPlay)
        other.setting, other.match = self.setting, self.match.fork()
        other.turn, other.player, other._view = self.turn, self.player, self._view  # noqa: SLF001 - a second constructor
        other._told = {who: (told.fork(), at.fork()) for who, (told, at) in self._told.items()}  # noqa: SLF001 - the same
        return other

    def __deepcopy__(self, _: object) -> OpenSpielPlay:
        return self.fork()

    def __reduce__(self) -> tuple[Any, ...]:
        setting = self.setting
        moves = [
            (-1 if move.actor is LUCK else move.actor, setting.game.write(move.action))
            for move in self.match.moves
        ]
        options = write_options(setting.game, setting.options)
        return resumed, (setting.name, setting.seats, options, tuple(moves))

    @property
    def view(self) -> Any:
        """What the seat whose turn it is may know."""
        if self._view is None:
            self._view = self.match.view(self.player)
        return self._view

    def legal(self) -> list[int]:
        """The numbers of what the seat whose turn it is may do, in order."""
        number, view = self.setting.numbers.number, self.view
        return sorted([number(view, action) for action in self.match.legal(self.player)])

    def outcomes(self) -> list[tuple[int, float]]:
        """The numbers of what luck may decide, in order, and how likely each of them is."""
        turn = self.turn
        assert isinstance(turn, Chance)  # noqa: S101 - OpenSpiel asks nowhere else
        numbers, total = self.setting.outcome_numbers(turn), turn.total
        likely = [weight / total for weight in turn.weights] or [1 / total] * len(numbers)
        return sorted(zip(numbers, likely, strict=True))

    def meaning(self, number: int) -> Any:
        """The action or outcome that a number stands for now."""
        turn = self.turn
        if isinstance(turn, Chance):
            return self.setting.outcome(self, turn, number)
        return self.setting.numbers.action(self.view, number)

    def number(self, action: Any) -> int:
        """The number of an action or outcome that is possible now."""
        turn = self.turn
        if isinstance(turn, Chance):
            return self.setting.outcome_numbers(turn)[turn.outcomes.index(action)]
        return self.setting.numbers.number(self.view, action)

    def apply(self, number: int) -> None:
        """Carry out what a number stands for; the rules refuse what is not allowed."""
        actor = LUCK if self.player == CHANCE else self.player
        self.match.note(actor, self.meaning(number))
        self._look()

    def returns(self) -> list[float]:
        """What the play was worth to each seat, if it is over."""
        if isinstance(self.turn, Over):
            return list(rewards(self.turn.result.winners, self.setting.seats))
        return [0.0] * self.setting.seats

    def told(
        self, seat: Seat | None, numbers: Sequence[int]
    ) -> tuple[AppendOnlyList[str], AppendOnlyList[int]]:
        """All that a seat has done and witnessed: a line for each move, and where its row has ones.

        `numbers` are those of all moves so far.
        """
        lines, ones = self._told.setdefault(seat, (AppendOnlyList(), AppendOnlyList()))
        setting, first = self.setting, len(lines)
        for place, note in enumerate(observed_history(self.match, seat, first), start=first):
            lines.append(setting.line(note))
            ones.extend(setting.ones(place, seat or 0, note, numbers[place]))
        return lines, ones


def resumed(
    name: str, seats: int, options: dict[str, str], moves: Sequence[tuple[int, str]]
) -> OpenSpielPlay:
    """The play that was pickled."""
    game = named_game(name)
    play = setting(name, seats, read_options(game, options)).start.fork()
    for actor, word in moves:
        play.match.note(LUCK if actor == CHANCE else actor, game.read(word))
    play._look()  # noqa: SLF001 - a third constructor
    return play
