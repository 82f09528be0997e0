"""What one seat, or a spectator, may know of a play of Cookies, and the states it could be."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, assert_never

from wonderland.engine.protocol import FACE_DOWN, Seat
from wonderland.engine.values import Value
from wonderland.games.cookies.rules.components import Card
from wonderland.games.cookies.rules.events import (
    CardDealt,
    CardDrawn,
    CardPlayed,
    ClimbedOut,
    CookieTaken,
    CookieTurnedUp,
    Event,
    FellIntoHole,
    GameEnded,
    PawnGrew,
    PawnMoved,
    PawnShrank,
    SentOn,
    SmallCookiesTaken,
    SpinMade,
    StartChosen,
    StayedInHole,
)
from wonderland.games.cookies.rules.options import Options
from wonderland.games.cookies.rules.state import Hand, Larder, PlayCard, Stage, State, cards_played

if TYPE_CHECKING:
    import random


class View(Value, frozen=True):
    """The table as one seat sees it; `seat` is `None` for a spectator, and when all is laid open.

    All but the hands and the order of the piles and of the stack lies open.
    """

    seat: Seat | None
    options: Options
    stage: Stage
    hands: tuple[Hand, ...]
    unseen: tuple[tuple[Card, ...], ...]
    """For each seat the cards that this view can't place: in its pile, or face down in its hand."""
    pawns: tuple[int, ...]
    large: Seat | None
    stuck: tuple[bool, ...]
    larder: Larder
    """What the stack holds follows from the cookies that were seen; its order does not."""
    spinner: int | None
    last: PlayCard | None

    @property
    def played(self) -> tuple[tuple[Card, ...], ...]:
        """What each seat has played, sorted."""
        return tuple(map(cards_played, self.hands, self.unseen))

    def in_hole(self, seat: Seat) -> bool:
        """Whether this seat's pawn is down the Rabbit Hole (C17)."""
        return self.large != seat and self.options.board.is_hole(self.pawns[seat])


def view(state: State, seat: Seat | None) -> View:
    """What this seat may know: its own hand, every hand if they lie open (C20), and all else."""
    hands, unseen = list(state.hands), list(state.unseen)
    if state.options.hands == "hidden":
        for owner, hand in enumerate(state.hands):
            if owner != seat:
                hands[owner] = (FACE_DOWN,) * len(hand)
                unseen[owner] = tuple(sorted((*unseen[owner], *_known(hand))))
    return _shown(state, seat, tuple(hands), tuple(unseen))


def reveal(state: State) -> View:
    """Everything laid open."""
    return _shown(state, None, state.hands, state.unseen)


def _shown(
    state: State, seat: Seat | None, hands: tuple[Hand, ...], unseen: tuple[tuple[Card, ...], ...]
) -> View:
    return View(
        seat,
        state.options,
        state.stage,
        hands,
        unseen,
        state.pawns,
        state.large,
        state.stuck,
        state.larder,
        state.spinner,
        state.last,
    )


def _known(hand: Hand) -> list[Card]:
    return [card for card in hand if card is not FACE_DOWN]


def witness(event: Event, seat: Seat | None) -> Event:
    """The event as this seat saw it: what others draw is seen from behind, unless hands lie open."""
    match event:
        case CardDealt(owner, _, shown):
            return event if shown or owner == seat else CardDealt(owner, FACE_DOWN, shown)
        case CardDrawn(owner, _, shown):
            return event if shown or owner == seat else CardDrawn(owner, FACE_DOWN, shown)
        case (
            StartChosen()
            | CardPlayed()
            | PawnMoved()
            | SentOn()
            | CookieTaken()
            | CookieTurnedUp()
            | SpinMade()
            | SmallCookiesTaken()
            | PawnGrew()
            | PawnShrank()
            | FellIntoHole()
            | ClimbedOut()
            | StayedInHole()
            | GameEnded()
        ):
            return event
    assert_never(event)


def observed_state(view: View) -> State:
    """The state as someone with this view would note it down, with cards that are face down."""
    return _state(view, view.hands, view.unseen)


def imagine(view: View, rng: random.Random) -> State:
    """A full state that this view could come from, each as likely as any other."""
    hands, unseen = list(view.hands), list(view.unseen)
    for owner, hand in enumerate(view.hands):
        if FACE_DOWN in hand:
            cards = list(unseen[owner])
            rng.shuffle(cards)
            hands[owner] = tuple([cards.pop() if card is FACE_DOWN else card for card in hand])
            unseen[owner] = tuple(sorted(cards))
    return _state(view, tuple(hands), tuple(unseen))


def _state(view: View, hands: tuple[Hand, ...], unseen: tuple[tuple[Card, ...], ...]) -> State:
    return State(
        view.options,
        view.stage,
        hands,
        unseen,
        view.pawns,
        view.large,
        view.stuck,
        view.larder,
        view.spinner,
        view.last,
    )


def pieces(state: State) -> Counter[str]:
    """Every card, cookie and pawn in play with how often it is there."""
    count: Counter[str] = Counter()
    for seat, (hand, unseen) in enumerate(zip(state.hands, state.unseen, strict=True)):
        cards = (*_known(hand), *unseen, *cards_played(hand, unseen))
        count.update(f"{card.mark} of seat {seat + 1}" for card in cards)
    larder = state.larder
    large = [cookie for cookies in (larder.stack, *larder.large) for cookie in cookies]
    if larder.face_up is not None:
        large.append(larder.face_up)
    count.update(f"cookie {cookie}" for cookie in large)
    count["small cookies"] = sum(larder.small) + larder.small_left
    count["pawns"] = len(state.pawns)
    return count
