"""`python -m benchmarks [name] [arguments]`: run one benchmark, or those that need nothing from the command line."""

import sys
from importlib import import_module

from benchmarks import harness
from benchmarks.names import NAMES


def main() -> int:
    """Run the named benchmark; return 0 unless the name is unknown."""
    name, *arguments = sys.argv[1:] or ["all"]
    if name == "forget":
        harness.drop_templates()
        return 0
    if name != "all" and name not in NAMES:
        print(f"There is no benchmark {name}; there are {', '.join(NAMES)}, and `forget` deletes the kept databases.")
        return 2
    for each in NAMES if name == "all" else (name,):
        print(f"\n== {each}", flush=True)
        import_module(f"benchmarks.{each}").main(arguments)
    return 0


sys.exit(main())
