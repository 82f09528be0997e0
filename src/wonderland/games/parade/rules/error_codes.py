"""Codes of what the rules of Parade refuse."""

from __future__ import annotations

from wonderland.engine.errors import BrokenRule


class ErrorCode(BrokenRule):
    """Why an action is illegal or a position impossible: a stable name, and the number of the rule."""

    ALREADY_CHOSEN = ("already-chosen", "P11")
    ALREADY_OVER = ("already-over", "P11")
    CARD_ELSEWHERE = ("card-elsewhere", "P1")
    CARD_TWICE = ("card-twice", "P1")
    COLOURS_MISSING = ("colours-missing", "P8")
    DEALT_ALREADY = ("dealt-already", "P3")
    DRAWN_IN_LAST_ROUND = ("drawn-in-last-round", "P9")
    EMPTY_PARADE = "empty-parade"
    ENDING_WITHOUT_LEFT = ("ending-without-left", "P9")
    KEEPING_TWO = ("keeping-two", "P11")
    KEPT_MISSING = ("kept-missing", "P11")
    KEPT_NOT_IN_HAND = ("kept-not-in-hand", "P11")
    LAST_ROUND_STARTED = ("last-round-started", "P8")
    NOT_IN_HAND = ("not-in-hand", "P4")
    NOT_YOUR_TURN = ("not-your-turn", "P4")
    NO_SUCH_SEAT = ("no-such-seat", "P2")
    PAIR_NOT_IN_HAND = ("pair-not-in-hand", "P11")
    PARADE_COMPLETE = ("parade-complete", "P3")
    PARADE_TOO_EARLY = ("parade-too-early", "P3")
    PILE_NOT_EMPTY = ("pile-not-empty", "P8")
    PILE_TOO_LARGE = ("pile-too-large", "P3")
    SOMETHING_ELSE_FIRST = ("something-else-first", "P3")
    STILL_DEALING = ("still-dealing", "P3")
    TAKEN_BEFORE_START = "taken-before-start"
    TAKEN_BEFORE_TURN = ("taken-before-turn", "P6")
    TOO_MANY_FACE_DOWN = ("too-many-face-down", "P1")
    WRONG_ENDING = ("wrong-ending", "P8")
    WRONG_HAND_SIZE = "wrong-hand-size"
    WRONG_STARTER = ("wrong-starter", "P8")
