"""Codes of what the rules of Letters refuse."""

from __future__ import annotations

from wonderland.engine.errors import BrokenRule


class ErrorCode(BrokenRule):
    """Why an action is illegal or a position impossible: a stable name, and the number of the rule."""

    ALREADY_OVER = ("already-over", "L12")
    CARD_ELSEWHERE = ("card-elsewhere", "L1")
    CARD_TWICE = ("card-twice", "L1")
    COLOUR_IN_PLAY = ("colour-in-play", "L11")
    COLOUR_NOT_IN_PLAY = ("colour-not-in-play", "L11")
    DIFFERENT_LETTER = ("different-letter", "L10")
    LAST_CARD_TURNED = ("last-card-turned", "L13")
    LETTER_NOT_PLAYED = ("letter-not-played", "L9")
    MUST_CHOOSE_CARD = ("must-choose-card", "L5")
    NOT_YOUR_TURN = ("not-your-turn", "L4")
    NO_FACE_DOWN_CARD = ("no-face-down-card", "L5")
    NO_LAST_CARD = ("no-last-card", "L9")
    NO_SUCH_SEAT = ("no-such-seat", "L4")
    PLAYED_BEFORE_TURN = ("played-before-turn", "L9")
    SOMETHING_ELSE_FIRST = ("something-else-first", "L5")
    START_NOT_DECIDED = ("start-not-decided", "L4")
    STILL_TURNING = ("still-turning", "L5")
    TOO_MANY_TURNED_BACK = ("too-many-turned-back", "L10")
    TURNED_BEFORE_START = ("turned-before-start", "L2")
    WRONG_EMPTY_SPACES = ("wrong-empty-spaces", "L6")
    WRONG_ENDING = ("wrong-ending", "L9")
