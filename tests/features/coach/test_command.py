"""`wonderland coach`: what it prints and writes, and its errors."""

from __future__ import annotations

import io
import re
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from rich.console import Console

from support.paths import RECORDS
from wonderland.cli import main
from wonderland.components.bots import Budget
from wonderland.components.catalogues import LANGUAGES, load_language
from wonderland.engine import read_record
from wonderland.engine.language import ENGLISH
from wonderland.features.coach.command import _run_review
from wonderland.features.coach.model import GraphPoint, ReviewedDecision, read_report
from wonderland.features.coach.review import Coach, PendingDecision
from wonderland.features.coach.text_report import show_report

TWO = str(RECORDS / "parade" / "2-players-sixth-colour.record")
NOTED = str(RECORDS / "cookies" / "noted-by-alice.record")
SPECTATOR = str(RECORDS / "cookies" / "noted-by-a-spectator.record")
LETTERS = str(RECORDS / "letters" / "turned-two-players.record")
PARADE = (
    "parade stage=play turn=1 hands=R10.B5.G3.Y0.P7/?.?.?.?.? parade=R1.B0.G9.O4.P2.Y8 zones=-/- "
    "ending=- left=- kept=-"
)


def test_a_record_is_reviewed_with_accuracy_graph_turns_and_reasons(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "found.json"
    assert main(["coach", TWO, "--budget", "100", "--json", str(file), "--workers", "2"]) == 0
    shown = capsys.readouterr().out
    report = read_report(file.read_text())
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert "34 moves analysed" in shown
    assert "█" in shown
    for seat in report.seats:
        assert f"{seat.name}  " in shown
        assert f"{seat.accuracy:.1f}" in shown
        assert f"{seat.name}'s costliest moves" in shown
        for each in seat.costliest:
            assert f"  {each.number}. " in shown
            assert each.reason.split(". ")[0] in " ".join(shown.split())
    assert report.turning_points
    assert "Turning points" in shown


def test_one_seat_can_be_reviewed_and_printed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coach", LETTERS, "--seat", "alice", "--json", "-"]) == 0
    report = read_report(capsys.readouterr().out)
    assert {each.seat for each in report.decisions} == {0}
    assert main(["coach", LETTERS, "--seat", "2"]) == 0
    shown = capsys.readouterr().out
    assert "analysed exactly" in shown
    assert "Alice  " not in shown


def test_a_handwritten_record_can_be_piped_in(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = SimpleNamespace(buffer=io.BytesIO(Path(NOTED).read_bytes()))
    monkeypatch.setattr("sys.stdin", pipe)
    assert main(["coach", "-", "--budget", "20"]) == 0
    shown = capsys.readouterr().out
    assert "27 moves are left out" in shown
    assert "Hatter  " not in shown


def test_a_position_is_answered_with_the_best_choice(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coach", "--position", PARADE, "--budget", "4000"]) == 0
    heading, *rows = capsys.readouterr().out.splitlines()
    assert heading.split() == ["Win", "chance", "95%", "interval", "Move", "What", "it", "does"]
    chances = [float(row.split()[0].rstrip("%")) for row in rows[:5]]
    assert chances == sorted(chances, reverse=True)
    assert {row.split()[3] for row in rows[:5]} == {"R10", "B5", "G3", "Y0", "P7"}
    assert rows[6]  # why the first one


def test_equally_good_choices_are_grouped(capsys: pytest.CaptureFixture[str]) -> None:
    record = read_record(Path(LETTERS).read_text()).whole
    states = [state for state, move in record.states() if move is not None and move.actor == 0]
    assert main(["coach", "--position", record.game.write_position(states[0])]) == 0
    shown = capsys.readouterr().out
    assert "1, 2, 3, 4 and 23 more  all equally good" in shown
    assert "exact" in shown
    assert main(["coach", "--position", record.game.write_position(states[10])]) == 0
    assert "Card 3 is the red I" in capsys.readouterr().out


def test_two_indistinguishable_choices_are_called_equal(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["coach", "--position", PARADE, "--budget", "2"]) == 0
    assert "The first two are equally good" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "needs either a RECORD or a --position"),
        ([TWO, "--position", PARADE], "needs either a RECORD or a --position"),
        (["no.record"], "'no.record' can't be read: No such file"),
        ([TWO, "--seat", "Walrus"], "nobody called 'Walrus' plays"),
        ([TWO, "--budget", "0"], "--budget must be a whole number, 1 or more"),
        ([TWO, "--json", TWO], "already exists"),
        ([SPECTATOR], "There's nothing to analyse here, because the hands weren't recorded."),
        (["--position", PARADE, "--seat", "2"], "Seat 2 has no choice to make here."),
        (["--position", PARADE, "--seat", "Alice"], "--seat must be a number, 1 or more"),
        (["--position", PARADE, "--json", "-"], "--json works only with a RECORD"),
        (["--position", "chess x"], "there is no game called 'chess'"),
        (["--position", "parade x"], "'x' doesn't belong here"),
    ],
)
def test_invalid_arguments_are_reported_in_one_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["coach", *arguments]) == 2
    shown = capsys.readouterr()
    assert said in shown.err
    assert len(shown.err.splitlines()) == 1
    assert not shown.out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Game: parade\nRules: 1\nSeats: Alice, Hatter\n\nStart: seat9\n", "line 5, column 8"),
        ("Game: parade\nRules: 1\nSeats: Alice, Hatter\n\n", "nobody had a choice"),
        ("what?", "line 1"),
    ],
)
def test_a_record_that_cannot_be_reviewed_says_why(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "a.record"
    file.write_text(text)
    assert main(["coach", str(file)]) == 2
    assert said in capsys.readouterr().err


def test_a_position_without_a_choice_is_rejected(capsys: pytest.CaptureFixture[str]) -> None:
    record = read_record(Path(TWO).read_text()).whole
    first = next(iter(record.states()))[0]
    assert main(["coach", "--position", record.game.write_position(first)]) == 2
    assert "Nobody has a choice to make in this position." in capsys.readouterr().err


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_graph_of_a_player_fits_on_one_line(code: str) -> None:
    record = read_record(Path(TWO).read_text()).whole
    report = _run_review(Interrupted(record, None, Budget(playouts=5)), 1, ENGLISH)
    points = tuple(GraphPoint(move, 0.5) for move in range(1, 46))
    report = replace(report, seats=tuple(replace(seat, graph=points) for seat in report.seats))
    page = io.StringIO()
    show_report(record, report, Console(file=page, width=80), load_language(code))
    graphs = re.findall("▅+", page.getvalue())
    assert len(graphs) == len([seat for seat in report.seats if seat.judged])


class Interrupted(Coach):
    """Interrupts with Ctrl-C at the fourth decision."""

    def answer(self, question: PendingDecision) -> ReviewedDecision:
        if question == self.questions[3]:
            signal.raise_signal(signal.SIGINT)
        return super().answer(question)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_an_interrupt_shows_the_partial_review(encoding: str) -> None:
    record = read_record(Path(TWO).read_text()).whole
    report = _run_review(Interrupted(record, None, Budget(playouts=20)), 1, ENGLISH)
    assert not report.is_whole
    assert len(report.decisions) == 3
    page = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    show_report(record, report, Console(file=page, width=80))
    page.seek(0)
    shown = page.read()
    assert "Parade: 3 moves analysed, interrupted" in shown
