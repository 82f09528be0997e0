"""The position editor: set up what a player sees at a real table.

A game's `editor.py` defines what can be set; this module renders the form and the resulting scene. The
browser sends each click and shows the response, so it knows no rules. A position is identified by its
line, which is part of the URL and can be saved and shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

import msgspec
from msgspec import Meta

from wonderland.bots.evaluation import recalled_view
from wonderland.components.editor import Facts, Form, Piece, add_piece, editor_of, remove_piece
from wonderland.components.scene import SceneContext
from wonderland.components.words import CardNames, words_of
from wonderland.engine.errors import Impossible, NotationError, UsageError
from wonderland.engine.language import Language
from wonderland.engine.match import seats_to_act
from wonderland.engine.protocol import AnyGame
from wonderland.engine.record_reader import AnyMatch
from wonderland.engine.registry import game
from wonderland.features.positions.advice import seats_in
from wonderland.web.assets import game_picture
from wonderland.web.rendering import environment, placeholder_names, render, render_scene
from wonderland.wire.codes import Code
from wonderland.wire.commands import Seat, Word
from wonderland.wire.problems import Refusal, rule_path

_LONGEST_LINE = 2000

Line = Annotated[str, Meta(max_length=_LONGEST_LINE)]
Fact = Annotated[str, Meta(max_length=400)]


class Touch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clicked piece: `piece` is added to a place, or the one at index `number` is removed from it."""

    place: Word
    piece: Word | None = None
    number: Annotated[int, Meta(ge=0, le=99)] | None = None


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The position so far and the change to make."""

    game: Word
    facts: dict[Word, Fact] = {}
    """Those of the last response, with the selections made since."""
    touch: Touch | None = None


class PositionShown(msgspec.Struct, frozen=True):
    """A position being edited, as shown in the browser."""

    facts: dict[str, str]
    position: str
    """The position's line; it may be incomplete or impossible."""
    seat: int
    says: str
    """What is missing or wrong, or else whose turn it is."""
    ready: bool
    """Whether advice can be requested."""
    html: dict[str, str]
    """The form and the scene, rendered."""
    rule: str = ""
    """The path of the broken rule in the rulebook, if there is one."""


class AdviceRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Request for advice to a seat."""

    game: Word
    position: Line
    seat: Seat


@dataclass(frozen=True, slots=True)
class EditedPosition:
    """A position from the viewpoint of a seat; it may be incomplete or invalid."""

    rules: AnyGame
    line: str
    seat: int
    say: Language
    form: Form | None = None
    wrong: str = ""
    """Why the position is invalid, if already known."""
    rule: str = ""
    """The path of the rule that it breaks, if any."""

    def answer(self) -> PositionShown:
        """The position as sent to the browser."""
        name, say, form = self.rules.info.name, self.say, self.form
        state, says, rule = self._check()
        ready = state is not None and self.seat in seats_to_act(self.rules.turn(state))
        rendered = (
            ""
            if form is None
            else str(render("position_form.html", say, **_form_context(form, name, say)))
        )
        scene = self._scene(state) if state is not None else _empty_scene(name)
        html = {"form": rendered, "scene": scene}
        facts = {} if form is None else form.facts
        return PositionShown(facts, self.line, self.seat, says, ready, html, rule)

    def state(self) -> tuple[Any, str]:
        """Return the state and whose turn it is, or `None` and what is wrong."""
        state, says, _ = self._check()
        return state, says

    def _check(self) -> tuple[Any, str, str]:
        """Return what `state` does, and the path of the rule that the position breaks."""
        say = self.say
        if self.wrong:
            return None, self.wrong, self.rule
        if problem := _describe_missing(self.form, say):
            return None, problem, ""
        try:
            state = self.rules.read_position(self.line)
        except NotationError as error:
            return None, *explain_error(error, self.rules, say)
        if self.seat >= seats_in(self.line, self.rules):
            return None, say("Seat {number} isn't at this table.", number=self.seat + 1), ""
        return state, self._describe_turn(seats_to_act(self.rules.turn(state))), ""

    def _describe_turn(self, turn: Sequence[int]) -> str:
        say = self.say
        if self.seat in turn:
            return say("It's your turn.")
        if not turn:
            return say("Nobody has a choice to make in this position.")
        names = placeholder_names(max(turn) + 1, say)
        return say("Waiting for {names}.", names=say.join_list(names[seat] for seat in turn))

    def _scene(self, state: Any) -> str:
        view = recalled_view(self.rules, state, self.seat)
        legal = self.rules.legal(state, self.seat)
        names = placeholder_names(seats_in(self.line, self.rules), self.say)
        return str(render_scene(self.rules, view, SceneContext(names, legal, (), self.say)))


def explain_error(error: NotationError, rules: AnyGame, say: Language) -> tuple[str, str]:
    """Return an error as a sentence with names for seats and cards, and the path of its rule."""
    words = words_of(rules.info.name)
    message = error.reason if isinstance(error, Impossible) else error.message

    def name_card(card: Any) -> str:
        return words.card_name(card, say) if isinstance(words, CardNames) else str(card)

    named = message.with_names(placeholder_names(rules.info.seats[-1], say))
    return named.sentence(say, name_card), rule_path(rules.info.name, error.rule)


def _empty_scene(name: str) -> str:
    return f'<div class="picture" aria-hidden="true">{game_picture(name)}</div>'


def _describe_missing(form: Form | None, say: Language) -> str:
    """What is missing or too many, in sentences."""
    if form is None:
        return ""
    found = []
    for place in form.places:
        if place.lacks > 0:
            found.append(say("{place}: add {number} more.", place=place.label, number=place.lacks))
        elif place.lacks < 0:
            found.append(say("{place}: {number} too many.", place=place.label, number=-place.lacks))
    return say.sentences([*found, *form.missing])


def _form_context(form: Form, name: str, say: Language) -> dict[str, Any]:
    """Context for the form's template."""
    at = form.place(form.at)
    return {
        "pieces": environment(say).select_template([f"{name}/piece.html", "generic_piece.html"]),
        "form": form,
        "at": at,
        "plain": [choice for choice in form.choices if not choice.is_rare],
        "rare": [choice for choice in form.choices if choice.is_rare],
        "spaces": [place for place in form.places if place.is_space],
        "places": [place for place in form.places if not place.is_space],
        "rows": [[_piece_context(form, piece) for piece in row] for row in at.rows],
        "broadest": max(map(len, at.rows)),
    }


