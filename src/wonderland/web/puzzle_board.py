"""A puzzle on a page: what is asked, and the verdict on an answer.

Any feature that has puzzles (`wonderland.bots.puzzle`) can show them: `asked` reads the answers in the
address, `question_context` and `answer_context` fill the macros of `templates/puzzle_board.html`, and
`static/puzzle-board.js` turns a choice on the table into the address of the next page. The address ends
in `choice=…`, once for each decision made so far. `static/puzzle-record.js` keeps results, streak and
rating on the device, under a key that the feature chooses. `features/puzzles` shows how.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from wonderland.bots.puzzle import Puzzle, Question
from wonderland.components.formatting import percent
from wonderland.components.reasons import explainer_of
from wonderland.components.scene import SceneContext
from wonderland.components.words import words_of
from wonderland.engine.language import Language
from wonderland.web.rendering import placeholder_names, render_scene
from wonderland.wire.codes import Code
from wonderland.wire.problems import Refusal

MODULES = ("api", "dom", "highlights", "choices", "pictures", "puzzle-board", "puzzle-record")
"""Script modules that a page with a puzzle needs."""
_CACHE_SIZE = 512
_INTERVAL_ERRORS = 2.0
"""Half-width of a 95% confidence interval, in standard errors."""


class Asked:
    """How far a player has come in a puzzle."""

    def __init__(self, question: Question, answer: str | None, answers: tuple[str, ...]) -> None:
        self.question = question
        """The decision that is asked, or that was answered last."""
        self.answer = answer
        """The answer to it, if the puzzle is over."""
        self.answers = answers
        """All correct answers before it."""


def asked(name: str, puzzle: Puzzle, answers: Sequence[str]) -> Asked:
    """Return what to show after these answers; `Refusal` if they are impossible."""
    for number, word in enumerate(answers):
        if number == len(puzzle.steps):
            break
        step, before = puzzle.steps[number], tuple(answers[:number])
        if word not in (option.action for option in step.options):
            break
        is_right, is_last = word in step.solutions, number == len(puzzle.steps) - 1
        if number == len(answers) - 1 and (is_last or not is_right):
            return Asked(Question(name, puzzle, number), word, before)
        if not is_right:
            break
    else:
        return Asked(Question(name, puzzle, len(answers)), None, tuple(answers))
    raise Refusal(Code.NO_SUCH_CHOICE, "You can't play that in this puzzle.")


def address(path: str, given: Asked, fields: dict[str, str]) -> str:
    """Return the address to which an answer to the question is appended."""
    pairs = [*fields.items(), *(("choice", word) for word in given.answers), ("choice", "")]
    return f"{path}?{urlencode(pairs)}"


def question_context(asked: Asked, say: Language) -> dict[str, Any]:
    """Template context of a question: the scene, the choices in words, and what has happened."""
    question = asked.question
    rules, puzzle = question.game, question.puzzle
    names, words = placeholder_names(puzzle.seats, say), words_of(rules.info.name)
    told = (words.describe_event(event, names, say) for event in question.events)
    return {
        "name": names[puzzle.seat],
        "scene": render_scene(rules, question.view, SceneContext(names, question.legal, (), say)),
        "choices": [
            (rules.write(action), describe_choice(question, action, say)) for action in question.legal
        ],
        "happened": say.sentences([text for text in told if text]),
        "step": question.number + 1,
        "steps": len(puzzle.steps),
    }


def answer_context(asked: Asked, say: Language) -> dict[str, Any]:
    """Template context of the verdict: win probabilities of all choices, and why the best is best."""
    question = asked.question
    assert asked.answer is not None  # noqa: S101 - the caller has checked
    return _answer_context(question.game.info.name, question.puzzle, question.number, asked.answer, say)


@lru_cache(_CACHE_SIZE)
def _answer_context(name: str, puzzle: Puzzle, number: int, word: str, say: Language) -> dict[str, Any]:
    question = Question(name, puzzle, number)
    chosen = question.action(word)
    solved, best, rule = question.is_solved_by(chosen), question.best, question.missed_by
    tempting = question.tempting()
    other = tempting if solved else question.judgement.of(chosen)
    names = placeholder_names(puzzle.seats, say)
    values = sorted(question.judgement.action_values, key=lambda value: -value.chance)
    return {
        "solved": solved,
        "best": question.game.write(best.action),
        "reason": explainer_of(name)(question.view, best, other, names, say),
        "rule": None if rule is None else say(rule.says),
        "position": question.position,
        "options": [
            {
                "play": question.game.write(value.action),
                "says": describe_choice(question, value.action, say),
                "width": round(100 * value.chance),
                "chance": percent(value.chance, say, 0),
                "off": round(100 * _INTERVAL_ERRORS * value.error),
                "is_best": question.is_solved_by(value.action),
                "is_chosen": value.action == chosen,
            }
            for value in values
        ],
    }


def describe_choice(question: Question, action: Any, say: Language) -> str:
    """Describe a choice in words that can begin a sentence."""
    words = words_of(question.game.info.name)
    return say.capital(words.describe_action(question.view, action, say))
