"""Verifies that a recorded game was shuffled fairly, with nothing but the standard library.

It follows the specification in docs/fairness.md; numbers like §6 refer to its sections.
It shares no code with Wonderland, so that you can check the one against the other, or rewrite it in
another language.

    python examples/verify_shuffle.py tonight.record
"""

import hashlib
import hmac
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CONTRIBUTION = "(?:-|(?:[0-9a-f]{2}){16,32})"
STATEMENT = re.compile(
    r"hmac-1 table=(?P<table>[A-Za-z0-9_-]{1,64}) commitment=(?P<commitment>[0-9a-f]{64}) "
    rf"secret=(?P<secret>[0-9a-f]{{64}}) seats=(?P<seats>{CONTRIBUTION}(?:,{CONTRIBUTION})*)"
    r"(?: begun=(?P<begun>[1-9][0-9]*))?"
)
OUTCOMES = {
    "parade": re.compile(r"seat\d|\+.*"),
    "letters": re.compile(r"seat\d|[A-Za-z]+"),
    "cookies": re.compile(r"seat\d|\+.*|cookie\d|spin\d+"),
}
"""What the words of random outcomes look like, in each game (§1)."""


class Unfair(Exception):  # noqa: N818 - named after the verdict
    """The record does not follow from its secret, or can't be checked."""


class Move(NamedTuple):
    """An outcome, whose actor is `-`, or the action of a seat, whose actor is its number."""

    actor: str
    word: str


class Draw(NamedTuple):
    """A draw: its stream, and the possible outcomes in order, with their weights."""

    stream: str
    weights: dict[str, int]


class Record:
    """A record as far as it matters here (§1)."""

    def __init__(self, text: str) -> None:
        header, _, body = text.partition("\n\n")
        fields = [line.partition(": ")[::2] for line in header.split("\n")]
        known = dict(fields)
        if "Given" in known:
            raise Unfair("some outcomes were prepared")
        if not {"Game", "Seats", "Luck"} <= set(known) or known["Game"] not in OUTCOMES:
            raise Unfair("there is no Game, Seats or Luck line, or the game is unknown")
        self.game, self.statement = known["Game"], known["Luck"]
        self.names = [name.casefold() for name in known["Seats"].split(", ")]
        self.options = dict(option.split("=", 1) for option in known.get("Options", "").split())
        self.moves = list(self._read_body(body))
        self.undone = [self._read_undone(value) for key, value in fields if key == "Undone"]

    def _read_body(self, body: str) -> Iterator[Move]:
        for line in body.split("\n"):
            heading, _, words = line.partition("#")[0].partition(":")
            for word in words.split():
                if OUTCOMES[self.game].fullmatch(word):
                    yield Move("-", word)
                else:
                    yield Move(str(self.names.index(heading.strip().casefold()) + 1), word)

    @staticmethod
    def _read_undone(value: str) -> tuple[int, list[Move]]:
        kept, *words = value.split()
        return int(kept), [Move(*pair) for pair in zip(words[::2], words[1::2], strict=True)]

    def lines_of_play(self) -> list[tuple[int, list[Move]]]:
        """The lines of play, the first one first, each with the number of moves kept before it (§6)."""
        lines = [self.moves]
        for kept, moves in reversed(self.undone):
            lines.insert(0, lines[0][:kept] + moves)
        return list(zip([0, *(kept for kept, _ in self.undone)], lines, strict=True))


def draws_of(record: Record, line: list[Move]) -> Iterator[tuple[int, Draw, str]]:
    """Yield the number of each move that is an outcome, its draw, and the outcome itself (§7)."""
    known: dict[str, str] = {}  # Letters: the card of each stream
    drawn: Counter[tuple[str, str]] = Counter()  # how often each outcome came from each pool
    last = Move("-", "")  # the last action
    for number, move in enumerate(line, start=1):
        if move.actor != "-":
            last = move
            continue
        if number == 1:
            draw = Draw("start", {f"seat{seat}": 1 for seat, _ in enumerate(record.names, start=1)})
        elif record.game == "parade":
            draw = parade_draw(record, number)
        elif record.game == "letters":
            draw = letters_draw(last)
        else:
            draw = cookies_draw(record, number, move, last)
        pool = pool_of(draw.stream)
        left = {
            outcome: weight if pool == "spin" else weight - drawn[pool, outcome]
            for outcome, weight in draw.weights.items()
        }
        if draw.stream in known:
            left = {known[draw.stream]: 1}
        yield number, Draw(draw.stream, {each: n for each, n in left.items() if n > 0}), move.word
        drawn[pool, move.word] += 1
        if record.game == "letters":
            known[draw.stream] = move.word


def parade_draw(record: Record, number: int) -> Draw:
    """A card of the deck of Parade."""
    dealt = 5 * len(record.names) + 1
    deck = [f"+{colour}{value}" for colour in "RBPGYO" for value in range(11)]
    return Draw("card.parade" if dealt < number <= dealt + 6 else "card", dict.fromkeys(deck, 1))


def letters_draw(action: Move) -> Draw:
    """The card on a space of Letters."""
    letters = [
        f"{colour}{letter}" for colour in ("red", "blue", "yellow", "green") for letter in "ALICE"
    ]
    names = ["Duchess", "Hatter", "Hare", "Turtle", "Walrus", "Carpenter", "King"]
    return Draw(f"space.{action.word}", dict.fromkeys(letters + names, 1))


