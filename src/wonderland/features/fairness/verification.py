"""The verdicts of `wonderland verify` on records, one line each."""

from __future__ import annotations

import argparse
import sys

from wonderland.arguments import language_of
from wonderland.client.shuffle import CheckFailed, Uncheckable, check_record
from wonderland.engine.errors import FileProblem, NotationError
from wonderland.engine.language import ENGLISH, Language
from wonderland.engine.record_reader import AnyRecord, Reading, read_record
from wonderland.terminal import record_files

STANDARD_INPUT = "-"
FAILED = 1
UNCHECKED = 2


def verify(options: argparse.Namespace) -> int:
    """Check each record and print a one-line verdict; the exit code is that of the worst."""
    say = language_of(options)
    codes = {_verify_file(name, say) for name in options.files}
    return next((code for code in (FAILED, UNCHECKED) if code in codes), 0)


def _verify_file(name: str, say: Language) -> int:
    shown = name if name.isprintable() else repr(name)
    if name == STANDARD_INPUT:
        shown = say("standard input")
    try:
        reading = _load(name)
        if reading.fault is not None:
            raise reading.fault.in_file(shown)
        sys.stdout.write(f"{shown}: {check(reading.whole, say)}\n")
    except CheckFailed as failure:
        sys.stdout.write(f"{shown}: {say('FAILED: {reason}', reason=failure.said(say))}\n")
        return FAILED
    except Uncheckable as error:
        reason = error.said(say)
        return _report_unchecked(say("{file} can't be checked: {reason}", file=shown, reason=reason))
    except (FileProblem, NotationError) as error:
        return _report_unchecked(error.said(say))
    return 0


def _load(name: str) -> Reading:
    return read_record(sys.stdin.buffer.read()) if name == STANDARD_INPUT else record_files.load(name)


def _report_unchecked(sentence: str) -> int:
    sys.stdout.flush()  # so that earlier verdicts appear first
    sys.stderr.write(f"wonderland: {sentence}\n")
    return UNCHECKED


def check(record: AnyRecord, say: Language = ENGLISH) -> str:
    """Return the verdict on a fairly shuffled record; raise `CheckFailed` if it wasn't."""
    found = check_record(record)
    verdict = say("ok") if found.is_finished else say("ok so far (the game isn't finished)")
    sentences = []
    if found.begun:
        sentences.append(found.describe_beginning(say))
    sentences.append(
        say.plural(
            "{number} random outcome follows from the server's secret and what the players added.",
            "{number} random outcomes follow from the server's secret and what the players added.",
            found.outcomes,
        )
        if any(found.contributions)
        else say.plural(
            "{number} random outcome follows from the server's secret; no player added anything.",
            "{number} random outcomes follow from the server's secret; no player added anything.",
            found.outcomes,
        )
    )
    if found.taken_back:
        sentences.append(
            say.plural(
                "Moves were taken back once; everything revealed by then stayed the same.",
                "Moves were taken back {number} times; everything revealed by then stayed the same.",
                found.taken_back,
            )
        )
    sentences.append(
        say(
            "Compare this commitment with the one shown before the game: {commitment}",
            commitment=found.commitment,
        )
    )
    return say.label(verdict, say.sentences(sentences))
