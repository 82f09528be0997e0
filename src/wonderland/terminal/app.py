"""The full-screen app: menu, table, and menu again."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import App

from wonderland.engine.errors import WonderlandError
from wonderland.engine.language import ENGLISH, Language
from wonderland.terminal.menu import Menu, MenuChoice
from wonderland.terminal.session import Session
from wonderland.terminal.table_screen import TableScreen


class Shell(App[None]):
    """Base of all full-screen apps; `fault` is the error that ended the app, if any."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    TableView Vertical { height: 1fr; }
    #table { height: 1fr; padding: 0 1; }
    #offers { height: auto; min-height: 2; max-height: 6; padding: 0 1; }
    #log { height: 4; border-top: solid $primary; padding: 0 1; scrollbar-size-vertical: 1;
           overflow-x: hidden; border-title-color: $text-warning; border-title-style: bold; }
    .-tall #log { height: 10; }
    ModalScreen { align: center middle; }
    Curtain { background: $background; }
    .dialog { width: auto; max-width: 96%; height: auto; max-height: 96%; padding: 0 2;
              border: round $primary; background: $surface; overflow-y: auto; }
    .dialog Static { width: auto; max-width: 100%; }
    .book { width: 84; max-width: 96%; height: 92%; padding: 0 2; border: round $primary;
            background: $surface; }
    .book Static { height: auto; }
    .here { background: $primary 20%; }
    Menu { align: center middle; }
    .menu { width: 76; max-width: 96%; height: auto; padding: 1 2; }
    .menu Static { margin-bottom: 1; }
    .menu OptionList { height: auto; max-height: 14; }
    """

    def __init__(self, *, pace: float, light: bool = False, say: Language = ENGLISH) -> None:
        super().__init__()
        self.say = say
        self.VERTICAL_BREAKPOINTS = [(0, "-short"), (34, "-tall")]
        self.pace = pace
        self.theme = "textual-light" if light else "textual-dark"
        self.fault: WonderlandError | None = None

    def fail(self, error: WonderlandError) -> None:
        """Exit with an error, which the caller raises once the screen is restored."""
        self.fault = error
        self.exit(return_code=2)


class WonderlandApp(Shell):
    """Play one or more games on the full screen."""

    def __init__(  # noqa: PLR0913 - the command line's options, most of them optional
        self,
        new_session: Callable[[MenuChoice], Session],
        wish: MenuChoice | None = None,
        *,
        pace: float,
        light: bool = False,
        seats: tuple[str, ...] = (),
        level: str | None = None,
        say: Language = ENGLISH,
    ) -> None:
        super().__init__(pace=pace, light=light, say=say)
        self.new_session = new_session
        self.wish = wish
        self.seats = seats
        """Seats from the command line, if they were given without a game."""
        self.level = level
        """Bot level from the command line, if given."""

    def on_mount(self) -> None:
        """Start the requested game, or open the menu."""
        if self.wish is None:
            self.push_screen(Menu(self.seats, self.level, self.say), self.sit_down)
        else:
            self.sit_down(self.wish)

    def sit_down(self, wish: MenuChoice | None) -> None:
        """Start a game, or exit if none was chosen."""
        if wish is None:
            self.exit()
            return
        self.wish = wish
        try:
            session = self.new_session(wish)
        except WonderlandError as error:
            self.fail(error)
            return
        self.push_screen(TableScreen(session, self.pace, self.fail), self.stand_up)

    def stand_up(self, what: str | None) -> None:
        """Continue after a game: again, another game, or exit."""
        if what == "again":
            self.sit_down(self.wish)
        elif what == "other":
            self.push_screen(Menu(level=self.level, say=self.say), self.sit_down)
        else:
            self.exit()