def cookies_draw(record: Record, number: int, move: Move, action: Move) -> Draw:
    """A card, a cookie or a spin in Cookies."""
    if move.word.startswith("spin"):
        spaces = len(record.options["board"].split("-")) if "board" in record.options else 16
        return Draw("spin", {f"spin{space}": 1 for space in range(1, spaces + 1)})
    if move.word.startswith("cookie"):
        return Draw("cookie", {f"cookie{value}": len(record.names) + 2 for value in range(2, 6)})
    hand = int(record.options.get("hand_size", "3"))
    dealt = number - 2 < hand * len(record.names)
    seat = (number - 2) // hand + 1 if dealt else action.actor
    return Draw(f"card{seat}", {f"+{value}": 2 for value in range(1, 6)} | {"+J": 1})


def pool_of(stream: str) -> str:
    """The pool of a stream: its name up to the first dot (§6)."""
    return stream.partition(".")[0]


class Streams:
    """The random numbers of a game (§4)."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.taken: Counter[str] = Counter()

    def block(self, stream: str, number: int) -> bytes:
        """Return a block of a stream."""
        message = stream.encode() + b"\0" + number.to_bytes(8, "big")
        return hmac.digest(self.key, message, "sha256")

    def below(self, total: int, stream: str) -> int:
        """Return the next number below a total."""
        if total == 1:
            return 0
        while True:
            number = int.from_bytes(self.block(stream, self.taken[stream])[:8], "big")
            self.taken[stream] += 1
            if number < 2**64 // total * total:
                return number % total

    def draw(self, draw: Draw) -> str:
        """Return the next outcome of a stream."""
        rest = self.below(sum(draw.weights.values()), draw.stream)
        for outcome, weight in draw.weights.items():
            if rest < weight:
                return outcome
            rest -= weight
        raise AssertionError("the number was below the total")


def derive_key(record: Record) -> tuple[bytes, int]:
    """Check the statement; return the key and the number of moves taken over (§2, §3)."""
    said = STATEMENT.fullmatch(record.statement)
    if said is None:
        raise Unfair("the Luck line can't be read")
    table, secret = said["table"].encode(), bytes.fromhex(said["secret"])
    promise = hashlib.sha256(b"wonderland commitment\0hmac-1\0" + table + b"\0" + secret)
    if promise.hexdigest() != said["commitment"]:
        raise Unfair("the secret doesn't match the commitment")
    seats = [bytes.fromhex(seat.replace("-", "")) for seat in said["seats"].split(",")]
    begun = int(said["begun"] or 0)
    kept = [number for number, _ in record.undone]
    if len(seats) != len(record.names) or begun > min([len(record.moves), *kept]):
        raise Unfair("the Luck line is of another game")
    message = b"wonderland luck\0hmac-1\0" + table + b"\0"
    message += b"".join(bytes([len(seat)]) + seat for seat in seats)
    if begun:
        moves = (f"{move.actor} {move.word}" for move in record.moves[:begun])
        message += b"".join(f"{text}\0".encode() for text in ("begun", *moves))
    return hmac.digest(secret, message, "sha256"), begun


def verify(text: str) -> int:
    """Check all outcomes of a record; return their number, or raise `Unfair` (§5, §6)."""
    record = Record(text)
    key, begun = derive_key(record)
    streams, checked = Streams(key), 0
    remembered: dict[str, list[str]] = {}
    for kept, line in record.lines_of_play():
        shown: dict[str, list[str]] = {}
        for number, draw, outcome in draws_of(record, line):
            before = shown.setdefault(draw.stream, [])
            if number > (kept or begun):
                expected = recall(draw, remembered, shown) or streams.draw(
                    without_reserved(draw, remembered, shown)
                )
                if outcome != expected:
                    raise Unfair(f"move {number} ({draw.stream}) is {outcome}, not {expected}")
                checked += 1
            before.append(outcome)
        for stream, outcomes in shown.items():
            remembered[stream] = outcomes + remembered.get(stream, [])[len(outcomes) :]
    return checked


def recall(draw: Draw, remembered: dict[str, list[str]], shown: dict[str, list[str]]) -> str | None:
    """The outcome that comes again, if there is one and it is possible."""
    again = remembered.get(draw.stream, [])[len(shown[draw.stream]) :][:1]
    return next((outcome for outcome in again if outcome in draw.weights), None)


def without_reserved(draw: Draw, remembered: dict[str, list[str]], shown: dict[str, list[str]]) -> Draw:
    """The draw without the outcomes that other streams of its pool have to give again."""
    reserved = {
        outcome
        for stream, outcomes in remembered.items()
        if stream != draw.stream and pool_of(stream) == pool_of(draw.stream)
        for outcome in outcomes[len(shown.get(stream, [])) :]
    }
    left = {outcome: n for outcome, n in draw.weights.items() if outcome not in reserved}
    return Draw(draw.stream, left or draw.weights)


if __name__ == "__main__":
    for path in sys.argv[1:]:
        try:
            print(f"{path}: ok, {verify(Path(path).read_text(encoding='utf-8'))} outcomes")
        except (Unfair, ValueError) as error:
            sys.exit(f"{path}: FAILED, {error}")
