"""The layout of a game's observations as a Markdown table."""

from __future__ import annotations

from wonderland.components.learning import learning, length
from wonderland.engine import game


def observation_table(name: str) -> str:
    """List a game's features with default options, for the fewest and the most players."""
    rules, numbers = game(name), learning(name)
    assert numbers is not None
    least, most = rules.info.seats[0], rules.info.seats[-1]
    few, many = (numbers.features(seats, rules.options_type()) for seats in (least, most))
    more = {feature.name: feature.size for feature in many}
    rows = [
        f"| name | {least} seats | {most} seats | from | to | meaning |",
        "|---|---:|---:|---:|---:|---|",
        *[
            f"| `{it.name}` | {it.size} | {more.get(it.name, 0)} | {it.low} | {it.high} | {it.meaning} |"
            for it in few
        ],
        f"| all | {length(few)} | {length(many)} | | | |",
    ]
    return "\n".join(rows) + "\n"
