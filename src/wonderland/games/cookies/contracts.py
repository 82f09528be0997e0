"""Optional components of Cookies, each assigned to its protocol so that mypy checks it."""

from __future__ import annotations

from wonderland.components.bots import BotLevels
from wonderland.components.captions import Captions
from wonderland.components.company import Company, NamedPieces
from wonderland.components.editor import Editor
from wonderland.components.heuristics import Heuristics
from wonderland.components.information_sets import InformationSets, Resampling
from wonderland.components.judge import Judge
from wonderland.components.learning import BatchFactory, Learning
from wonderland.components.reasons import Reasons
from wonderland.components.scene import Illustrations, SceneEmblems, SceneUI
from wonderland.components.score_pad import ScorePad
from wonderland.components.terminal import ChoiceLabels, TerminalUI
from wonderland.components.themes import Themes
from wonderland.components.tutorial import Lessons, TutorialGuide
from wonderland.components.words import EndingNames, Words
from wonderland.games.cookies.bots import company, heuristics, judge, levels, themes
from wonderland.games.cookies.compiled import batch, kernel
from wonderland.games.cookies.encoding import information_sets, learning, packing
from wonderland.games.cookies.ui import (
    captions,
    editor,
    illustrations,
    lessons,
    reasons,
    scene,
    score_pad,
    terminal,
    tutorial,
    words,
)
from wonderland.kernels.kernel import Kernel, Packing

BATCH: BatchFactory = batch
BOTS: BotLevels = levels
CAPTIONS: Captions = captions
COMPANY: Company = company
NAMED_PIECES: NamedPieces = company
EDITOR: Editor = editor
HISTORIES: InformationSets = information_sets
RESAMPLING: Resampling = information_sets
JUDGE: Judge = judge
KERNEL: Kernel = kernel
LEARNING: Learning = learning
TUTORIAL: TutorialGuide = tutorial
LESSONS: Lessons = lessons
PACKING: Packing = packing
SCORE_PAD: ScorePad = score_pad
ILLUSTRATIONS: Illustrations = illustrations
REASONS: Reasons = reasons
TERMINAL: TerminalUI = terminal
CHOICE_LABELS: ChoiceLabels = terminal
HEURISTICS: Heuristics = heuristics
THEMES: Themes = themes
SCENE: SceneUI = scene
EMBLEMS: SceneEmblems = scene
WORDS: Words = words
ENDING_NAMES: EndingNames = words
