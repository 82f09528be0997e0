"""Static checks that Parade's optional components implement their Protocols; mypy does the checking."""

from __future__ import annotations

from wonderland.components.bots import BotLevels
from wonderland.components.captions import Captions
from wonderland.components.company import Company
from wonderland.components.editor import Editor
from wonderland.components.heuristics import Heuristics
from wonderland.components.information_sets import InformationSets, Resampling
from wonderland.components.judge import Judge
from wonderland.components.learning import BatchFactory, Learning
from wonderland.components.reasons import Reasons
from wonderland.components.scene import Illustrations, SceneDecks, SceneEmblems, ScenePictures, SceneUI
from wonderland.components.score_pad import ScorePad
from wonderland.components.terminal import ChoiceLabels, TerminalUI
from wonderland.components.themes import Themes
from wonderland.components.tutorial import Lessons, TutorialGuide
from wonderland.components.words import CardNames, EndingNames, Words
from wonderland.games.parade.bots import company, heuristics, judge, levels, themes
from wonderland.games.parade.compiled import batch, kernel
from wonderland.games.parade.encoding import information_sets, learning, packing
from wonderland.games.parade.ui import (
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
LABELS: ChoiceLabels = terminal
HEURISTICS: Heuristics = heuristics
THEMES: Themes = themes
SCENE: SceneUI = scene
EMBLEMS: SceneEmblems = scene
DECKS: SceneDecks = scene
PICTURES: ScenePictures = scene
WORDS: Words = words
CARD_NAMES: CardNames = words
ENDING_NAMES: EndingNames = words
