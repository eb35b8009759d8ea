"""What there is to measure, in the order of `python3 dev.py bench`."""

NAMES = ("ceiling", "flat", "front", "peers")
