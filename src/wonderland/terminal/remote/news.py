"""Describe changes at a remote table beyond the game: arrivals, proposals, chat messages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wonderland.wire.messages import ChatMessage, ProposalInfo, SeatInfo, TableInfo


def news_of(old: TableInfo, new: TableInfo, me: int | None, *, undone: bool = False) -> list[str]:
    """Describe the changes between two updates; `undone` means that a decision was taken back."""
    sentences = ["The last decision has been taken back."] * undone
    for seat, (was, now) in enumerate(zip(old.seats, new.seats, strict=False)):
        sentences += _seat_news(seat, was, now, mine=seat == me)
    if not undone:
        sentences += _proposal_news(old, new, me)
    if old.status == "waiting" != new.status:
        sentences.append("The game begins.")
    if old.silent != new.silent:
        sentences.append(f"The host has switched talking {'off' if new.silent else 'on again'}.")
    if new.next and not old.next:
        sentences.append("The table is laid again; rematch: sit down there.")
    return sentences


def _seat_news(seat: int, was: SeatInfo, now: SeatInfo, *, mine: bool) -> Iterator[str]:
    if (was.kind, was.name) != (now.kind, now.name):
        if now.kind == "free":
            yield f"{was.name} has left seat {seat + 1}."
        elif not mine:
            yield f"{now.name} sits on seat {seat + 1}."
    elif now.kind == "person" and now.level != was.level:
        if not now.level:
            yield f"{'You play' if mine else f'{now.name} plays'} again."
        elif mine:
            yield "A bot plays for you now; back: play on yourself."
        else:
            yield f"A bot plays for {now.name} now."


def _proposal_news(old: TableInfo, new: TableInfo, me: int | None) -> Iterator[str]:
    was, now = old.proposal, new.proposal
    names = names_of(new)
    if was is None and now is not None:
        yield f"{_subject(names, now.seat, me)} {_describe_proposal(names, now)}."
        if me is not None and awaits(new, me):
            yield "Type agree or decline."
    elif was is not None and now is None:
        if was.about is None or not new.seats[was.about].level:
            yield f"What {names[was.seat]} proposed has been dropped."
    elif was is not None and now is not None:
        for seat in sorted(set(now.agreed) - set(was.agreed) - {me}):
            yield f"{names[seat]} agrees."


def _subject(names: Sequence[str], seat: int, me: int | None) -> str:
    return "You" if seat == me else names[seat]


def _describe_proposal(names: Sequence[str], proposal: ProposalInfo) -> str:
    if proposal.what == "undo":
        return "would like to take the last decision back"
    return f"would like a bot to play for {names[proposal.about or 0]}"


def names_of(table: TableInfo) -> list[str]:
    """Names of the seats; free seats are numbered."""
    return [place.name or f"seat {n}" for n, place in enumerate(table.seats, start=1)]


def awaits(table: TableInfo, me: int) -> bool:
    """Whether a proposal awaits this seat's answer."""
    proposal = table.proposal
    if proposal is None or me in proposal.agreed or table.seats[me].level:
        return False
    return not (proposal.what == "bot" and proposal.about == me)


def seats_taken(table: TableInfo) -> bool:
    """Whether all seats are taken, so that the game can start."""
    return all(place.kind in ("person", "bot") for place in table.seats)


def who_is_there(table: TableInfo, present: Sequence[int] | None, me: int | None) -> list[str]:
    """Describe the seats; `present` lists the connected ones, if known."""
    lines = []
    for seat, place in enumerate(table.seats):
        here = "" if present is None else ", here" if seat in present else ", not connected"
        mark = " (you)" if seat == me else here if place.kind == "person" else ""
        lines.append(f"{seat + 1:>3}  {_describe_seat(place)}{mark}")
    return lines


def _describe_seat(place: SeatInfo) -> str:
    match place.kind:
        case "free":
            return "free"
        case "reserved":
            return f"kept for {place.name}"
        case "bot":
            return f"{place.name}, a bot"
        case "person":
            return f"{place.name}, for whom a bot plays" if place.level else place.name


def spoken(message: ChatMessage, names: Sequence[str]) -> str:
    """A chat message as a line of text."""
    return f"{names[message.seat]} says: {message.text or message.phrase.capitalize()}"
