"""`python -m bot` is `sapper`."""

import sys

from bot.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
