"""Describe changes at a remote table beyond the game: arrivals, requests, chat messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wonderland.components.bots import translate_bot
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.engine.registry import game, game_names
from wonderland.wire.commands import PHRASES
from wonderland.wire.messages import ChatMessage, SeatInfo, SeatNotice, TableInfo
from wonderland.wire.notices import describe_household, describe_notice

STAND_IN = phrase("A bot is standing in for you. Type back to take over again.")


def news_of(
    old: TableInfo, new: TableInfo, me: int | None, say: Language = ENGLISH, *, undone: bool = False
) -> list[str]:
    """Describe the changes between two updates; `undone` means that a move was taken back."""
    sentences = [say("The last move was taken back.")] * undone
    for seat, (was, now) in enumerate(zip(old.seats, new.seats, strict=False)):
        sentences += _seat_news(seat, was, now, say, mine=seat == me)
    if not undone:
        sentences += _proposal_news(old, new, me, say)
    if old.status == "waiting" != new.status:
        sentences.append(say("The game starts."))
    if old.silent != new.silent:
        off = say("The host has turned chat off.")
        sentences.append(off if new.silent else say("The host has turned chat on."))
    if new.household and new.household != old.household:
        names = names_of(new, say)
        sentences.append(describe_household([names[seat] for seat in new.household], say))
    if new.next and not old.next:
        other = new.next_game
        title = say(game(other).info.title) if other in game_names() else other
        sentences.append(
            say("The next game is {game}. Type rematch to join.", game=title)
            if other
            else say("The rematch is ready. Type rematch to join.")
        )
    return sentences


def _seat_news(seat: int, was: SeatInfo, now: SeatInfo, say: Language, *, mine: bool) -> Iterator[str]:
    if (was.kind, was.name) != (now.kind, now.name):
        if now.kind == "free":
            yield say("{name} has left seat {number}.", name=_name_of(was, say), number=seat + 1)
        elif not mine:
            yield say("{name} is in seat {number}.", name=_name_of(now, say), number=seat + 1)
    elif now.kind == "person" and now.level != was.level:
        if not now.level and mine:
            yield say("You're playing again.")
        elif not now.level:
            yield say("{name} is playing again.", name=now.name)
        elif mine:
            yield say(STAND_IN)
        else:
            yield say("A bot is standing in for {name}.", name=now.name)


def _proposal_news(old: TableInfo, new: TableInfo, me: int | None, say: Language) -> Iterator[str]:
    was, now = old.proposal, new.proposal
    names = names_of(new, say)
    if was is None and now is not None:
        if now.what == "undo" and now.seat == me:
            yield say("You've asked to take back the last move.")
        elif now.what == "undo":
            yield say("{who} would like to take back the last move.", who=names[now.seat])
        elif now.seat == me:
            yield say("You've suggested a bot for {other}.", other=names[now.about or 0])
        else:
            other = names[now.about or 0]
            yield say("{who} suggests letting a bot play for {other}.", who=names[now.seat], other=other)
        if me is not None and awaits(new, me):
            yield say("Type agree or decline.")
    elif was is not None and now is None:
        if was.about is None or not new.seats[was.about].level:
            yield say("{name}'s request has been dropped.", name=names[was.seat])
    elif was is not None and now is not None:
        for seat in sorted(set(now.agreed) - set(was.agreed) - {me}):
            yield say("{name} agrees.", name=names[seat])


def names_of(table: TableInfo, say: Language = ENGLISH) -> list[str]:
    """Names of the seats: those of bots are translated, and free seats are numbered."""
    return [
        f"{_name_of(place, say)} ({number})"
        if place.alike and place.kind != "bot"
        else _name_of(place, say) or say("seat {number}", number=number)
        for number, place in enumerate(table.seats, start=1)
    ]


def _name_of(place: SeatInfo, say: Language) -> str:
    return translate_bot(place.name, say) if place.kind == "bot" else place.name


def awaits(table: TableInfo, me: int) -> bool:
    """Whether a proposal awaits this seat's answer."""
    proposal = table.proposal
    if proposal is None or me in proposal.agreed or table.seats[me].level:
        return False
    return not (proposal.what == "bot" and proposal.about == me)


def seats_taken(table: TableInfo) -> bool:
    """Whether all seats are taken, so that the game can start."""
    return all(place.kind in ("person", "bot") for place in table.seats)


def who_is_there(
    table: TableInfo, present: Sequence[int] | None, me: int | None, say: Language = ENGLISH
) -> list[str]:
    """Describe the seats; `present` lists the connected ones, if known."""
    lines = []
    for seat, place in enumerate(table.seats):
        marks = [say("you")] if seat == me else []
        if place.like_bot and seat != me:
            marks.append(say("not a bot"))
        if place.kind == "person" and place.level:
            marks.append(say("a bot is standing in"))
        if place.kind == "person" and seat != me and present is not None:
            marks.append(say("here") if seat in present else say("not connected"))
        shown = _describe_seat(place, seat, say)
        lines.append(f"{seat + 1:>3}  {shown}{f' ({say.join_list(marks)})' if marks else ''}")
    return lines


def _describe_seat(place: SeatInfo, seat: int, say: Language) -> str:
    match place.kind:
        case "free":
            return say("free seat")
        case "reserved":
            return say("reserved for {name}", name=place.name)
        case "bot":
            return f"{_name_of(place, say)} ({say('bot')})"
        case "person":
            return f"{place.name} ({seat + 1})" if place.alike else place.name


def noticed(notices: Sequence[SeatNotice], say: Language = ENGLISH) -> list[str]:
    """Describe what happened to seats; bots are introduced by `news_of` already."""
    told = [one for one in notices if one.what != "bot"]
    sentences = (describe_notice(one.what, one.seat, one.name, say) for one in told)
    return [sentence for sentence in sentences if sentence]


def spoken(message: ChatMessage, names: Sequence[str], say: Language = ENGLISH) -> str:
    """A chat message as a line of text."""
    text = message.text or say(PHRASES.get(message.phrase, message.phrase))
    return say("{name} says: {message}", name=names[message.seat], message=text)
