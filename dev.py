#!/usr/bin/env python3
"""Set up, run and check Wellhour. It needs Python 3.11 or newer and nothing else.

The commands are in `tools/commands/`. This file is also read by every older Python, in order to refuse it.
"""

import os
import sys

from tools import OLDEST_PYTHON

if sys.version_info < OLDEST_PYTHON:
    versions = OLDEST_PYTHON + tuple(sys.version_info[:2])
    sys.stderr.write("Wellhour needs Python {}.{} or newer; this is {}.{}.\n".format(*versions))
    sys.exit(2)
if os.name != "posix":
    sys.stderr.write("Wellhour is developed on Linux and macOS; on Windows use WSL.\n")
    sys.exit(2)

from tools.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
