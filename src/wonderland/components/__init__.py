"""The optional components of a game: the purpose and contract of each, and the fallback without it.

`COMPONENTS` is the whole list. A component is a module of the game's package, and its contract is a
Protocol: each game's `contracts.py` assigns its modules to these Protocols, so that mypy checks them.
`docs/components.md` describes every component and every member.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

from wonderland.engine.values import Value


class Component(Value, frozen=True):
    """One optional component of a game."""

    name: str
    """The key for `registry.component`: a folder of the game's package and a module in it."""
    protocol: str
    """The full name of the Protocol that its module implements."""
    purpose: str
    without: str
    """The fallback for a game without it."""
    extras: tuple[str, ...] = ()
    """The full names of Protocols that the module may also implement."""

    @property
    def places(self) -> tuple[str, str]:
        """The possible paths of the module in the game's package: in its folder, or at the top level.

        >>> COMPONENTS[0].places
        ('ui/words.py', 'words.py')
        """
        folder, _, file = self.name.partition(".")
        return f"{folder}/{file}.py", f"{file}.py"

    def contract(self) -> type[Any]:
        """Import the Protocol, which is done lazily."""
        return _load(self.protocol)

    def optional_contracts(self) -> tuple[type[Any], ...]:
        """Import the Protocols in `extras`."""
        return tuple(map(_load, self.extras))


def _load(protocol: str) -> type[Any]:
    found: type[Any] = resolve_name(protocol)
    return found


def members(protocol: type[Any]) -> tuple[str, ...]:
    """Return the names that a module must define to implement a Protocol, in order of definition.

    >>> members(COMPONENTS[0].contract())
    ('describe_event', 'describe', 'describe_action')
    """
    return tuple(name for name in vars(protocol) if not name.startswith("_"))


COMPONENTS = (
    Component(
        "ui.words",
        "wonderland.components.words.Words",
        "The table, events and choices in sentences.",
        "The values themselves are printed, field by field.",
        (
            "wonderland.components.words.LogWords",
            "wonderland.components.words.CardNames",
            "wonderland.components.words.TurnWords",
            "wonderland.components.words.EndingNames",
        ),
    ),
    Component(
        "ui.captions",
        "wonderland.components.captions.Captions",
        "The last move in one sentence, with what it cost.",
        "All sentences about the move are shown.",
    ),
    Component(
        "ui.terminal",
        "wonderland.components.terminal.TerminalUI",
        "The table drawn in the terminal.",
        "The terminal shows the table in words.",
        ("wonderland.components.terminal.ChoiceLabels", "wonderland.components.terminal.ArrowKeys"),
    ),
    Component(
        "ui.scene",
        "wonderland.components.scene.SceneUI",
        "The table drawn in the browser.",
        "The browser shows the table in words, with a button for each choice.",
        (
            "wonderland.components.scene.SceneHistory",
            "wonderland.components.scene.SceneSecrecy",
            "wonderland.components.scene.SceneDecks",
            "wonderland.components.scene.ScenePictures",
            "wonderland.components.scene.SceneEmblems",
        ),
    ),
    Component(
        "ui.tutorial",
        "wonderland.components.tutorial.TutorialGuide",
        "A first game at a prepared table, with a guide who explains it.",
        "No tutorial is offered.",
    ),
    Component(
        "ui.lessons",
        "wonderland.components.tutorial.Lessons",
        "Short tutorials with one theme each, which end in puzzles.",
        "No lessons are offered.",
    ),
    Component(
        "ui.score_pad",
        "wonderland.components.score_pad.ScorePad",
        "A score pad in the browser for players with the real game on the table.",
        "The pad keeps a tally of wins.",
    ),
    Component(
        "ui.illustrations",
        "wonderland.components.scene.Illustrations",
        "Positions drawn in the rulebook in the browser.",
        "The rulebook is plain text.",
    ),
    Component(
        "ui.editor",
        "wonderland.components.editor.Editor",
        "A form for setting up positions in the browser.",
        "Positions are typed in as a line of text.",
    ),
    Component(
        "ui.reasons",
        "wonderland.components.reasons.Reasons",
        "Why one choice is better than another, in a sentence or two.",
        "The coach compares the two win probabilities; advice on a position gives no reason.",
    ),
    Component(
        "ui.solve",
        "wonderland.components.solver.ExactSolver",
        "The command `wonderland solve`.",
        "The command says that the game can't be solved.",
    ),
    Component(
        "bots.levels",
        "wonderland.components.bots.BotLevels",
        "Bots that know the game.",
        "The game is played by Dodo, at random, and by Hatter, a search that works for any game.",
    ),
    Component(
        "bots.company",
        "wonderland.components.company.Company",
        "Moments of the game on which bots remark, each in character.",
        "Bots remark on the end of the game only.",
        ("wonderland.components.company.OwnCharacters", "wonderland.components.company.NamedPieces"),
    ),
    Component(
        "bots.judge",
        "wonderland.components.judge.Judge",
        "The value of each choice, for the coach, puzzles and advice.",
        "Choices are valued by random playouts of the readable rules, which is slow.",
        ("wonderland.components.judge.PerfectRecall",),
    ),
    Component(
        "bots.heuristics",
        "wonderland.components.heuristics.Heuristics",
        "Rules of thumb that a good puzzle can't be solved by.",
        "No puzzles can be made.",
        ("wonderland.components.heuristics.Equivalence",),
    ),
    Component(
        "bots.themes",
        "wonderland.components.themes.Themes",
        "What a position is about, so that players can practise one thing at a time.",
        "Puzzles have no themes.",
    ),
    Component(
        "compiled.kernel",
        "wonderland.kernels.kernel.Kernel",
        "The rules compiled to machine code, for simulations and search.",
        "Simulations play by the readable rules.",
    ),
    Component(
        "compiled.batch",
        "wonderland.components.learning.BatchFactory",
        "Many plays at once on the kernel, for the vector environment.",
        "There is no vector environment, and PettingZoo plays by the readable rules.",
    ),
    Component(
        "encoding.packing",
        "wonderland.kernels.kernel.Packing",
        "States and actions as the numbers of the kernel.",
        "The kernel is not used.",
    ),
    Component(
        "encoding.learning",
        "wonderland.components.learning.Learning",
        "Observations and actions as numbers, for learning agents.",
        "The environments say that the game has none.",
    ),
    Component(
        "encoding.information_sets",
        "wonderland.components.information_sets.InformationSets",
        "The length of plays, and the other histories that a seat could have observed.",
        "Histories are resampled by trial, which suits small games only; OpenSpiel gets no "
        "information-state tensor.",
        ("wonderland.components.information_sets.Resampling",),
    ),
)
"""Every optional component of a game."""
