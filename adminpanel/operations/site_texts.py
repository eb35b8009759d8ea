"""Imprint, terms of use and privacy policy, as staff write them; each change is audited."""

import contextlib
import hashlib
import time
from datetime import datetime

from django.conf import settings
from django.core.cache import caches
from django.db import DatabaseError, transaction

from accounts.audit.log import Action, record_event
from accounts.models import User
from adminpanel.models import SiteText

CACHE_KEY = "site-text-kinds"


def save_site_text(site_text: SiteText, *, actor: User, now: datetime) -> None:
    """Create a text or change it. The digest in the audit log shows later which text was published."""
    is_new = site_text.pk is None
    site_text.updated_at = now
    with transaction.atomic():
        site_text.save()
        record_event(
            "site_text.created" if is_new else "site_text.changed",
            Action.CREATE if is_new else Action.UPDATE,
            "site_text",
            str(site_text.pk),
            actor=actor,
            detail=describe(site_text),
        )
    caches["public"].delete(CACHE_KEY)


def delete_site_text(site_text: SiteText, *, actor: User) -> None:
    key, detail = str(site_text.pk), describe(site_text)
    with transaction.atomic():
        site_text.delete()
        record_event("site_text.deleted", Action.DELETE, "site_text", key, actor=actor, detail=detail)
    caches["public"].delete(CACHE_KEY)


def describe(site_text: SiteText) -> dict[str, str]:
    return {
        "kind": site_text.kind,
        "language": site_text.language,
        "sha256": hashlib.sha256(site_text.text.encode()).hexdigest(),
    }


def list_published_kinds() -> tuple[str, ...]:
    """Return the kinds of which there is a text, `PUBLIC_CACHE_SECONDS` old at most.

    Every page links to them, so without the database the last known kinds are returned.
    """
    kinds: tuple[str, ...]
    kinds, read_at = caches["public"].get(CACHE_KEY, ((), float("-inf")))
    if time.monotonic() - read_at < settings.PUBLIC_CACHE_SECONDS:
        return kinds
    # A failure is logged by the database's backend; the next try is as late as after a success.
    with contextlib.suppress(DatabaseError):
        kinds = tuple(SiteText.objects.order_by("kind").values_list("kind", flat=True).distinct())
    caches["public"].set(CACHE_KEY, (kinds, time.monotonic()), timeout=None)
    return kinds
