"""Codes of refusals: a short, stable name for each, with the kind of problem and what it means.

Programs, tests and our own pages switch on codes; sentences are for people and may change at any time.
A code that has been released is never given another meaning.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Self

Kind = Literal[
    "bad request",
    "not yours",
    "not found",
    "stale",
    "not now",
    "illegal",
    "too many",
    "failed",
    "storage",
]
"""The kinds of problems."""


class Code(StrEnum):
    """Why a request was refused.

    >>> Code.NOT_YOUR_TURN, Code.NOT_YOUR_TURN.kind
    (<Code.NOT_YOUR_TURN: 'not-your-turn'>, 'not now')
    """

    kind: Kind
    meaning: str
    """One sentence for programmers."""

    def __new__(cls, code: str, kind: Kind, meaning: str) -> Self:
        member = str.__new__(cls, code)
        member._value_ = code
        member.kind = kind
        member.meaning = meaning
        return member

    INVALID_DATE = ("invalid-date", "bad request", "A date isn't written as YYYY-MM-DD.")
    INVALID_NOTATION = ("invalid-notation", "bad request", "A move or option can't be read.")
    INVALID_OPTIONS = (
        "invalid-options",
        "bad request",
        "The game has no such option, or the option has no such value.",
    )
    INVALID_REQUEST = (
        "invalid-request",
        "bad request",
        "The request isn't JSON or doesn't match its schema.",
    )
    INVALID_VALUE = (
        "invalid-value",
        "bad request",
        "A value in the request can't be read, or isn't possible here.",
    )
    NAME_NOT_ALLOWED = (
        "name-not-allowed",
        "bad request",
        "The name is reserved, or contains characters that aren't allowed.",
    )
    NAME_TAKEN = ("name-taken", "bad request", "Another player has this name.")
    NO_RECORD = ("no-record", "bad request", "The text contains no game record.")
    NO_SUCH_CHOICE = ("no-such-choice", "bad request", "The answer isn't one of the choices.")
    NO_SUCH_LEVEL = ("no-such-level", "bad request", "The game has no such bot level.")
    NO_SUCH_PHRASE = ("no-such-phrase", "bad request", "There's no such quick phrase.")
    NO_SUCH_PIECE = ("no-such-piece", "bad request", "The position editor has no such place or piece.")
    NO_SUCH_SEAT = ("no-such-seat", "bad request", "The table has no seat with this number.")
    NO_SUCH_VERSION = ("no-such-version", "bad request", "The table hasn't reached this version yet.")
    NO_SUCH_VIEW = ("no-such-view", "bad request", "A view must be a seat, `watching` or `open`.")
    NOT_A_NUMBER = ("not-a-number", "bad request", "A query parameter isn't a number.")
    NOT_FOR_YOURSELF = (
        "not-for-yourself",
        "bad request",
        "This is possible only for other players' seats.",
    )
    NOT_JSON = ("not-json", "bad request", "The Content-Type of the request isn't `application/json`.")
    NOT_ONE_LINE = (
        "not-one-line",
        "bad request",
        "The text contains a line break or another control character.",
    )
    PHRASE_OR_TEXT = (
        "phrase-or-text",
        "bad request",
        "A chat message must have either a phrase or a text.",
    )
    RATED_NEEDS_PEOPLE = (
        "rated-needs-people",
        "bad request",
        "A rated table needs at least two seats, and no bots.",
    )
    RATED_NEEDS_STANDARD_RULES = (
        "rated-needs-standard-rules",
        "bad request",
        "A rated table can't have options.",
    )
    RATED_WITHOUT_HELP = (
        "rated-without-help",
        "bad request",
        "A rated table can't have hints or a tutorial.",
    )
    RECORD_TOO_LONG = (
        "record-too-long",
        "bad request",
        "The record has more moves than this server accepts.",
    )
    REQUEST_TOO_LARGE = ("request-too-large", "bad request", "The body of the request is too large.")
    REQUEST_TOO_SLOW = (
        "request-too-slow",
        "bad request",
        "The body of the request didn't arrive in time.",
    )
    TOO_MANY_RECORDS = ("too-many-records", "bad request", "The file contains too many records.")
    UNKNOWN_GAME = (
        "unknown-game",
        "bad request",
        "The server doesn't have this game, or can't load it.",
    )
    UNREADABLE_RECORD = (
        "unreadable-record",
        "bad request",
        "The record has an error; `line` and `column` say where.",
    )
    WRONG_METHOD = (
        "wrong-method",
        "bad request",
        "This address doesn't accept this HTTP method; the status is 405.",
    )
    WRONG_PLAYER_COUNT = (
        "wrong-player-count",
        "bad request",
        "The game isn't made for this number of players.",
    )
    WRONG_VARIATIONS = (
        "wrong-variations",
        "bad request",
        "The variations don't fit the game.",
    )

    ACCOUNT_NEEDED = ("account-needed", "not yours", "This needs an account with a name in the ratings.")
    BANNED = ("banned", "not yours", "The operator has banned the address, network or account.")
    CONFIRM_NEEDED = (
        "confirm-needed",
        "not yours",
        "A new link would take the seat from another device; confirm it with `revoke`.",
    )
    INVITATION_NEEDED = ("invitation-needed", "not yours", "Joining this table needs its link.")
    LINK_USED = ("link-used", "not yours", "The link has been used or replaced.")
    NOT_PUBLIC = ("not-public", "not yours", "The server doesn't show this to everyone.")
    NOT_SEATED = ("not-seated", "not yours", "This device has no seat at the table.")
    ONLY_BOTS = ("only-bots", "not yours", "The table is only for its host and bots.")
    ONLY_THE_HOST = ("only-the-host", "not yours", "Only the table's host can do this.")
    ONLY_THE_PLAYER = ("only-the-player", "not yours", "Only the seat's own player can do this.")
    ONLY_THE_SERVER = (
        "only-the-server",
        "not yours",
        "Only the computer that runs the server can do this.",
    )
    SEAT_NOT_YOURS = ("seat-not-yours", "not yours", "The seat belongs to another device.")
    UNKNOWN_DEVICE = ("unknown-device", "not yours", "The request has no device cookie.")
    WRONG_ORIGIN = ("wrong-origin", "not yours", "The request comes from a page of another site.")
    WRONG_RECOVERY_CODE = ("wrong-recovery-code", "not yours", "No account has this recovery code.")

    NO_EDITOR = ("no-editor", "not found", "The game has no position editor.")
    NO_SUCH_ANALYSIS = ("no-such-analysis", "not found", "There's no such shared analysis.")
    NO_SUCH_FILE = ("no-such-file", "not found", "There's no such static file.")
    NO_SUCH_GAME = ("no-such-game", "not found", "The server doesn't have this game.")
    NO_SUCH_MISTAKE = (
        "no-such-mistake",
        "not found",
        "There's no such mistake among those found in the player's games.",
    )
    NO_SUCH_MOVE = ("no-such-move", "not found", "The game has no such move, at least not yet.")
    NO_SUCH_PAGE = ("no-such-page", "not found", "There's no page at this address.")
    NO_SUCH_PERSON = ("no-such-person", "not found", "There's no such account.")
    NO_SUCH_PUZZLE = ("no-such-puzzle", "not found", "There's no such puzzle.")
    NO_SUCH_REPLAY = ("no-such-replay", "not found", "There's no such replay.")
    NO_SUCH_TABLE = ("no-such-table", "not found", "There's no such table.")
    NO_SUCH_THEME = ("no-such-theme", "not found", "No puzzle has this theme.")
    NO_SUCH_TUTORIAL = ("no-such-tutorial", "not found", "The game has no tutorial, or not this one.")
    NOT_AVAILABLE = ("not-available", "not found", "This game has no such data.")
    NOT_SHUFFLED = (
        "not-shuffled",
        "not found",
        "The cards of the game were prepared, so there's no shuffle to verify.",
    )

    OUTDATED = ("outdated", "stale", "The table has changed since the request was made.")

    ALREADY_AGREED = ("already-agreed", "not now", "The seat has already agreed.")
    ALREADY_SEATED = ("already-seated", "not now", "This device or account already has a seat.")
    ALREADY_STARTED = ("already-started", "not now", "The game has already started.")
    BOT_IS_PLAYING = ("bot-is-playing", "not now", "A bot is playing for the seat.")
    CHAT_OFF = ("chat-off", "not now", "The host has turned chat off.")
    CLOCK_DECIDES = (
        "clock-decides",
        "not now",
        "The table has a clock, which decides when a bot steps in.",
    )
    CLOSED_IN_MEMORY_GAME = (
        "closed-in-memory-game",
        "not now",
        "You can't step back in a memory game until it's over.",
    )
    DEPARTED = ("departed", "not now", "The seat's player has left the game.")
    GAME_OVER = ("game-over", "not now", "The game is over.")
    HINTS_OFF = ("hints-off", "not now", "The table was created without hints.")
    HISTORY_FULL = ("history-full", "not now", "The table's log has reached its limit.")
    NAME_REGISTERED = (
        "name-registered",
        "not now",
        "Another account has this name, or one that looks like it.",
    )
    NAMES_FULL = ("names-full", "not now", "The server can't take any more accounts.")
    NO_ADVICE = ("no-advice", "not now", "There's no advice for the position; the sentence says why.")
    NO_BOT_IS_PLAYING = ("no-bot-is-playing", "not now", "No bot is playing for the seat.")
    NO_CHOICE = ("no-choice", "not now", "Nobody has a choice here.")
    NO_HINT = ("no-hint", "not now", "No hint could be found.")
    NO_HOME_NETWORK = (
        "no-home-network",
        "not now",
        "The computer has no home network, or can't use it.",
    )
    NO_LINK = ("no-link", "not now", "Only a seat with a person in it can have a link.")
    NO_MATCH_YET = ("no-match-yet", "not now", "No quick match could be made yet; try again.")
    NO_REQUEST = ("no-request", "not now", "There's no request to answer.")
    NO_ROOM = ("no-room", "not now", "The game can't be played with one more player.")
    NOT_OPENABLE = ("not-openable", "not now", "The server can't be opened to the home network.")
    NOT_OVER = ("not-over", "not now", "This isn't possible until the game is over.")
    NOT_PLAYING = ("not-playing", "not now", "This is possible only during a game.")
    NOT_STARTED = ("not-started", "not now", "The game hasn't started yet.")
    NOT_WHEN_RATED = ("not-when-rated", "not now", "This isn't possible at a rated table.")
    NOT_YOUR_TURN = ("not-your-turn", "not now", "It isn't the seat's turn.")
    NOTHING_TO_ANALYSE = (
        "nothing-to-analyse",
        "not now",
        "The record has no decisions, or none with known cards.",
    )
    NOTHING_TO_TAKE_BACK = (
        "nothing-to-take-back",
        "not now",
        "The seat hasn't made a move that it could take back.",
    )
    PLAYER_MAY_RETURN = ("player-may-return", "not now", "The player hasn't been away for long enough.")
    PLAYER_PRESENT = (
        "player-present",
        "not now",
        "The player is connected, so no bot can play for them.",
    )
    RATED_GAME_RUNNING = (
        "rated-game-running",
        "not now",
        "There's no advice on a rated game until it's over.",
    )
    REQUEST_PENDING = ("request-pending", "not now", "Another request is waiting for an answer.")
    REVEALED = (
        "revealed",
        "not now",
        "The move can't be taken back, because it revealed something hidden.",
    )
    SEAT_FREE = ("seat-free", "not now", "Nobody is sitting in the seat.")
    SEAT_TAKEN = ("seat-taken", "not now", "The seat is taken or doesn't exist.")
    SEATS_FREE = (
        "seats-free",
        "not now",
        "The game can't start, because a seat is free or its player hasn't come yet.",
    )
    SEATS_TAKEN = ("seats-taken", "not now", "The table has no free seat.")
    SIGNED_IN = ("signed-in", "not now", "This device is already signed in.")
    UNPLAYABLE_RECORD = (
        "unplayable-record",
        "not now",
        "The record can't be replayed; the sentence says why.",
    )
    UNREADABLE_TABLE = (
        "unreadable-table",
        "not now",
        "The table was stored by a version that this server can't read.",
    )

    ILLEGAL_ACTION = (
        "illegal-action",
        "illegal",
        "The rules don't allow this action now; `rule` says which rule forbids it.",
    )

    BOTS_BUSY = ("bots-busy", "too many", "Too many bots are waiting for their turn to think.")
    COACH_BUSY = ("coach-busy", "too many", "Too many games are waiting for the coach.")
    SERVER_BUSY = ("server-busy", "too many", "The server is too busy right now.")
    SLOW_DOWN = ("slow-down", "too many", "Too many requests or messages in a short time.")
    TABLE_BUSY = ("table-busy", "too many", "Too many requests for this table are waiting.")
    TOO_MANY_TABLES = (
        "too-many-tables",
        "too many",
        "Too many tables that this device created are waiting for players.",
    )

    SERVER_ERROR = ("server-error", "failed", "The server failed; nothing has changed.")

    STORAGE_FAILED = ("storage-failed", "storage", "The storage can't be reached; nothing has changed.")
    TABLE_MOVING = (
        "table-moving",
        "storage",
        "The table is being moved to another server process; try again.",
    )
