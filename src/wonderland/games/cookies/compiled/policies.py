"""Playout policies of Cookies, compiled to C: the random one and the greedy White Rabbit.

The White Rabbit takes what its card gives now and never uses hidden information. Its heuristic values
are in fractions of a point: `POINT` of them make one.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from wonderland.kernels import cython_fallback as cython

if cython.compiled:
    from cython.cimports.wonderland.games.cookies.compiled.play import (
        ACCEPT,
        AGAIN,
        CATERPILLAR,
        CHESHIRE_CAT,
        DECIDING,
        DOWN,
        ENDED,
        NOBODY,
        ONE,
        RABBIT_HOLE,
        SMALL_COOKIES,
        TAKING,
        TEA_PARTY,
        UP,
        WALK,
        FastPlay,
        steps_of,
    )
else:
    from wonderland.games.cookies.compiled.play import (
        ACCEPT,
        AGAIN,
        CATERPILLAR,
        CHESHIRE_CAT,
        DECIDING,
        DOWN,
        ENDED,
        NOBODY,
        ONE,
        RABBIT_HOLE,
        SMALL_COOKIES,
        TAKING,
        TEA_PARTY,
        UP,
        WALK,
        FastPlay,
        steps_of,
    )

    # The same as in `policies.pxd`. All but `POINT` were tuned by self-play.
    POINT = 64
    TURNED = 64  # becoming large, or not becoming small
    STUCK = 64  # penalty for failing to climb out of the Rabbit Hole
    KEPT_JOKER = 48
    SPIN = 8  # per spin to climb out
    STEP = 2


def mean_cookie(play: FastPlay) -> cython.int:
    """Expected value of the top cookie of the stack."""
    value: cython.int
    total: cython.int = 0
    if not play.stack:
        return 0
    for value in range(2, 6):
        total += value * cython.cast(cython.int, play.stack >> (4 * value) & 15)
    return POINT * total // cython.cast(cython.int, play.stack >> 32)


def mean_spin(play: FastPlay) -> cython.int:
    """Expected value of stopping on Small Cookies (C14)."""
    spin: cython.int = POINT * play.spin_total // play.size
    return min(spin, POINT * play.small_left)


def value_of_journey(play: FastPlay, target: cython.int, steps: cython.int) -> cython.int:
    """Value of moving to this space, and on from a Cat; spaces past the last one keep counting up."""
    value: cython.int = 0
    cats: cython.ulonglong = 0
    kind: cython.int = CHESHIRE_CAT
    best: cython.int = POINT * play.face_up
    while True:
        target = play.free_from(play.seat, target)
        if target > play.size:  # C10
            value += POINT * play.face_up
        target = target if target < play.size else target - play.size
        kind = play.kind_at(target)
        if kind != CHESHIRE_CAT or cats >> target & 1:
            break
        cats |= ONE << target
        target += steps
    if kind == TEA_PARTY:  # C13
        value += max(mean_cookie(play), best)
    elif kind == SMALL_COOKIES:
        value += mean_spin(play)
    elif kind == CATERPILLAR:  # C15
        value += -TURNED if play.large == play.seat else TURNED
    return value


def value_of_card(play: FastPlay, action: cython.int) -> cython.int:
    """Value of playing a card."""
    space: cython.int = play.pawns[play.seat]
    steps: cython.int = steps_of(action)
    value: cython.int = -KEPT_JOKER if action % 10 >= 5 else 0
    if play.large != play.seat and action < WALK and play.kind_at(space) == RABBIT_HOLE:
        return value + SPIN * steps
    return value + STEP * steps + value_of_journey(play, space + steps, steps)


def mean_climb(play: FastPlay) -> cython.int:
    """Expected value of one more spin in the Rabbit Hole (C18)."""
    space: cython.int
    total: cython.int = 0
    steps: cython.int = steps_of(play.last - 1)
    here: cython.int = play.pawns[play.seat]
    for space in range(play.size):
        if play.kind_at(space) == RABBIT_HOLE or play.free_from(NOBODY, space) != space:
            total -= STUCK
        else:
            total += value_of_journey(play, space if space > here else space + play.size, steps)
    return max(total, 0) // play.size


def white_rabbit(play: FastPlay) -> cython.int:
    """Return the White Rabbit's action."""
    value: cython.int
    if play.stage == TAKING:
        return UP if POINT * play.face_up >= mean_cookie(play) else DOWN
    if play.stage == DECIDING:
        value = value_of_journey(play, play.climbing_to(), steps_of(play.last - 1))
        return ACCEPT if value >= mean_climb(play) else AGAIN
    return best_card(play)


def best_card(play: FastPlay) -> cython.int:
    """Return the play with the highest value; the first one on ties."""
    way: cython.int
    value: cython.int
    action: cython.int
    best: cython.int = play.choice(0)
    most: cython.int = value_of_card(play, best)
    for way in range(1, play.choices()):
        action = play.choice(way)
        value = value_of_card(play, action)
        if value > most:
            most = value
            best = action
    return best


def play_on(play: FastPlay, policies: cython.int) -> cython.int:
    """Play to the end and return the number of decisions; set bits of `policies` are White Rabbits."""
    decisions: cython.int = 0
    play.settle()
    while play.stage != ENDED:
        decisions += 1
        if policies >> play.seat & 1:
            play.apply(white_rabbit(play))
        else:
            play.apply(play.any_choice())
        play.settle()
    return decisions


def winners_of(play: FastPlay) -> cython.int:
    """Winners as bits: most points, then most large cookies, then farthest from the Tea Party (C19)."""
    best: cython.longlong = -1
    winners: cython.int = 0
    has: cython.longlong
    seat: cython.int
    for seat in range(play.seats):
        has = (play.taken[seat] & 255) << 16 | play.taken[seat] >> 32 << 8 | play.pawns[seat]
        if has > best:
            best = has
            winners = 0
        if has == best:
            winners |= 1 << seat
    return winners


def lead_of(play: FastPlay, seat: cython.int) -> cython.int:
    """Points by which a seat leads the best of the others."""
    other: cython.int
    points: cython.int
    best: cython.int = 0
    for other in range(play.seats):
        points = play.taken[other] & 255
        if other != seat:
            best = max(best, points)
    points = play.taken[seat] & 255
    return points - best
