"""The optional components of Letters: mypy checks each module against its Protocol here."""

from __future__ import annotations

from wonderland.components.solver import Solver
from wonderland.core.bot import BotLevels
from wonderland.core.editing import Editor
from wonderland.core.history import Histories
from wonderland.core.learning import BatchFactory, Learning
from wonderland.core.lesson import Teacher
from wonderland.core.picture import ArrowKeys, Drawing
from wonderland.core.reasons import Reasons
from wonderland.core.scene import Illustrations, SceneHistory, SceneSecrecy, SceneUI
from wonderland.core.thumb import Equivalence, Heuristics
from wonderland.core.words import CardNames, EndingNames, LogWords, Words
from wonderland.core.worth import Judge, PerfectRecall
from wonderland.games.letters import (
    batch,
    bot,
    editor,
    history,
    judge,
    kernel,
    learning,
    lesson,
    packing,
    pictures,
    reasons,
    solve,
    terminal,
    thumb,
    web,
    words,
)
from wonderland.kernels.kernel import Kernel, Packing

BATCH: BatchFactory = batch
BOTS: BotLevels = bot
EDITOR: Editor = editor
HISTORIES: Histories = history
JUDGE: Judge = judge
RECALL: PerfectRecall = judge
KERNEL: Kernel = kernel
LEARNING: Learning = learning
TUTORIAL: Teacher = lesson
PACKING: Packing = packing
ILLUSTRATIONS: Illustrations = pictures
REASONS: Reasons = reasons
SOLVER: Solver = solve
TERMINAL: Drawing = terminal
ARROW_KEYS: ArrowKeys = terminal
HEURISTICS: Heuristics = thumb
EQUIVALENCE: Equivalence = thumb
SCENE: SceneUI = web
SCENE_HISTORY: SceneHistory = web
SCENE_SECRECY: SceneSecrecy = web
WORDS: Words = words
LOG_WORDS: LogWords = words
CARD_NAMES: CardNames = words
ENDING_NAMES: EndingNames = words
