"""Plots of results as SVG or PNG, readable in black and white.

Every line has its own dash pattern and every bar its number, so that no meaning depends on colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wonderland.engine.errors import UsageError, quote
from wonderland.lab.output_files import PartialFile, require_package
from wonderland.lab.standings import TournamentStandings
from wonderland.lab.statistics import Estimate
from wonderland.lab.summary import Comparison, Distribution, Summary
from wonderland.lab.text_tables import percent, standing_heading, summary_heading

KINDS = (".svg", ".png")
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#222222")  # colour-blind safe
_DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 2)))
_STYLE = {
    "svg.fonttype": "none",  # keep text as text, for search and screen readers
    "svg.hashsalt": "wonderland",  # reproducible files
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def check_kind(path: str) -> None:
    """Raise `UsageError` if this kind of plot can't be drawn; to be called before anything is played."""
    if Path(path).suffix.lower() not in KINDS:
        raise UsageError(f"--plot {quote(path)} is not possible: FILE ends in .svg or .png.")
    require_package("matplotlib", "plot", "--plot")


def plot(path: str, found: Summary | Comparison | TournamentStandings) -> None:
    """Plot a result to a new file."""
    matplotlib: Any = require_package("matplotlib", "plot", "--plot")
    figures: Any = require_package("matplotlib.figure", "plot", "--plot")
    unfinished = PartialFile(path)
    with matplotlib.rc_context(_STYLE):
        figure = figures.Figure(layout="constrained")
        match found:
            case Summary():
                _draw_summary(figure, found)
            case Comparison():
                _draw_comparison(figure, found)
            case TournamentStandings():
                _draw_standing(figure, found)
        kind = Path(path).suffix.lower().lstrip(".")
        without_date = {"Date": None} if kind == "svg" else {}
        try:
            figure.savefig(unfinished.path, format=kind, dpi=150, metadata=without_date)
        except OSError as error:
            unfinished.drop()
            raise unfinished.fault(error) from error
    unfinished.finish()


def _draw_summary(figure: Any, found: Summary) -> None:
    figure.set_size_inches(11, 7.5)
    figure.suptitle(summary_heading(found), fontweight="bold")
    wins, scores, lengths, endings = figure.subplots(2, 2).flat
    rows = [(f"Seat {seat.seat}, {seat.bot}", seat.wins) for seat in found.seats]
    rows += [(f"{part.name} to play", part.share) for part in found.by_order]
    _draw_intervals(wins, rows, even=1 / len(found.seats))
    wins.set_title("Share of the wins, with 95 % intervals")
    wins.set_xlabel("share of the wins, % (dotted: an even share)")
    _draw_lines(scores, {f"Seat {seat.seat}, {seat.bot}": seat.score for seat in found.seats})
    scores.set_title("Scores")
    scores.set_xlabel("points at the end")
    _draw_lines(lengths, {"all games": found.length})
    lengths.set_title("Length")
    lengths.set_xlabel("decisions in a game")
    rows = [(part.name, part.share) for part in found.endings]
    _draw_bars(endings, [*rows, ("the win is shared", found.shared)])
    endings.set_title("How games end")


def _draw_comparison(figure: Any, found: Comparison) -> None:
    figure.set_size_inches(11, 8)
    before, after = _variant_names(found)
    figure.suptitle(f"{summary_heading(found.before)}\nagainst {after}", fontweight="bold")
    shares, scores, lengths, numbers = figure.subplots(2, 2).flat
    rows = [(_mark_clear(each.name, clear=each.is_clear), each.difference) for each in found.changes]
    cut = sum(each.is_share for each in found.changes)
    _draw_intervals(shares, rows[:cut], even=0.0, signed=True)
    shares.set_title("What changes, with 95 % intervals (* clear)")
    shares.set_xlabel("share of the games, %, after less before")
    _draw_intervals(numbers, rows[cut:], even=0.0, signed=True, is_share=False)
    numbers.set_title("What changes in points and decisions (* clear)")
    numbers.set_xlabel("after less before")
    _draw_lines(scores, {before: _all_scores(found.before), after: _all_scores(found.after)})
    scores.set_title("Scores of all seats")
    scores.set_xlabel("points at the end")
    _draw_lines(lengths, {before: found.before.length, after: found.after.length})
    lengths.set_title("Length")
    lengths.set_xlabel("decisions in a game")


