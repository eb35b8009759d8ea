"""Files by which the processes of one machine share their figures (`METRICS_ROOT`).

Each process writes its own; a scrape adds them up, whichever process it reaches. The figures of processes that have
ended are added to an archive, so that totals never fall and a restart loses none.
"""

import contextlib
import fcntl
import logging
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings
from prometheus_client import values
from prometheus_client.metrics_core import Metric
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

logger = logging.getLogger(__name__)

ARCHIVE = "archive"
KINDS = ("counter", "histogram")
# More than the figures of all routes take.
FILE_BYTES = 1024 * 1024


def reserve_files() -> None:
    """Allocate the files of this process: writing to a mapped file on a full disk would kill it."""
    if not settings.METRICS_TOKEN:
        return
    try:
        for kind in KINDS:
            with (settings.METRICS_ROOT / f"{kind}_{os.getpid()}.db").open("a+b") as file:
                os.posix_fallocate(file.fileno(), 0, FILE_BYTES)
    except OSError as error:
        logger.warning("This process keeps its metrics to itself: %s, %s", settings.METRICS_ROOT, error.strerror)
        values.ValueClass = values.MutexValue


def read_totals(folder: Path) -> Iterable[Metric]:
    """Return the figures of all processes together."""
    with lock(folder):
        archive_ended_processes(folder)
        totals: Iterable[Metric] = MultiProcessCollector(None, str(folder)).collect()
        return totals


@contextlib.contextmanager
def lock(folder: Path) -> Iterator[None]:
    """Let one scrape at a time move figures into the archive."""
    with (folder / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def archive_ended_processes(folder: Path) -> None:
    """Add the files of ended processes to the archive and delete them."""
    for path in folder.glob("*_*.db"):
        kind, _, process = path.stem.partition("_")
        if not process.isdecimal() or is_running(int(process)):
            continue
        archive = MmapedDict(str(folder / f"{kind}_{ARCHIVE}.db"))
        with contextlib.closing(archive):
            for key, value, timestamp, _ in MmapedDict.read_all_values_from_file(str(path)):
                archive.write_value(key, archive.read_value(key)[0] + value, timestamp)
        path.unlink()


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        # Another user's.
        return True
    return True
