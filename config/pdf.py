"""PDF documents of the server: each is set by a process of its own.

Typst's fonts would keep 25 MB (Latin) to 85 MB (all scripts) in every worker; and a process can be stopped.
"""

import json
import logging
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.conf import settings

from config.api.errors import DomainError

TIMEOUT_SECONDS = 15.0

logger = logging.getLogger(__name__)


def render_pdf(template: Path, data: dict[str, Any]) -> bytes:
    """Return the PDF of a Typst template, see `config.typesetting`; raise `unavailable` when that takes too long."""
    job = json.dumps({"template": str(template), "data": data}).encode()
    argv = [sys.executable, "-m", "config.typesetting"]
    try:
        # Without the environment, which holds the site's keys.
        done = subprocess.run(
            argv, cwd=settings.BASE_DIR, env={}, input=job, capture_output=True, timeout=TIMEOUT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as late:
        logger.error("%s took more than %s seconds.", template.name, TIMEOUT_SECONDS)
        raise DomainError("unavailable", retry_after=60) from late
    if done.returncode:
        raise RuntimeError(f"{template.name} could not be set: {done.stderr.decode(errors='replace')[-2000:]}")
    return done.stdout
