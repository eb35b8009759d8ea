"""Run one function of a benchmark with Django set up, and print its answer as JSON: `-m benchmarks.inside module:name`.

The benchmarks themselves know no database; what has to look into the server's does so in a process of its own.
"""

import json
import sys
from importlib import import_module

import django


def main() -> None:
    """Import, call with the JSON arguments given, print."""
    module, _, name = sys.argv[1].partition(":")
    django.setup()
    answer = getattr(import_module(module), name)(*map(json.loads, sys.argv[2:]))
    print(json.dumps(answer, default=str))


main()