def _piece_context(form: Form, piece: Piece) -> dict[str, Any]:
    """Template context of a piece: which places hold it, and how many are left."""
    at = form.place(form.at)
    holders = form.where(piece, at.pool)
    here = [word for place, word in holders if place.key == at.key]
    return {
        "piece": piece,
        "word": here[-1] if here else piece.words[0],
        "name": piece.name(here[-1] if here else piece.words[0]),
        "here": bool(here),
        "left": piece.copies - len(holders),
        "marks": [place.mark for place, _ in holders],
        "places": [place.label for place, _ in holders],
    }


def apply_edit(name: str, facts: Facts, say: Language, touch: Touch | None = None) -> EditedPosition:
    """Build a position from untrusted facts and apply a click."""
    rules, editor = game(name), editor_of(name)
    if editor is None:
        raise Refusal(Code.NO_EDITOR, "There's no editor for this game. Enter the position on one line.")
    names = placeholder_names(rules.info.seats[-1], say)
    form = editor.form(facts, names, say)
    if touch is not None:
        try:
            after = (
                add_piece(form, touch.place, touch.piece or "")
                if touch.number is None
                else remove_piece(form, touch.place, touch.number)
            )
        except UsageError:
            raise Refusal(Code.NO_SUCH_PIECE, "That place or piece doesn't exist here.") from None
        form = editor.form(after, names, say)
    return EditedPosition(rules, editor.line(form), int(form.value("seat")), say, form)


def open_position(name: str, line: str, seat: int, say: Language) -> EditedPosition:
    """Open a position from an untrusted line; an empty line gives an empty position."""
    rules, editor = game(name), editor_of(name)
    if editor is None:
        return EditedPosition(
            rules, line, seat, say, wrong="" if line else say("Enter a position on one line.")
        )
    if not line:
        return apply_edit(name, {}, say)
    try:
        return apply_edit(name, editor.facts(line, seat), say)
    except NotationError as error:
        shown = apply_edit(name, {}, say)
        return EditedPosition(rules, line, seat, say, shown.form, *explain_error(error, rules, say))


def editor_path(name: str, match: AnyMatch, seat: int, say: Language) -> str:
    """URL of the editor with the current position of a match, as a seat sees it."""
    line = open_position(name, match.game.write_position(match.state), seat, say).line
    return f"/position/{name}?{urlencode({'position': line, 'seat': seat})}"
