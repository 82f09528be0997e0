"""Plots of results as SVG or PNG, readable in black and white.

Every line has its own dash pattern and every bar its number, so that no meaning depends on colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from wonderland.components.formatting import number, percent
from wonderland.engine.errors import UsageError, quote
from wonderland.engine.language import ENGLISH, Language, phrase
from wonderland.lab.labels import (
    PLACES,
    bot_name,
    change_labels,
    ending_name,
    options_text,
    standings_heading,
    summary_heading,
)
from wonderland.lab.output_files import PartialFile, require_package
from wonderland.lab.standings import TournamentStandings
from wonderland.lab.statistics import Estimate
from wonderland.lab.summary import Comparison, Distribution, SeatSummary, Summary
from wonderland.lab.text_tables import Result

KINDS = (".svg", ".png")
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#222222")  # colour-blind safe
_DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (1, 2)))
_OTHER_FONTS = {
    "ja": ("Noto Sans CJK JP", "Noto Sans JP", "IPAexGothic", "IPAGothic", "TakaoGothic", "Yu Gothic")
}
"""Fonts for languages whose letters the usual font lacks."""
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
        raise UsageError(
            phrase("--plot must name a file ending in .svg or .png, not {path}."), path=quote(path)
        )
    require_package("matplotlib", "plot", "--plot")


def plot(path: str, found: Result, say: Language = ENGLISH) -> None:
    """Plot a result to a new file."""
    matplotlib: Any = require_package("matplotlib", "plot", "--plot")
    figures: Any = require_package("matplotlib.figure", "plot", "--plot")
    unfinished = PartialFile(path)
    say, fonts = _choose_fonts(say)
    with matplotlib.rc_context({**_STYLE, "font.family": fonts}):
        figure = figures.Figure(layout="constrained")
        match found:
            case Summary():
                _draw_summary(figure, found, say)
            case Comparison():
                _draw_comparison(figure, found, say)
            case TournamentStandings():
                _draw_standings(figure, found, say)
        kind = Path(path).suffix.lower().lstrip(".")
        without_date = {"Date": None} if kind == "svg" else {}
        try:
            figure.savefig(unfinished.path, format=kind, dpi=150, metadata=without_date)
        except OSError as error:
            unfinished.drop()
            raise unfinished.fault(error) from error
    unfinished.finish()


def _choose_fonts(say: Language) -> tuple[Language, list[str]]:
    """Return fonts with the letters of a language; English if none of them is installed."""
    fonts = ["DejaVu Sans"]  # comes with matplotlib
    if say.code not in _OTHER_FONTS:
        return say, fonts
    manager: Any = require_package("matplotlib.font_manager", "plot", "--plot")
    installed = {font.name for font in manager.fontManager.ttflist}
    suitable = [name for name in _OTHER_FONTS[say.code] if name in installed]
    return (say, [*fonts, *suitable]) if suitable else (ENGLISH, fonts)


def _draw_summary(figure: Any, found: Summary, say: Language) -> None:
    figure.set_size_inches(11, 7.5)
    figure.suptitle(summary_heading(found, say), fontweight="bold")
    wins, scores, lengths, endings = figure.subplots(2, 2).flat
    rows = [(_seat_name(seat, say), seat.wins) for seat in found.seats]
    rows += [(say(place), part.share) for place, part in zip(PLACES, found.by_order, strict=False)]
    _draw_intervals(wins, rows, say, even=1 / len(found.seats))
    wins.set_title(say("Wins, with 95% confidence intervals"))
    wins.set_xlabel(say("Share of games in % (dotted: even share)"))
    _draw_lines(scores, {_seat_name(seat, say): seat.score for seat in found.seats}, say)
    scores.set_title(say("Scores"))
    scores.set_xlabel(say("Final score"))
    _draw_lines(lengths, {"": found.length}, say)
    lengths.set_title(say("Game length"))
    lengths.set_xlabel(say("Moves per game"))
    rows = [(ending_name(found.game, part.name, say), part.share) for part in found.endings]
    _draw_bars(endings, [*rows, (say("Shared win"), found.shared)], say)
    endings.set_title(say("How games end"))


def _seat_name(seat: SeatSummary, say: Language) -> str:
    return say("Seat {number}: {bot}", number=seat.seat, bot=bot_name(seat.bot, say))


def _draw_comparison(figure: Any, found: Comparison, say: Language) -> None:
    figure.set_size_inches(11, 8)
    before, after = _variant_names(found, say)
    compared = say("Compared with: {variant}", variant=after)
    figure.suptitle(f"{summary_heading(found.before, say)}\n{compared}", fontweight="bold")
    shares, scores, lengths, numbers = figure.subplots(2, 2).flat
    rows = [
        (_mark_clear(label, clear=each.is_clear), each.difference)
        for label, each in zip(change_labels(found, say), found.changes, strict=True)
    ]
    cut = sum(each.is_share for each in found.changes)
    _draw_intervals(shares, rows[:cut], say, even=0.0)
    shares.set_title(say("Differences, with 95% confidence intervals (* clear)"))
    shares.set_xlabel(say("Share of games in %: after minus before"))
    _draw_intervals(numbers, rows[cut:], say, even=0.0, is_share=False)
    numbers.set_title(say("Differences in points and moves (* clear)"))
    numbers.set_xlabel(say("After minus before"))
    _draw_lines(scores, {before: _all_scores(found.before), after: _all_scores(found.after)}, say)
    scores.set_title(say("Scores, all seats"))
    scores.set_xlabel(say("Final score"))
    _draw_lines(lengths, {before: found.before.length, after: found.after.length}, say)
    lengths.set_title(say("Game length"))
    lengths.set_xlabel(say("Moves per game"))


def _variant_names(found: Comparison, say: Language) -> tuple[str, str]:
    """Name the two variants by the options in which they differ."""

    def name(options: Mapping[str, str], others: Mapping[str, str]) -> str:
        own = {name: value for name, value in options.items() if others.get(name) != value}
        return options_text(own, say) or say("Standard rules")

    one, other = found.before.options, found.after.options
    return name(one, other), name(other, one)


def _all_scores(found: Summary) -> Mapping[int, int]:
    counts: dict[int, int] = {}
    for seat in found.seats:
        for score, games in seat.score.counts.items():
            counts[score] = counts.get(score, 0) + games
    return counts


def _mark_clear(name: str, *, clear: bool) -> str:
    return f"{name} *" if clear else name


def _draw_standings(figure: Any, found: TournamentStandings, say: Language) -> None:
    figure.set_size_inches(11, 2.5 + 0.55 * len(found.bots))
    figure.suptitle(standings_heading(found, say), fontweight="bold")
    left, right = figure.subplots(1, 2)
    rows = [(bot_name(bot.name, say), bot.rating) for bot in found.bots]
    _draw_intervals(left, rows, say, is_share=False)
    left.set_title(say("Ratings, with 95% confidence intervals"))
    left.set_xlabel(say("OpenSkill rating"))
    _draw_matrix(right, found, say)
    right.set_title(say("Wins of each row against each column"))


def _draw_matrix(axes: Any, found: TournamentStandings, say: Language) -> None:
    names = [bot.name for bot in found.bots]
    cells = [[float("nan")] * len(names) for _ in names]
    for pair in found.pairs:
        one, other = names.index(pair.one), names.index(pair.other)
        cells[one][other], cells[other][one] = pair.wins_of_one.value, pair.wins_of_other.value
    axes.imshow(cells, cmap="Blues", vmin=0, vmax=1.8, aspect="auto")  # light enough for black text
    for row, line in enumerate(cells):
        for column, share in enumerate(line):
            text = "" if row == column else percent(share, say)
            axes.text(column, row, text, ha="center", va="center", color="black")
    shown = [bot_name(name, say) for name in names]
    axes.set_xticks(range(len(names)), shown, rotation=20 if len(names) > 3 else 0)
    axes.set_yticks(range(len(names)), shown)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)


def _draw_intervals(
    axes: Any,
    rows: Sequence[tuple[str, Estimate]],
    say: Language,
    *,
    even: float | None = None,
    is_share: bool = True,
) -> None:
    """Draw a point with its confidence interval for each row, the first on top, with its value."""
    scale = 100 if is_share else 1
    signed = even == 0.0  # they are differences
    for place, (_, found) in enumerate(rows):
        value = scale * found.value
        reach = [[value - scale * found.low], [scale * found.high - value]]
        axes.errorbar(value, place, xerr=reach, fmt="o", color=_COLOURS[0], capsize=4, markersize=5)
        digits = 2 if abs(value) < 10 else 1
        show = percent if is_share else number
        axes.annotate(
            show(found.value, say, digits, signed=signed),
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


def _draw_lines(
    axes: Any, spreads: Mapping[str, Distribution | Mapping[int, int]], say: Language
) -> None:
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
    axes.set_ylabel(say("Share of games in %"))
    axes.set_ylim(bottom=0)
    if len(spreads) > 1:
        axes.legend(frameon=False, handlelength=3.5)


def _draw_bars(axes: Any, rows: Sequence[tuple[str, Estimate]], say: Language) -> None:
    """Draw a bar for each row, the first on top, with its value."""
    shares = [100 * found.value for _, found in rows]
    bars = axes.barh(range(len(rows)), shares, color=_COLOURS[4], height=0.6)
    axes.bar_label(bars, [percent(found.value, say) for _, found in rows], padding=4)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.invert_yaxis()
    axes.set_xlim(0, max(shares, default=1) * 1.15)
    axes.set_xlabel(say("Share of games in %"))
