"""Call one function with Django set up, and print its result as JSON: `python -m benchmarks.call_django module:name`.

The benchmarks themselves run without Django; what needs the server's database runs in a process of its own.
"""

import json
import sys
from importlib import import_module

import django


def main() -> None:
    """Import and call the function with the JSON arguments, and print its result."""
    module, _, name = sys.argv[1].partition(":")
    django.setup()
    answer = getattr(import_module(module), name)(*map(json.loads, sys.argv[2:]))
    print(json.dumps(answer, default=str))


main()
