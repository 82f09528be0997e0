"""The match inside an OpenSpiel state: numbered actions, and the observed history of each seat."""

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
from wonderland.engine.protocol import CHANCE, FACE_DOWN, Acting, Chance, Over, Seat, Turn
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import component
from wonderland.engine.registry import game as named_game
from wonderland.engine.serialization import encoder_for

CHANCE_PLAYER, TERMINAL = -1, -4
"""OpenSpiel's ids for chance and the end, as in `pyspiel.PlayerId`."""


class _OutcomeNumbers(dict[Any, int]):
    """Cache of outcome numbers: chance turns have dozens of outcomes, and they recur."""

    def __init__(self, packing: Any) -> None:
        super().__init__()
        self.packing = packing

    def __missing__(self, outcome: Any) -> int:
        number: int = self.packing.number(outcome)
        self[outcome] = number
        return number


class OpenSpielSetup:
    """A game with its number of seats and options, shared by all matches."""

    def __init__(self, name: str, seats: int, options: Any) -> None:
        numbers = learning(name)
        if numbers is None:
            raise UsageError(f"{name} has no encoding for learning agents (encoding/learning.py).")
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
        self._outcome_numbers = _OutcomeNumbers(self._packing)
        self._initial_observations: dict[Seat, bytes] = {}
        self.start = OpenSpielPlay(self, Match(self.game, seats, options))

    @property
    def rows(self) -> tuple[int, int]:
        """Shape of the history tensor: maximum number of moves, and width of one move.

        A move is encoded as one-hot flags: the actor (each seat, starting with the observer, then
        chance), and the move's mark or "not seen".
        """
        bounds = self.bounds
        if bounds is None:
            return 0, 0
        return bounds.decisions + bounds.outcomes, self.seats + 1 + bounds.marks + 1

    def observed(self, match: AnyMatch, seat: Seat) -> bytes:
        """Encode a seat's current observation.

        For every tensor, OpenSpiel determines its size by observing a game that hasn't started, so
        that observation is cached.
        """
        if match.moves:
            return self.numbers.observe(match.view(seat))
        if seat not in self._initial_observations:
            self._initial_observations[seat] = self.numbers.observe(match.view(seat))
        return self._initial_observations[seat]

    def line(self, note: ObservedMove) -> str:
        """Text of an observed move: the actor, the action and the visible events."""
        who = "luck" if note.actor is CHANCE else f"seat {note.actor + 1}"
        what = "?" if note.action is FACE_DOWN else self.game.write(note.action)
        return f"{who}: {what} {self.write(note.events).decode()}"

    def ones(self, place: int, seat: Seat, note: ObservedMove, number: int) -> tuple[int, ...]:
        """Indices into the flattened history tensor that are 1 for an observed move."""
        if self.bounds is None or self.histories is None:
            return ()
        first = place * self.rows[1]
        who = self.seats if note.actor is CHANCE else (note.actor - seat) % self.seats
        hidden = note.action is FACE_DOWN
        mark = self.bounds.marks if hidden else self.histories.mark(number, note.action)
        return first + who, first + self.seats + 1 + mark

    def outcome_numbers(self, turn: Chance[Any]) -> list[int]:
        """Numbers of the chance outcomes: the kernel's, or their indices in a game without one."""
        if self._packing is None:
            return list(range(len(turn.outcomes)))
        return [self._outcome_numbers[outcome] for outcome in turn.outcomes]

    def outcome(self, play: OpenSpielPlay, turn: Chance[Any], number: int) -> Any:
        """The chance outcome with this number."""
        if self._packing is None:
            return turn.outcomes[number]
        return self._packing.action(number, play.match.state)


@cache
def setting(name: str, seats: int, options: Any) -> OpenSpielSetup:
    """Return the setup from a cache."""
    return OpenSpielSetup(name, seats, options)


