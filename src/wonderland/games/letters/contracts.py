"""Static checks that Letters' optional components implement their Protocols; mypy does the checking."""

from __future__ import annotations

from wonderland.components.bots import BotLevels
from wonderland.components.captions import Captions
from wonderland.components.company import Company
from wonderland.components.editor import Editor
from wonderland.components.heuristics import Equivalence, Heuristics
from wonderland.components.information_sets import InformationSets
from wonderland.components.judge import Judge, PerfectRecall
from wonderland.components.learning import BatchFactory, Learning
from wonderland.components.reasons import Reasons
from wonderland.components.scene import (
    Illustrations,
    SceneEmblems,
    SceneHistory,
    ScenePictures,
    SceneSecrecy,
    SceneUI,
)
from wonderland.components.solver import ExactSolver
from wonderland.components.terminal import ArrowKeys, TerminalUI
from wonderland.components.themes import Themes
from wonderland.components.tutorial import Lessons, TutorialGuide
from wonderland.components.words import CardNames, EndingNames, LogWords, TurnWords, Words
from wonderland.games.letters.bots import company, heuristics, judge, levels, themes
from wonderland.games.letters.compiled import batch, kernel
from wonderland.games.letters.encoding import information_sets, learning, packing
from wonderland.games.letters.ui import (
    captions,
    editor,
    illustrations,
    lessons,
    reasons,
    scene,
    solve,
    terminal,
    tutorial,
    words,
)
from wonderland.kernels.kernel import Kernel, Packing

BATCH: BatchFactory = batch
BOTS: BotLevels = levels
CAPTIONS: Captions = captions
COMPANY: Company = company
EDITOR: Editor = editor
HISTORIES: InformationSets = information_sets
JUDGE: Judge = judge
RECALL: PerfectRecall = judge
KERNEL: Kernel = kernel
LEARNING: Learning = learning
TUTORIAL: TutorialGuide = tutorial
LESSONS: Lessons = lessons
PACKING: Packing = packing
ILLUSTRATIONS: Illustrations = illustrations
REASONS: Reasons = reasons
SOLVER: ExactSolver = solve
TERMINAL: TerminalUI = terminal
ARROW_KEYS: ArrowKeys = terminal
HEURISTICS: Heuristics = heuristics
THEMES: Themes = themes
EQUIVALENCE: Equivalence = heuristics
SCENE: SceneUI = scene
EMBLEMS: SceneEmblems = scene
PICTURES: ScenePictures = scene
SCENE_HISTORY: SceneHistory = scene
SCENE_SECRECY: SceneSecrecy = scene
WORDS: Words = words
LOG_WORDS: LogWords = words
CARD_NAMES: CardNames = words
TURN_WORDS: TurnWords = words
ENDING_NAMES: EndingNames = words
