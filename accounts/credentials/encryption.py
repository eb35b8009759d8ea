"""Encryption of stored secrets, with keys derived from `SECRET_KEY` and its fallbacks.

The secrets of authenticator apps are all that is encrypted. Recovery codes, calendar addresses and passwords are hashed
without the key, and the HMACs of sessions mean nothing once a new key has ended those.
"""

import functools
import logging
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import transaction

from accounts.audit.log import Action, record_event
from accounts.models import AuthenticatorApp

logger = logging.getLogger(__name__)

# So many rows are locked for the moment it takes to encrypt them again.
BATCH_SIZE = 200


@functools.cache
def get_cipher(*keys: str) -> MultiFernet:
    """Return a cipher that encrypts with the first of these keys and decrypts with any of them."""
    derived = (HKDF(SHA256(), 32, None, b"wellhour authenticator app").derive(key.encode()) for key in keys)
    return MultiFernet([Fernet(urlsafe_b64encode(key)) for key in derived])


def encrypt_secret(secret: str) -> str:
    """Return a secret as it is stored."""
    return get_cipher(settings.SECRET_KEY).encrypt(secret.encode()).decode()


def decrypt_secret(stored: str) -> str | None:
    """Return a stored secret; None, with an error in the log, if its key is gone."""
    try:
        return get_cipher(settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS).decrypt(stored.encode()).decode()
    except InvalidToken:
        logger.error(
            "The secret of an authenticator app can't be decrypted: SECRET_KEY and SECRET_KEY_FALLBACKS lack its key."
            " `manage.py rotate_keys --check` names everyone concerned."
        )
        return None


@dataclass
class Rotation:
    """What a rotation found."""

    # The number of secrets that were encrypted with `SECRET_KEY`, and with a fallback.
    current: int = 0
    outdated: int = 0
    # The users whose authenticator app no key decrypts.
    undecryptable: list[UUID] = field(default_factory=list)


def rotate_secrets(*, is_dry_run: bool = False) -> Rotation:
    """Encrypt every stored secret with `SECRET_KEY`, unless it is already; a dry run only counts.

    The site may be running: each batch is a transaction of its own that locks its rows.
    """
    rotation = Rotation()
    cipher = get_cipher(settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    apps = AuthenticatorApp.objects.select_for_update().order_by("pk")
    last_pk: UUID | None = None
    while True:
        with transaction.atomic():
            batch = list((apps.filter(pk__gt=last_pk) if last_pk else apps)[:BATCH_SIZE])
            changed = [app for app in batch if rotate_secret(app, cipher, rotation)]
            if changed and not is_dry_run:
                AuthenticatorApp.objects.bulk_update(changed, ["secret"])
                detail = {"count": len(changed)}
                record_event("data.keys_rotated", Action.UPDATE, "authenticator_app", None, actor=None, detail=detail)
        if not batch:
            return rotation
        last_pk = batch[-1].pk


def rotate_secret(app: AuthenticatorApp, cipher: MultiFernet, rotation: Rotation) -> bool:
    """Encrypt one app's secret with the first key; return whether it was encrypted with another one."""
    try:
        get_cipher(settings.SECRET_KEY).decrypt(app.secret.encode())
    except InvalidToken:
        pass
    else:
        rotation.current += 1
        return False
    try:
        app.secret = cipher.rotate(app.secret.encode()).decode()
    except InvalidToken:
        # One that was never turned on signs nobody in.
        if app.turned_on_at is not None:
            rotation.undecryptable.append(app.pk)
        return False
    rotation.outdated += 1
    return True
