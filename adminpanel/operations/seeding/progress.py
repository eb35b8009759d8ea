"""Show the progress of a long task on the terminal."""

import sys
import time
from typing import TextIO

WIDTH = 30


class ProgressBar:
    """A bar on one line of a terminal; nothing is written to anything else."""

    def __init__(self, label: str, total: int, stream: TextIO | None = None) -> None:
        self.label = label
        self.total = total
        self.count = 0
        self.stream = stream or sys.stderr
        self.is_shown = self.stream.isatty() and total > 0
        self.started_at = time.monotonic()

    def advance(self, count: int) -> None:
        self.count += count
        if self.is_shown:
            fraction = min(1.0, self.count / self.total)
            seconds = time.monotonic() - self.started_at
            bar = ("█" * round(fraction * WIDTH)).ljust(WIDTH, "░")
            self.stream.write(f"\r{self.label:<10} {bar} {self.count:>9,} of {self.total:,}  {seconds:.0f} s ")
            self.stream.flush()

    def close(self) -> None:
        if self.is_shown:
            self.stream.write("\n")
