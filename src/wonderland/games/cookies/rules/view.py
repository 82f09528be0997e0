"""Views of Cookies: what a seat or a spectator may know, and sampled states consistent with it."""

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
    """The table as one seat sees it; `seat` is `None` for a spectator or a full reveal.

    Everything is public except the hands and the order of the piles and the stack.
    """

    seat: Seat | None
    options: Options
    stage: Stage
    hands: tuple[Hand, ...]
    unseen: tuple[tuple[Card, ...], ...]
    """For each seat, the cards whose place is unknown to this view: in the pile or face down in hand."""
    pawns: tuple[int, ...]
    large: Seat | None
    stuck: tuple[bool, ...]
    larder: Larder
    """The contents of the stack follow from the cookies seen so far; its order doesn't."""
    spinner: int | None
    last: PlayCard | None

    @property
    def played(self) -> tuple[tuple[Card, ...], ...]:
        """Cards each seat has played, sorted."""
        return tuple(map(cards_played, self.hands, self.unseen))

    def in_hole(self, seat: Seat) -> bool:
        """Whether this seat's pawn is down a Rabbit Hole (C17)."""
        return self.large != seat and self.options.board.is_hole(self.pawns[seat])


def view(state: State, seat: Seat | None) -> View:
    """Return what this seat may know: its own hand, all hands if open (C20), and everything public."""
    hands, unseen = list(state.hands), list(state.unseen)
    if state.options.hands == "hidden":
        for owner, hand in enumerate(state.hands):
            if owner != seat:
                hands[owner] = (FACE_DOWN,) * len(hand)
                unseen[owner] = tuple(sorted((*unseen[owner], *_known_cards(hand))))
    return _make_view(state, seat, tuple(hands), tuple(unseen))


def reveal(state: State) -> View:
    """Return a view of everything, including all hands."""
    return _make_view(state, None, state.hands, state.unseen)


def _make_view(
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


def _known_cards(hand: Hand) -> list[Card]:
    return [card for card in hand if card is not FACE_DOWN]


def witness(event: Event, seat: Seat | None) -> Event:
    """Return the event as this seat saw it: others' draws are face down unless hands are open."""
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
    """Return the state as an observer with this view knows it, with unknown cards face down."""
    return _make_state(view, view.hands, view.unseen)


def sample_state(view: View, rng: random.Random) -> State:
    """Sample a determinization: a full state consistent with this view, all equally likely."""
    hands, unseen = list(view.hands), list(view.unseen)
    for owner, hand in enumerate(view.hands):
        if FACE_DOWN in hand:
            cards = list(unseen[owner])
            rng.shuffle(cards)
            hands[owner] = tuple([cards.pop() if card is FACE_DOWN else card for card in hand])
            unseen[owner] = tuple(sorted(cards))
    return _make_state(view, tuple(hands), tuple(unseen))


def _make_state(view: View, hands: tuple[Hand, ...], unseen: tuple[tuple[Card, ...], ...]) -> State:
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
    """Count every card, cookie and pawn in play."""
    count: Counter[str] = Counter()
    for seat, (hand, unseen) in enumerate(zip(state.hands, state.unseen, strict=True)):
        cards = (*_known_cards(hand), *unseen, *cards_played(hand, unseen))
        count.update(f"{card.mark} of seat {seat + 1}" for card in cards)
    larder = state.larder
    large = [cookie for cookies in (larder.stack, *larder.large) for cookie in cookies]
    if larder.face_up is not None:
        large.append(larder.face_up)
    count.update(f"cookie {cookie}" for cookie in large)
    count["small cookies"] = sum(larder.small) + larder.small_left
    count["pawns"] = len(state.pawns)
    return count
