"""Memory model of the bots: which of the letters that were turned down again they still know.

A letter that was turned down is remembered for an exponentially distributed number of turns. The mean is
`turns` times the number of times the letter has been turned so far, because repetition helps. Once
forgotten, a letter stays forgotten until it is seen again.

The time is derived by hashing the seat and the events up to the moment the letter was turned down, not
from a stateful generator. So a bot remembers the same if it is asked twice or after a game is resumed,
and different things in another game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf, log

from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.engine.values import Value
from wonderland.games.letters.rules.components import CARDS, Letter
from wonderland.games.letters.rules.events import CardTurned, Event, LettersTurnedDown
from wonderland.games.letters.rules.state import Space, State, TurnedDown
from wonderland.games.letters.rules.view import View, in_sight
from wonderland.kernels.rng import advance, splitmix64

_NUMBERS = {card: number for number, card in enumerate(CARDS)}


class MemoryModel(Value, frozen=True):
    """How long a bot remembers letters."""

    turns: float = inf
    """Mean number of turns for which a letter seen once is remembered."""

    def recall(self, witnessed: Sequence[Event], seat: Seat) -> dict[int, Letter]:
        """Return the turned-down letters that this seat still remembers, by space."""
        known: dict[int, tuple[Letter, float]] = {}
        turned: Counter[Letter] = Counter()
        now, history = 0, _hash(seat)
        for event in witnessed:
            if isinstance(event, CardTurned):
                now += 1
                history = _hash(history ^ (32 * event.space + _NUMBERS[event.card]))
                known.pop(event.space, None)
                if isinstance(event.card, Letter):
                    turned[event.card] += 1
            elif isinstance(event, LettersTurnedDown):
                for letter, space in zip(event.letters, event.spaces, strict=True):
                    until = now + self._retention(_hash(history ^ (1 << 32 + space)), turned[letter])
                    known[space] = (letter, until)
        return {space: letter for space, (letter, until) in known.items() if now <= until}

    def _retention(self, random_bits: int, times: int) -> float:
        """Return the number of turns for which a letter that was turned `times` times is remembered."""
        return inf if self.turns == inf else -log((random_bits + 1) / 2**64) * self.turns * times


def _hash(number: int) -> int:
    """Hash a number to 64 pseudo-random bits."""
    return splitmix64(advance(number))


def believed_state(view: View, recalled: Mapping[int, Letter]) -> State:
    """Return the state as believed by a player who sees this view and recalls these letters.

    Cards that are not recalled are treated as never turned. Recalled letters that the view contradicts
    are ignored.
    """
    seen = set(in_sight(view.options, view.spaces, view.rails, view.removed))
    spaces: list[Space] = list(view.spaces)
    for space, letter in recalled.items():
        if spaces[space] is FACE_DOWN and letter not in seen:
            spaces[space] = TurnedDown(letter)
            seen.add(letter)
    unseen = tuple(card for card in CARDS if card not in seen)
    return State(view.stage, view.options, tuple(spaces), view.rails, view.removed, unseen)
