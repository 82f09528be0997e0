"""The characters of Wonderland, who lend the bots their names, their faces and a few words.

Each level has characters of its own. At a table with more bots of a level than that, characters of
neighbouring levels help out; no two bots at a table share a name.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable
from functools import cache

from wonderland.bots.levels import level, levels
from wonderland.components.bots import translate_bot
from wonderland.components.company import Character, own_characters, piece_names
from wonderland.engine.language import Language, phrase

SHARED: dict[str, tuple[Character, ...]] = {
    "dodo": (
        Character(
            phrase("Dodo"),
            phrase("Runs in circles, and plays whatever comes to mind."),
            {
                "setback": phrase("Oh dear. Whose idea was that?"),
                "success": phrase("Everybody look! I did something!"),
                "won": phrase("I won? I was only strolling about."),
                "lost": phrase("Everybody has won, and all must have prizes."),
            },
        ),
        Character(
            phrase("Dormouse"),
            phrase("Plays in its sleep."),
            {
                "setback": phrase("Zzz… what's all this in my lap?"),
                "success": phrase("I wasn't asleep. I was planning."),
                "won": phrase("Wake me when it's over. Oh."),
                "lost": phrase("I dreamt that I was winning."),
            },
        ),
        Character(
            phrase("Flamingo"),
            phrase("Plays whatever its neck happens to point at."),
            {
                "setback": phrase("That's enough to ruffle one's feathers."),
                "success": phrase("And all on one leg!"),
                "won": phrase("I do stand out, don't I?"),
                "lost": phrase("I'll just put my head under my wing."),
            },
        ),
    ),
    "white-rabbit": (
        Character(
            phrase("White Rabbit"),
            phrase("Always in a hurry: plays what looks best right now."),
            {
                "setback": phrase("Oh my ears and whiskers!"),
                "success": phrase("Just in time!"),
                "won": phrase("Early, for once!"),
                "lost": phrase("Too late, too late, as ever."),
            },
        ),
        Character(
            phrase("Hedgehog"),
            phrase("Rolls straight at whatever is nearest."),
            {
                "setback": phrase("Ouch. And I'm the one with the spines."),
                "success": phrase("Straight through the hoop!"),
                "won": phrase("Small, round, and first."),
                "lost": phrase("I'll curl up for a while, if I may."),
            },
        ),
        Character(
            phrase("Mock Turtle"),
            phrase("Sighs, and does what hurts least today."),
            {
                "setback": phrase("Once I was happy. Once."),
                "success": phrase("I could almost stop weeping."),
                "won": phrase("Now I have to weep for joy."),
                "lost": phrase("Nothing but sorrow, as usual."),
            },
        ),
    ),
    "hatter": (
        Character(
            phrase("Hatter"),
            phrase("Imagines a few ways the game might go."),
            {
                "setback": phrase("More? I haven't had any tea yet!"),
                "success": phrase("A clean cup for me! Everyone move one place on."),
                "won": phrase("It's always six o'clock, and I always win."),
                "lost": phrase("Time and I have quarrelled again."),
            },
        ),
        Character(
            phrase("March Hare"),
            phrase("Tries a few mad ideas, and keeps the best one."),
            {
                "setback": phrase("And it was the best butter, too."),
                "success": phrase("More tea, everyone!"),
                "won": phrase("Mad? Look at the score."),
                "lost": phrase("I blame the butter."),
            },
        ),
        Character(
            phrase("Walrus"),
            phrase("Talks of a few things before choosing."),
            {
                "setback": phrase("I weep for me. I deeply sympathise."),
                "success": phrase("The time has come!"),
                "won": phrase("A pleasant walk, a pleasant win."),
                "lost": phrase("It seems a shame, after coming so far."),
            },
        ),
    ),
    "cheshire": (
        Character(
            phrase("Cheshire"),
            phrase("Sees a great deal coming, and grins."),
            {
                "setback": phrase("I could vanish now, if you like."),
                "success": phrase("Watch the grin."),
                "won": phrase("I'll leave you the grin."),
                "lost": phrase("You'll see less and less of me now."),
            },
        ),
        Character(
            phrase("Caterpillar"),
            phrase("Takes its time, and forgets very little."),
            {
                "setback": phrase("Who… did that?"),
                "success": phrase("One side makes you taller."),
                "won": phrase("Keep your temper."),
                "lost": phrase("I was somebody else a moment ago."),
            },
        ),
        Character(
            phrase("Duchess"),
            phrase("Has seen it all before, and knows the moral."),
            {
                "setback": phrase("And the moral of that is: duck."),
                "success": phrase("Everything has a moral, if only you can find it."),
                "won": phrase("The moral is: sit where I sit."),
                "lost": phrase("I shall speak roughly to somebody for this."),
            },
        ),
    ),
    "queen": (
        Character(
            phrase("Queen"),
            phrase("Thinks ahead, turn by turn, and forgives nothing."),
            {
                "setback": phrase("Somebody will lose their head for this!"),
                "success": phrase("As it should be."),
                "won": phrase("All ways about here belong to me."),
                "lost": phrase("Sentence first, scores afterwards!"),
            },
        ),
        Character(
            phrase("King"),
            phrase("Goes on thinking till the end, then stops."),
            {
                "setback": phrase("Rule forty-two: this doesn't count."),
                "success": phrase("The most important move we've seen yet."),
                "won": phrase("Go on till you win, then stop."),
                "lost": phrase("Consider your verdict. I'd rather not."),
            },
        ),
        Character(
            phrase("Carpenter"),
            phrase("Measures every move twice."),
            {
                "setback": phrase("Measured twice, and still too long."),
                "success": phrase("A perfect fit."),
                "won": phrase("Sawn, planed and finished."),
                "lost": phrase("Back to the workbench."),
            },
        ),
    ),
}
"""The shared characters by the word of their level, the weakest first; the first gave it its name."""
LEVEL_SEPARATOR = " · "
_DIFFICULTIES = (phrase("easiest"), phrase("easy"), phrase("medium"), phrase("hard"), phrase("hardest"))


def difficulty(game: str, word: str) -> str:
    """Return how hard a level of a game is, as a translatable message.

    >>> difficulty("parade", "white-rabbit")
    'easy'
    """
    known = [each.word for each in levels(game)]
    return _DIFFICULTIES[_scale(known.index(level(game, word).word), len(known))]


def _scale(rank: int, count: int) -> int:
    """Return the place of one of `count` levels on the scale of five."""
    return round(rank * (len(_DIFFICULTIES) - 1) / max(1, count - 1))


@cache
def characters(game: str, word: str) -> tuple[Character, ...]:
    """Return the characters of a level: the game's own, then the shared ones."""
    found = level(game, word)
    rank = [each.word for each in levels(game)].index(found.word)
    shared = SHARED.get(found.word) or list(SHARED.values())[_scale(rank, len(levels(game)))]
    return (*own_characters(game).get(found.word, ()), *shared)