def _variant_names(found: Comparison) -> tuple[str, str]:
    """Name the two variants by the options in which they differ."""

    def words(options: Mapping[str, str], others: Mapping[str, str]) -> str:
        own = {name: value for name, value in options.items() if others.get(name) != value}
        text = ", ".join(f"{name}={value}" for name, value in own.items())
        return text if len(text) <= 40 else ", ".join(f"other {name}" for name in own)

    one, other = found.before.options, found.after.options
    return words(one, other) or "usual rules", words(other, one) or "usual rules"


def _all_scores(found: Summary) -> Mapping[int, int]:
    counts: dict[int, int] = {}
    for seat in found.seats:
        for score, number in seat.score.counts.items():
            counts[score] = counts.get(score, 0) + number
    return counts


def _mark_clear(name: str, *, clear: bool) -> str:
    return f"{name} *" if clear else name


def _draw_standing(figure: Any, found: TournamentStandings) -> None:
    figure.set_size_inches(11, 2.5 + 0.55 * len(found.bots))
    figure.suptitle(standing_heading(found), fontweight="bold")
    left, right = figure.subplots(1, 2)
    _draw_intervals(left, [(bot.name, bot.rating) for bot in found.bots], is_share=False)
    left.set_title("Ratings, with 95 % intervals")
    left.set_xlabel("OpenSkill rating")
    _draw_matrix(right, found)
    right.set_title("Share of the wins of the row against the column")


def _draw_matrix(axes: Any, found: TournamentStandings) -> None:
    names = [bot.name for bot in found.bots]
    cells = [[float("nan")] * len(names) for _ in names]
    for pair in found.pairs:
        one, other = names.index(pair.one), names.index(pair.other)
        cells[one][other], cells[other][one] = pair.wins_of_one.value, pair.wins_of_other.value
    axes.imshow(cells, cmap="Blues", vmin=0, vmax=1.8, aspect="auto")  # light enough for black text
    for row, line in enumerate(cells):
        for column, share in enumerate(line):
            text = "" if row == column else percent(share, 1)
            axes.text(column, row, text, ha="center", va="center", color="black")
    axes.set_xticks(range(len(names)), names, rotation=20 if len(names) > 3 else 0)
    axes.set_yticks(range(len(names)), names)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _draw_intervals(
    axes: Any,
    rows: Sequence[tuple[str, Estimate]],
    *,
    even: float | None = None,
    signed: bool = False,
    is_share: bool = True,
) -> None:
    """Draw a point with its confidence interval for each row, the first on top, with its value."""
    scale = 100 if is_share else 1
    for place, (_, found) in enumerate(rows):
        value = scale * found.value
        reach = [[value - scale * found.low], [scale * found.high - value]]
        axes.errorbar(value, place, xerr=reach, fmt="o", color=_COLOURS[0], capsize=4, markersize=5)
        digits = 2 if abs(value) < 10 else 1
        text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
        axes.annotate(
            f"{text} %" if is_share else text,
            (value, place),
            (0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=8,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8},
        )
    if even is not None:
        axes.axvline(scale * even, color="#666666", linestyle=":", linewidth=1.2, zorder=0)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.set_ylim(len(rows) - 0.5, -0.7)
    axes.margins(x=0.12)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def _draw_lines(axes: Any, spreads: Mapping[str, Distribution | Mapping[int, int]]) -> None:
    """Draw the relative frequency of each number, with one line per name."""
    for place, (name, spread) in enumerate(spreads.items()):
        counts = spread.counts if isinstance(spread, Distribution) else spread
        total = sum(counts.values()) or 1
        values = range(min(counts, default=0) - 1, max(counts, default=0) + 2)  # ends at zero
        heights = [100 * counts.get(value, 0) / total for value in values]
        style = {"color": _COLOURS[place], "linestyle": _DASHES[place], "linewidth": 1.8}
        axes.plot(list(values), heights, label=name, drawstyle="steps-mid", **style)
        if len(spreads) == 1:
            axes.fill_between(list(values), heights, step="mid", color=_COLOURS[place], alpha=0.25)
    axes.set_ylabel("share of the games, %")
    axes.set_ylim(bottom=0)
    if len(spreads) > 1:
        axes.legend(frameon=False, handlelength=3.5)


def _draw_bars(axes: Any, rows: Sequence[tuple[str, Estimate]]) -> None:
    """Draw a bar for each row, the first on top, with its value."""
    shares = [100 * found.value for _, found in rows]
    bars = axes.barh(range(len(rows)), shares, color=_COLOURS[4], height=0.6)
    axes.bar_label(bars, [percent(found.value, 1) for _, found in rows], padding=4)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.invert_yaxis()
    axes.set_xlim(0, max(shares, default=1) * 1.15)
    axes.set_xlabel("share of the games, %")
