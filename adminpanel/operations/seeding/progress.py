"""Show how far a long act has come."""

import sys
import time
from typing import TextIO

WIDTH = 30


class Progress:
    """A bar on one line of a terminal; anywhere else nothing is written."""

    def __init__(self, label: str, total: int, stream: TextIO | None = None) -> None:
        self.label = label
        self.total = total
        self.done = 0
        self.stream = stream or sys.stderr
        self.shown = self.stream.isatty() and total > 0
        self.began = time.monotonic()

    def advance(self, by: int) -> None:
        """Count so many more as done."""
        self.done += by
        if self.shown:
            share = min(1.0, self.done / self.total)
            seconds = time.monotonic() - self.began
            bar = ("█" * round(share * WIDTH)).ljust(WIDTH, "░")
            self.stream.write(f"\r{self.label:<10} {bar} {self.done:>9,} of {self.total:,}  {seconds:.0f} s ")
            self.stream.flush()

    def close(self) -> None:
        """Leave the line."""
        if self.shown:
            self.stream.write("\n")
