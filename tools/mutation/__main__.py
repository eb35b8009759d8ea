"""`python -m tools.mutation [options]`, as `dev.py mutate` starts it."""

import sys

from tools.mutation.runner import main

sys.exit(main(sys.argv[1:]))
