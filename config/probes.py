"""Whether Redis and the storage of uploads can be used, for `/readyz` and `/metrics`.

Anybody may call `/readyz`, and a server that hangs answers after seconds. So one caller at a time asks it, and the
result is kept for a while; the others get the last one.
"""

import logging
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.cache import caches

from config.env.checks import describe_folder_problem, list_upload_folders
from config.failure_reasons import LogThrottle, describe_reason

logger = logging.getLogger(__name__)
log_throttle = LogThrottle()

# How long a result is kept. Asking S3 costs a request to it, and money: a cent a day.
REDIS_SECONDS = 1
BUCKET_SECONDS = 5
S3_TIMEOUT_SECONDS = 2


class CachedProbe:
    """A check of another server, which returns a problem or "".

    Args:
        seconds: for how long a result is kept.
    """

    def __init__(self, check: Callable[[], str], seconds: float) -> None:
        self.check = check
        self.seconds = seconds
        self.problem = ""
        self.ends = float("-inf")
        self._lock = threading.Lock()

    def find_problem(self) -> str:
        """Return what is wrong with the server, or ""."""
        if time.monotonic() >= self.ends and self._lock.acquire(blocking=False):
            try:
                self.problem = self.check()
                self.ends = time.monotonic() + self.seconds
            finally:
                self._lock.release()
        return self.problem


def check_redis() -> str:
    """Return a problem if the cache that all processes share does not respond."""
    if error := find_redis_error():
        log_redis_failure(error)
        return "Redis does not respond"
    return ""


def find_redis_error() -> Exception | None:
    """Return the error of a call to Redis, if there is one."""
    from redis.exceptions import RedisError

    try:
        caches["default"].get("readyz")
    except RedisError as error:
        return error
    return None


def describe_redis() -> str:
    """Return where Redis is."""
    url = urlsplit(settings.REDIS_URL)
    return f"Redis at {url.netloc.rpartition('@')[2]}{url.path}"


def describe_redis_failure(error: BaseException) -> str:
    """Return where Redis is and why it can't be used."""
    reason = describe_reason(error, urlsplit(settings.REDIS_URL).password or "")
    return f"{describe_redis()} does not respond: {reason}"


def log_redis_failure(error: BaseException) -> None:
    """Log where Redis is and why it can't be used, at most once a minute."""
    if log_throttle.allows("redis"):
        logger.warning("%s", describe_redis_failure(error))


def check_buckets() -> str:
    """Return a problem if a bucket of uploads can't be reached."""
    for bucket, options in list_buckets().items():
        if error := find_bucket_error(options):
            log_bucket_failure(error, bucket)
            return "the storage does not respond"
    return ""


def list_buckets() -> dict[str, dict[str, Any]]:
    """Return the options of each bucket of uploads by its name."""
    storages = [settings.STORAGES[name]["OPTIONS"] for name in ("default", "records")]
    return {options["bucket_name"]: options for options in storages}


def find_bucket_error(options: dict[str, Any]) -> Exception | None:
    """Return the error of a request for a bucket's head, if there is one."""
    # Only sites with S3 load its client.
    from botocore.config import Config  # type: ignore[import-untyped]  # it brings no types
    from storages.backends.s3 import S3Storage

    patience = Config(
        connect_timeout=S3_TIMEOUT_SECONDS, read_timeout=S3_TIMEOUT_SECONDS, retries={"total_max_attempts": 1}
    )
    try:
        storage = S3Storage(**options | {"client_config": patience})
        storage.connection.meta.client.head_bucket(Bucket=options["bucket_name"])
    except Exception as error:
        if not is_bucket_failure(error):
            raise
        return error
    return None


def is_bucket_failure(error: Exception) -> bool:
    """Return whether S3 could not be reached, or refused a call."""
    if not settings.S3_BUCKET:
        return False
    from botocore.exceptions import BotoCoreError, ClientError  # type: ignore[import-untyped]  # it has no types

    return isinstance(error, BotoCoreError | ClientError)


def describe_bucket(bucket: str) -> str:
    """Return where a bucket is."""
    return f"The bucket {bucket} at {settings.STORAGES['default']['OPTIONS']['endpoint_url'] or 'Amazon'}"


def describe_bucket_failure(error: Exception, bucket: str) -> str:
    """Return where a bucket is and why it can't be used."""
    options = settings.STORAGES["default"]["OPTIONS"]
    reason = describe_reason(error, options["secret_key"] or "", options["access_key"] or "")
    return f"{describe_bucket(bucket)} can't be used: {reason}"


def log_bucket_failure(error: Exception, bucket: str) -> None:
    """Log where the bucket is and why it can't be used, at most once a minute."""
    if log_throttle.allows("s3"):
        logger.warning("%s", describe_bucket_failure(error, bucket))


redis = CachedProbe(check_redis, REDIS_SECONDS)
buckets = CachedProbe(check_buckets, BUCKET_SECONDS)


def find_redis_problem() -> str | None:
    """Return what is wrong with Redis, "" if nothing is, or None if the site uses none."""
    return redis.find_problem() if settings.REDIS_URL else None


def find_folder_problems() -> list[str]:
    """Return each setting of a folder for uploads that this process may not write to."""
    problems = []
    for name, folder in list_upload_folders():
        if problem := describe_folder_problem(name, folder):
            problems.append(f"{name} is not writable")
            if log_throttle.allows(name):
                logger.warning(problem)
    return problems


def find_bucket_problem() -> str:
    return buckets.find_problem() if settings.S3_BUCKET else ""
