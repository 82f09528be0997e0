"""How well a bot remembers: which of the letters that lie face down again it still knows.

A letter that was turned down is known perfectly for a moment, and then forgotten sooner or later: how
many turns it is kept in mind has an exponential distribution, as forgetting has. Its mean is `turns`,
times how often the letter has been turned so far: what was seen again lasts longer. What was forgotten
stays so until it is seen once more.

How long each letter will be kept follows from what has happened up to the moment it was turned down, and
from the seat: not from a generator that moves on. So a bot that is asked twice, or after a play has been
resumed, remembers the same; in another play it forgets other things.
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
    """How long a letter that was seen once is remembered, on average; for ever without `turns`."""

    turns: float = inf

    def recall(self, witnessed: Sequence[Event], seat: Seat) -> dict[int, Letter]:
        """The letters that lie face down again, as far as they are remembered, by their spaces."""
        known: dict[int, tuple[Letter, float]] = {}
        turned: Counter[Letter] = Counter()
        now, story = 0, _hash(seat)
        for event in witnessed:
            if isinstance(event, CardTurned):
                now += 1
                story = _hash(story ^ (32 * event.space + _NUMBERS[event.card]))
                known.pop(event.space, None)
                if isinstance(event.card, Letter):
                    turned[event.card] += 1
            elif isinstance(event, LettersTurnedDown):
                for letter, space in zip(event.letters, event.spaces, strict=True):
                    until = now + self._kept(_hash(story ^ (1 << 32 + space)), turned[letter])
                    known[space] = (letter, until)
        return {space: letter for space, (letter, until) in known.items() if now <= until}

    def _kept(self, luck: int, times: int) -> float:
        """For how many turns a letter is remembered that has been turned so many times."""
        return inf if self.turns == inf else -log((luck + 1) / 2**64) * self.turns * times


def _hash(number: int) -> int:
    """A number that looks random, but is always the same for the same number."""
    return splitmix64(advance(number))


def believed_state(view: View, recalled: Mapping[int, Letter]) -> State:
    """The state as someone takes it to be who sees this view and recalls these letters.

    What is not recalled is taken for a card that was never turned. What the view contradicts is not
    believed.
    """
    seen = set(in_sight(view.options, view.spaces, view.rails, view.removed))
    spaces: list[Space] = list(view.spaces)
    for space, letter in recalled.items():
        if spaces[space] is FACE_DOWN and letter not in seen:
            spaces[space] = TurnedDown(letter)
            seen.add(letter)
    unseen = tuple(card for card in CARDS if card not in seen)
    return State(view.stage, view.options, tuple(spaces), view.rails, view.removed, unseen)
