"""The benchmarks, in the order of `python3 dev.py bench`."""

NAMES = ("overhead", "race", "search", "scaling", "front", "login", "memory", "peers")
