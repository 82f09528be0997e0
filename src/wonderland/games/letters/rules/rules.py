"""The rules of Letters: turns, legal actions and their effects. Numbers like L6 refer to `RULES.md`."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from wonderland.engine.errors import GameOver, IllegalAction, wrong_player_count
from wonderland.engine.language import phrase
from wonderland.engine.outcome import Result
from wonderland.engine.protocol import CHANCE, FACE_DOWN, Acting, Chance, Over, Step
from wonderland.games.letters.rules.components import CARDS, SPACES, WORD, Card, Colour, Letter, Menace
from wonderland.games.letters.rules.error_codes import ErrorCode
from wonderland.games.letters.rules.events import (
    CardChosen,
    CardTurned,
    Event,
    GameEnded,
    LetterRemoved,
    LettersPlayed,
    LettersTurnedDown,
    StartChosen,
)
from wonderland.games.letters.rules.notation import write
from wonderland.games.letters.rules.options import Options
from wonderland.games.letters.rules.state import (
    EMPTY,
    Action,
    Choosing,
    Ended,
    Ending,
    FaceUp,
    Space,
    Stage,
    Starting,
    StartWith,
    State,
    TurnCard,
    TurnedDown,
    Turning,
)

if TYPE_CHECKING:
    from collections.abc import Container

    from wonderland.engine.protocol import Actor, Seat, Turn

SEATS = range(2, 5)  # L3

# Frequently used values, created once.
_TURN = [TurnCard(space) for space in SPACES]
_LABELS = [f"space.{space + 1}" for space in SPACES]  # all draw from one pool, the cards never turned
_ACTING = [Acting((seat,)) for seat in range(SEATS[-1])]
_CHOOSING = [Choosing(seat) for seat in range(SEATS[-1])]
_TURNING = [[Turning(seat, space) for space in SPACES] for seat in range(SEATS[-1])]
_CHOSEN = [[CardChosen(seat, space) for space in SPACES] for seat in range(SEATS[-1])]
_FACE_UP = {card: FaceUp(card) for card in CARDS}
_EXPOSED = [[_FACE_UP[Letter(colour, place)] for place in range(len(WORD))] for colour in Colour]


def start(seats: int, options: Options) -> State:
    """Return the initial state, before the start player is drawn: a face-down card on each space."""
    if seats not in SEATS:
        raise wrong_player_count("Letters", SEATS, seats, "L3")
    face_down = (FACE_DOWN,) * len(SPACES)  # L2
    return State(Starting(), options.seated(seats), face_down, (0,) * seats, (), CARDS)


def turn(state: State) -> Turn[Action]:
    """Return whose decision is next: a seat's, chance's, or nobody's once the game is over."""
    match state.stage:
        case Choosing() as stage:
            return _ACTING[stage.seat]
        case Turning() as stage:
            space = stage.space
            return Chance(_possible_cards(state, space), _LABELS[space], stage.seat)
        case Starting():
            return Chance(tuple(StartWith(seat) for seat in range(len(state.rails))), "start")  # L4
        case Ended(result):
            return Over(result)
    assert_never(state.stage)


def _possible_cards(state: State, space: int) -> tuple[Card, ...]:
    """Return what a face-down card may be: any unseen card, or the letter that was turned down there."""
    content = state.spaces[space]
    return (content.card,) if isinstance(content, TurnedDown) else state.unseen


def legal(state: State, seat: Seat) -> tuple[Action, ...]:
    """Return this seat's legal actions: turn any face-down card (L5)."""
    stage = state.stage
    if isinstance(stage, Choosing) and stage.seat == seat:
        spaces = zip(_TURN, state.spaces, strict=True)  # `is_face_down`, inlined for speed
        return tuple(
            [turn for turn, content in spaces if content is FACE_DOWN or type(content) is TurnedDown]
        )
    return ()


def is_face_down(content: Space) -> bool:
    """Whether a space holds a card that can be turned (L5)."""
    return content is FACE_DOWN or isinstance(content, TurnedDown)


