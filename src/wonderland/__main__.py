"""Runs the `wonderland` command as `python -m wonderland`."""

import sys

from wonderland.cli import main

sys.exit(main())