@cache
def everyone(game: str) -> dict[str, Character]:
    """Return all characters that may appear in a game, by their name in lower case."""
    homes = [characters(game, each.word) for each in levels(game)]
    return {each.name.casefold(): each for home in (*homes, *SHARED.values()) for each in home}


def find_character(game: str, name: str) -> Character | None:
    """Return the character of this name, if there is one."""
    return everyone(game).get(name.casefold())


def home_level(game: str, name: str) -> str | None:
    """Return the word of the level at which a character usually plays; `None` for anyone else."""
    for each in levels(game):
        if any(name.casefold() == one.name.casefold() for one in characters(game, each.word)):
            return each.word
    return None


def pick_character(
    game: str, word: str, taken: Collection[str], rng: random.Random | None = None
) -> str:
    """Return the name of a character for a bot, other than those taken (names or portraits).

    With `rng` it is any character of the level, otherwise the first one that is free. Where none is
    left, a character of the nearest level helps out, and finally they are numbered. Nobody is called
    like one of the game's pieces.
    """
    busy = {_word(name) for name in (*taken, *piece_names(game))}
    rank = [each.word for each in levels(game)].index(level(game, word).word)
    by_distance = sorted(enumerate(levels(game)), key=lambda pair: abs(pair[0] - rank))
    for group in (*(characters(game, each.word) for _, each in by_distance), *SHARED.values()):
        free = [each for each in group if each.word not in busy]
        if free:
            return (rng.choice(free) if rng is not None else free[0]).name
    first = characters(game, word)[0].name
    return next(name for n in range(2, len(busy) + 3) if _word(name := f"{first} {n}") not in busy)


def may_appear(game: str, name: str) -> bool:
    """Return whether a bot of a game may have this name: a character's, and no piece's.

    >>> may_appear("parade", "Hatter"), may_appear("cookies", "Hatter")
    (True, False)
    """
    pieces = {_word(piece) for piece in piece_names(game)}
    return find_character(game, _without_number(name)) is not None and _word(name) not in pieces


def _word(name: str) -> str:
    return name.casefold().replace(" ", "-")


def introduce(game: str, name: str, word: str, say: Language) -> str:
    """Return how a bot plays, in a sentence: a character at home says so in its own way.

    >>> from wonderland.engine.language import ENGLISH
    >>> introduce("parade", "Dormouse", "dodo", ENGLISH)
    'Plays in its sleep.'
    >>> introduce("parade", "Dormouse", "white-rabbit", ENGLISH)
    'Takes the fewest points right now.'
    """
    found = find_character(game, name)
    if found is not None and found in characters(game, word):
        return say(found.about)
    return say("{sentence}.", sentence=say.capital(say(level(game, word).about)))


def name_with_level(name: str, difficulty: str) -> str:
    """Return the name of a bot with how hard it is to beat, as records keep it: `Dormouse · easiest`."""
    return f"{name}{LEVEL_SEPARATOR}{difficulty}"


def level_in_name(game: str, name: str) -> str | None:
    """Return the word of the level that plays under a name in a record; `None` for a person.

    >>> level_in_name("parade", "Hatter · hardest"), level_in_name("parade", "Hatter 2")
    ('queen', 'hatter')
    """
    title, _, wanted = name.partition(LEVEL_SEPARATOR)
    if find_character(game, _without_number(title)) is None:
        return None
    by_difficulty = {difficulty(game, each.word): each.word for each in reversed(levels(game))}
    return by_difficulty[wanted] if wanted in by_difficulty else home_level(game, _without_number(title))


def display_name(game: str, name: str, say: Language) -> str:
    """Return the name of a player to show: that of a character is translated, without its level."""
    title, _, _ = name.partition(LEVEL_SEPARATOR)
    return translate_bot(title, say) if find_character(game, _without_number(title)) else name


def display_names(game: str, names: Iterable[str], say: Language) -> list[str]:
    """Return the names of all players of a record to show."""
    return [display_name(game, name, say) for name in names]


def split_level(name: str) -> tuple[str, str]:
    """Return the name of a player in a record without its level, and how hard it is to beat, if known.

    >>> split_level("Dormouse · easiest"), split_level("Alice")
    (('Dormouse', 'easiest'), ('Alice', ''))
    """
    title, _, wanted = name.partition(LEVEL_SEPARATOR)
    return (title, wanted) if wanted in _DIFFICULTIES else (name, "")


def _without_number(name: str) -> str:
    title, _, number = name.rpartition(" ")
    return title if number.isdigit() else name
