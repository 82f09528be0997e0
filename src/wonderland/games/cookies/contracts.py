"""The optional components of Cookies: mypy checks each module against its Protocol here."""

from __future__ import annotations

from wonderland.components.score_pad import ScorePad
from wonderland.core.bot import BotLevels
from wonderland.core.editing import Editor
from wonderland.core.history import Histories, Retelling
from wonderland.core.learning import BatchFactory, Learning
from wonderland.core.lesson import Teacher
from wonderland.core.picture import Drawing
from wonderland.core.reasons import Reasons
from wonderland.core.scene import Illustrations, SceneUI
from wonderland.core.thumb import Heuristics
from wonderland.core.words import EndingNames, Words
from wonderland.core.worth import Judge
from wonderland.games.cookies import (
    batch,
    bot,
    editor,
    history,
    judge,
    kernel,
    learning,
    lesson,
    packing,
    pad,
    pictures,
    reasons,
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
RESAMPLING: Retelling = history
JUDGE: Judge = judge
KERNEL: Kernel = kernel
LEARNING: Learning = learning
TUTORIAL: Teacher = lesson
PACKING: Packing = packing
SCORE_PAD: ScorePad = pad
ILLUSTRATIONS: Illustrations = pictures
REASONS: Reasons = reasons
TERMINAL: Drawing = terminal
HEURISTICS: Heuristics = thumb
SCENE: SceneUI = web
WORDS: Words = words
ENDING_NAMES: EndingNames = words