class OpenSpielPlay:
    """A match that OpenSpiel can copy (cheaply, by forking) and pickle."""

    __slots__ = ("_histories", "_view", "match", "player", "setting", "turn")

    def __init__(self, setting: OpenSpielSetup, match: AnyMatch) -> None:
        self.setting, self.match = setting, match
        self._histories: dict[Seat | None, tuple[AppendOnlyList[str], AppendOnlyList[int]]] = {}
        self._update_player()

    def _update_player(self) -> None:
        """Update the player to act; simultaneous decisions are serialised."""
        self.turn: Turn[Any] = self.match.turn
        self._view: Any = None
        match self.turn:
            case Acting(seats):
                self.player = seats[0]
            case Chance():
                self.player = CHANCE_PLAYER
            case Over():
                self.player = TERMINAL

    def fork(self) -> OpenSpielPlay:
        """Return an independent copy."""
        other = OpenSpielPlay.__new__(OpenSpielPlay)
        other.setting, other.match = self.setting, self.match.fork()
        other.turn, other.player, other._view = self.turn, self.player, self._view  # noqa: SLF001 - alternative constructor
        other._histories = {who: (told.fork(), at.fork()) for who, (told, at) in self._histories.items()}  # noqa: SLF001 - the same
        return other

    def __deepcopy__(self, _: object) -> OpenSpielPlay:
        return self.fork()

    def __reduce__(self) -> tuple[Any, ...]:
        setting = self.setting
        moves = [
            (-1 if move.actor is CHANCE else move.actor, setting.game.write(move.action))
            for move in self.match.moves
        ]
        options = write_options(setting.game, setting.options)
        return resumed, (setting.name, setting.seats, options, tuple(moves))

    @property
    def view(self) -> Any:
        """View of the seat to act (cached)."""
        if self._view is None:
            self._view = self.match.view(self.player)
        return self._view

    def legal(self) -> list[int]:
        """Numbers of the legal actions of the seat to act, sorted."""
        number, view = self.setting.numbers.number, self.view
        return sorted([number(view, action) for action in self.match.legal(self.player)])

    def outcomes(self) -> list[tuple[int, float]]:
        """Numbers of the chance outcomes with their probabilities, sorted."""
        turn = self.turn
        assert isinstance(turn, Chance)  # noqa: S101 - OpenSpiel calls it only at chance nodes
        numbers, total = self.setting.outcome_numbers(turn), turn.total
        probabilities = [weight / total for weight in turn.weights] or [1 / total] * len(numbers)
        return sorted(zip(numbers, probabilities, strict=True))

    def meaning(self, number: int) -> Any:
        """The action or chance outcome with this number."""
        turn = self.turn
        if isinstance(turn, Chance):
            return self.setting.outcome(self, turn, number)
        return self.setting.numbers.action(self.view, number)

    def number(self, action: Any) -> int:
        """The number of a currently possible action or chance outcome."""
        turn = self.turn
        if isinstance(turn, Chance):
            return self.setting.outcome_numbers(turn)[turn.outcomes.index(action)]
        return self.setting.numbers.number(self.view, action)

    def apply(self, number: int) -> None:
        """Apply the action or outcome with this number; the rules reject illegal ones."""
        actor = CHANCE if self.player == CHANCE_PLAYER else self.player
        self.match.apply(actor, self.meaning(number))
        self._update_player()

    def returns(self) -> list[float]:
        """Return of each seat; zeros until the game is over."""
        if isinstance(self.turn, Over):
            return list(rewards(self.turn.result.winners, self.setting.seats))
        return [0.0] * self.setting.seats

    def told(
        self, seat: Seat | None, numbers: Sequence[int]
    ) -> tuple[AppendOnlyList[str], AppendOnlyList[int]]:
        """Observed history of a seat: one line per move, and the indices of ones in the history tensor.

        `numbers` are the action numbers of all moves so far. Results are cached and extended.
        """
        lines, ones = self._histories.setdefault(seat, (AppendOnlyList(), AppendOnlyList()))
        setting, first = self.setting, len(lines)
        for place, note in enumerate(observed_history(self.match, seat, first), start=first):
            lines.append(setting.line(note))
            ones.extend(setting.ones(place, seat or 0, note, numbers[place]))
        return lines, ones


def resumed(
    name: str, seats: int, options: dict[str, str], moves: Sequence[tuple[int, str]]
) -> OpenSpielPlay:
    """Unpickle a play."""
    game = named_game(name)
    play = setting(name, seats, read_options(game, options)).start.fork()
    for actor, word in moves:
        play.match.apply(CHANCE if actor == CHANCE_PLAYER else actor, game.read(word))
    play._update_player()  # noqa: SLF001 - alternative constructor
    return play
