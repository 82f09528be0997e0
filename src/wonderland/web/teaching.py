"""What a learner is told at the table of a lesson, from what their seat may know alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wonderland.core.lesson import Guidance, teacher_of
from wonderland.web.naming import names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wonderland.core.language import Language
    from wonderland.tables.table import Table


@dataclass(frozen=True, slots=True)
class _Words:
    names: Sequence[str]
    say: Language


def guidance(table: Table, seat: int | None, say: Language) -> Guidance | None:
    """What to look at now; `None` where nobody is taught."""
    match, teacher = table.match, teacher_of(table.opened.game)
    if not table.opened.lesson or match is None or seat is None or teacher is None:
        return None
    return teacher.guide(match.view(seat), match.witnessed(seat), _Words(names_of(table, say), say))
