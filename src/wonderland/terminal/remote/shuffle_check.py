"""The check of the shuffle after a game at a remote table, and saving its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wonderland.client import http
from wonderland.client.arrival import Arrival
from wonderland.client.http import RequestDenied, ServerUnreachable
from wonderland.client.shuffle import CheckFailed, ShuffleVerdict, Uncheckable, alarm, verify_shuffle
from wonderland.engine.errors import FileProblem
from wonderland.engine.language import Language
from wonderland.terminal import record_files


def verdict_lines(arrival: Arrival, seen: Sequence[Any], say: Language, *, full: bool) -> list[str]:
    """Fetch the record and verify it with what this device has kept; `full` adds the details."""
    kept, seat = arrival.kept, arrival.seat
    try:
        verdict = verify_shuffle(http.get_record(arrival.link), kept, arrival.link.table, seat, seen)
    except CheckFailed as failure:
        return [alarm(failure, say), say("Type save FILE to keep the record as evidence.")]
    except Uncheckable as reason:
        return [say("The shuffle can't be checked: {reason}", reason=reason.said(say))]
    except (ServerUnreachable, RequestDenied) as problem:
        return [
            say("The shuffle couldn't be checked yet: {reason}", reason=problem.said(say)),
            say("Type verify to try again."),
        ]
    if not full:
        return [verdict.summary(say)]
    return [verdict.summary(say), *_details(verdict, arrival, say)]


def _details(verdict: ShuffleVerdict, arrival: Arrival, say: Language) -> list[str]:
    found = verdict.check
    lines = [say("Code that the table showed: {code}", code=found.commitment)]
    if verdict.has_contribution and arrival.seat is not None:
        lines.append(say("Added by your device: {code}", code=found.contributions[arrival.seat]))
    if found.begun:
        lines.append(found.describe_beginning(say))
    if found.taken_back:
        lines.append(
            say.plural(
                "Moves were taken back once; everything revealed by then stayed the same.",
                "Moves were taken back {number} times; everything revealed by then stayed the same.",
                found.taken_back,
            )
        )
    lines.append(say("Type save FILE to keep the record; wonderland verify FILE checks it again."))
    return lines


def save_lines(arrival: Arrival, path: str, say: Language) -> list[str]:
    """Save the record of the game to a new file; return what to tell."""
    try:
        record_files.save_new(path, http.get_record(arrival.link))
    except (FileProblem, ServerUnreachable, RequestDenied) as problem:
        return [problem.said(say)]
    return [say("The record is saved in {file}.", file=path)]