def apply(state: State, actor: Actor, action: Action) -> Step[State, Event]:
    """Apply a seat's action or a chance outcome; raise `IllegalAction` or `GameOver` if not allowed."""
    stage = state.stage
    if actor is CHANCE:
        return _apply_chance(state, action)
    if (
        isinstance(action, TurnCard)
        and isinstance(stage, Choosing)
        and stage.seat == actor
        and action.space in SPACES
        and is_face_down(state.spaces[action.space])
    ):
        return _choose(state, actor, action.space)
    raise _refusal(state, actor, action)


def _choose(state: State, seat: Seat, space: int) -> Step[State, Event]:
    turning, chosen = _TURNING[seat][space], _CHOSEN[seat][space]
    after = State(turning, state.options, state.spaces, state.rails, state.removed, state.unseen)
    return Step(after, (chosen,))


def _refusal(state: State, seat: Seat, action: Action) -> IllegalAction | GameOver:
    word = write(action)
    match state.stage, action:
        case Ended(), _:
            return GameOver(word)
        case Choosing(turn), TurnCard(space) if turn == seat:
            reason = phrase("there is no face-down card on space {space}.")
            return IllegalAction(word, reason, ErrorCode.NO_FACE_DOWN_CARD, space=space + 1)
        case Choosing(turn) | Turning(turn), _ if turn != seat:
            return IllegalAction(word, "it's {seat}'s turn.", ErrorCode.NOT_YOUR_TURN, seat=turn)
        case Choosing(), _:
            return IllegalAction(
                word, "{seat} must choose a card to turn.", ErrorCode.MUST_CHOOSE_CARD, seat=seat
            )
        case Turning(_, space), _:
            reason = phrase("the card on space {space} is being turned.")
            return IllegalAction(word, reason, ErrorCode.STILL_TURNING, space=space + 1)
        case _:
            return IllegalAction(
                word, "it isn't decided yet who goes first.", ErrorCode.START_NOT_DECIDED
            )


def _apply_chance(state: State, outcome: Action) -> Step[State, Event]:
    stage = state.stage
    if isinstance(outcome, (Letter, Menace)):
        if isinstance(stage, Turning):
            return _turn_up(state, stage, outcome)
    elif isinstance(stage, Starting) and isinstance(outcome, StartWith):
        return _begin(state, outcome)
    if isinstance(stage, Ended):
        raise GameOver(write(outcome))
    raise IllegalAction(
        write(outcome), "something else must happen first.", ErrorCode.SOMETHING_ELSE_FIRST
    )


def _begin(state: State, outcome: StartWith) -> Step[State, Event]:
    if outcome.seat not in range(len(state.rails)):
        raise IllegalAction(write(outcome), "nobody is in that seat.", ErrorCode.NO_SUCH_SEAT)
    choosing = _CHOOSING[outcome.seat]
    after = State(choosing, state.options, state.spaces, state.rails, (), state.unseen)
    return Step(after, (StartChosen(outcome.seat),))


def _turn_up(state: State, stage: Turning, card: Card) -> Step[State, Event]:
    """L5: turn the card up, apply its effect, play letters, and pass the turn."""
    options, seat, space = state.options, stage.seat, stage.space
    colours = options.colours
    table = _StateBuilder(state)
    table.turn_up(seat, space, card)  # L7, L8, L10: it stays there unless moved below
    if isinstance(card, Menace):
        for_all = card is Menace.DUCHESS and options.duchess  # L14
        table.turn_down(colours if for_all else (colours[seat],))  # L10
    elif card.colour not in colours:
        table.remove(space, card)  # L11
    table.play_exposed(seat)  # L6, L9
    if table.is_complete(seat):  # L12
        of_own = isinstance(card, Letter) and card.colour == colours[seat]
        return table.won_by(seat, Ending.TURNED if of_own else Ending.CLAIMED_AFTER)
    # L13: some card is still face down here. If this had been the last one, all of the player's letters
    # would have been face up and played, or a menace would have turned them down again.
    following = (seat + 1) % len(colours)  # L4
    if options.claim == "first":
        table.play_exposed(following)  # L9
        if table.is_complete(following):  # L12
            return table.won_by(following, Ending.CLAIMED_FIRST)
    return table.step(_CHOOSING[following])


