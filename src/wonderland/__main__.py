"""`python -m wonderland` is the command `wonderland`."""

import sys

from wonderland.cli import main

sys.exit(main())
