"""The lab's commands as users run them: `python -m support.lab_command simulate …`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from wonderland.engine.errors import WonderlandError
from wonderland.lab.arena_command import add_arena
from wonderland.lab.simulate_command import add_simulate


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="wonderland")
    commands = parser.add_subparsers(required=True)
    add_simulate(commands.add_parser("simulate"))
    add_arena(commands.add_parser("arena"))
    options = parser.parse_args(arguments)
    try:
        code: int = options.run(options)
    except WonderlandError as error:
        print(f"wonderland: {error}", file=sys.stderr)  # noqa: T201 - as the command does
        return 2
    return code


if __name__ == "__main__":
    sys.exit(main())