class _StateBuilder:
    """Mutable state for applying the effects of a turned card, with the events so far."""

    __slots__ = ("events", "options", "rails", "removed", "spaces", "unseen")

    def __init__(self, state: State) -> None:
        self.options = state.options
        self.spaces = list(state.spaces)
        self.rails = state.rails
        self.removed = state.removed
        self.unseen = state.unseen
        self.events: list[Event] = []

    def turn_up(self, seat: Seat, space: int, card: Card) -> None:
        """L5: turn the card face up on its space; raise `IllegalAction` if it can't be there."""
        content = self.spaces[space]
        if isinstance(content, TurnedDown):
            if content.card != card:
                raise IllegalAction(
                    write(card), "another letter was turned face down there.", ErrorCode.DIFFERENT_LETTER
                )
        else:
            self.unseen = _mark_seen(self.unseen, card)
        self.spaces[space] = _FACE_UP[card]
        self.events.append(CardTurned(seat, space, card))

    def turn_down(self, colours: Container[Colour]) -> None:
        """L10, L14: turn all exposed letters of these colours face down again."""
        letters, spaces = [], []
        for space, content in enumerate(self.spaces):
            if (
                isinstance(content, FaceUp)
                and isinstance(content.card, Letter)
                and content.card.colour in colours
            ):
                letters.append(content.card)
                spaces.append(space)
                self.spaces[space] = TurnedDown(content.card)
        if letters:
            self.events.append(LettersTurnedDown(tuple(letters), tuple(spaces)))

    def remove(self, space: int, letter: Letter) -> None:
        """L11: remove a letter of an unused colour from the game."""
        self.spaces[space] = EMPTY
        self.removed = tuple(sorted((*self.removed, letter)))
        self.events.append(LetterRemoved(letter, space))

    def play_exposed(self, seat: Seat) -> None:
        """L6, L9: move the player's exposed letters to their rail while the next in order is there."""
        colour, placed = self.options.colours[seat], self.rails[seat]
        spaces = []
        for exposed in _EXPOSED[colour][placed:]:
            if exposed not in self.spaces:
                break
            space = self.spaces.index(exposed)
            self.spaces[space] = EMPTY
            spaces.append(space)
        if spaces:
            total = placed + len(spaces)
            self.rails = (*self.rails[:seat], total, *self.rails[seat + 1 :])
            letters = tuple(Letter(colour, place) for place in range(placed, total))
            self.events.append(LettersPlayed(seat, letters, tuple(spaces)))

    def is_complete(self, seat: Seat) -> bool:
        """Whether the player has all of A-L-I-C-E."""
        return self.rails[seat] == len(WORD)

    def won_by(self, seat: Seat, ending: Ending) -> Step[State, Event]:
        """L12: end the game at once."""
        result = result_of(self.rails, seat, ending)
        self.events.append(GameEnded(result))
        return self.step(Ended(result))

    def step(self, stage: Stage) -> Step[State, Event]:
        """Return the resulting state and events."""
        after = State(stage, self.options, tuple(self.spaces), self.rails, self.removed, self.unseen)
        return Step(after, tuple(self.events))


def _mark_seen(unseen: tuple[Card, ...], card: Card) -> tuple[Card, ...]:
    """Return `unseen` without this card, which has now been turned."""
    try:
        at = unseen.index(card)
    except ValueError:
        raise IllegalAction(
            write(card), "this card is somewhere else.", ErrorCode.CARD_ELSEWHERE
        ) from None
    return unseen[:at] + unseen[at + 1 :]


def result_of(rails: tuple[int, ...], winner: Seat, ending: Ending) -> Result:
    """Return the result: the winner completed A-L-I-C-E (L12), and scores are letters played."""
    return Result((winner,), rails, phrase("A-L-I-C-E complete"), ending.value)
