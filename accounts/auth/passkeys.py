"""Passkeys (WebAuthn, level 3): keys that never leave a person's device, as a second step or instead of a password.

What a device signs is bound to the site's own address, as `BASE_URL` says it; a request's Host header is never asked.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import webauthn
from django.conf import settings
from django.db import transaction
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from accounts.audit.log import Action, record_event
from accounts.auth.mfa_enrollment import locked, something_added, something_removed
from accounts.credentials import challenge_tokens, mfa_status
from accounts.credentials.mfa_status import Guarded
from accounts.models import Passkey, Session, User
from accounts.notifications.outbox import notify_user
from accounts.notifications.registry import get_site_host
from config.api.errors import DomainError, field_error

MAX_PASSKEYS = 20
# In base64url; no database need be asked for anything else, and some can't be.
CREDENTIAL_ID = re.compile(r"[\w-]{1,1400}", re.ASCII)
NOT_TAKEN = "This passkey was not accepted. Please try again."

Credential = Mapping[str, Any]


@dataclass(frozen=True)
class Ceremony:
    """What the browser is to do, and the ticket to come back with."""

    ticket: str
    options: dict[str, Any]


def origin() -> str:
    """Return the site's origin as browsers write it (RFC 6454): without a default port."""
    base = urlsplit(settings.BASE_URL)
    default = {"http": 80, "https": 443}.get(base.scheme)
    port = f":{base.port}" if base.port and base.port != default else ""
    return f"{base.scheme}://{get_site_host()}{port}"


def of_person(person: User) -> list[Passkey]:
    """List a person's passkeys, the oldest first."""
    return list(Passkey.objects.filter(user=person))


def descriptors(person: User) -> list[PublicKeyCredentialDescriptor]:
    """Name a person's passkeys to a browser."""
    return [PublicKeyCredentialDescriptor(base64url_to_bytes(one.credential_id)) for one in of_person(person)]


def begin_adding(user: Guarded, now: datetime) -> Ceremony:
    """Return how a new passkey of this person is to be made; raises `passkeys_full`."""
    known = descriptors(user)
    if len(known) >= MAX_PASSKEYS:
        raise DomainError("passkeys_full")
    ticket = challenge_tokens.issue(challenge_tokens.PASSKEY_ADDING, now, user.pk.hex, mfa_status.ground_of(user))
    options = webauthn.generate_registration_options(
        rp_id=get_site_host(),
        rp_name="Wellhour",
        user_id=user.pk.bytes,
        user_name=user.email,
        user_display_name=user.name,
        challenge=challenge_tokens.challenge_of(ticket),
        exclude_credentials=known,
        # Kept on the device where it can be, so that it serves without a password too.
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
    )
    return Ceremony(ticket, json.loads(webauthn.options_to_json(options)))


def add(
    user: User, ticket_text: str, name: str, credential: Credential, session: Session, now: datetime
) -> tuple[Passkey, list[str] | None]:
    """Keep a new passkey; returns it, and recovery codes where this is the first second step.

    The guard was passed when the ticket was made, and turning the second step on ends one that was made before.
    Raises `ticket_invalid`, a field error for what no device of this site has made, `passkey_taken`, `passkeys_full`.
    """
    ticket = challenge_tokens.read(challenge_tokens.PASSKEY_ADDING, ticket_text, now)
    if ticket.content != [user.pk.hex, mfa_status.ground_of(user)]:
        raise DomainError("ticket_invalid")
    try:
        made = webauthn.verify_registration_response(
            credential=dict(credential),
            expected_challenge=challenge_tokens.challenge_of(ticket_text),
            expected_rp_id=get_site_host(),
            expected_origin=origin(),
        )
    except Exception as refused:
        raise field_error("passkey", NOT_TAKEN) from refused
    with transaction.atomic():
        person = locked(user)
        if mfa_status.ground_of(person) != mfa_status.ground_of(user):
            raise DomainError("ticket_invalid")
        challenge_tokens.spend(ticket)
        if Passkey.objects.filter(user=person).count() >= MAX_PASSKEYS:
            raise DomainError("passkeys_full")
        passkey = Passkey.objects.create(
            user=person,
            name=name,
            credential_id=bytes_to_base64url(made.credential_id),
            public_key=made.credential_public_key,
            sign_count=made.sign_count,
            created_at=now,
        )
        codes = something_added(person, session, now)
        record_event("account.passkey_added", Action.CREATE, "passkey", passkey.pk, actor=person)
        notify_user("account.passkey_added", person, detail={"passkey": str(passkey.pk)})
    return passkey, codes


def rename(user: User, passkey_id: UUID, name: str) -> Passkey:
    """Call one of one's own passkeys something else; raises `not_found` for any other."""
    with transaction.atomic():
        passkey = Passkey.objects.select_for_update(no_key=True).filter(user=user, pk=passkey_id).first()
        if passkey is None:
            raise DomainError("not_found")
        if passkey.name != name:
            passkey.name = name
            passkey.save(update_fields=["name"])
            record_event("account.passkey_renamed", Action.UPDATE, "passkey", passkey.pk, actor=user)
    return passkey


def remove(person: Guarded, passkey_id: UUID) -> None:
    """Delete one of a person's own passkeys; raises `not_found` for any other."""
    if not Passkey.objects.filter(user=person, pk=passkey_id).delete()[0]:
        raise DomainError("not_found")
    something_removed(person)
    record_event("account.passkey_removed", Action.DELETE, "passkey", passkey_id, actor=person)
    notify_user("account.passkey_removed", person)


def ask_for_one(person: User, ticket: str) -> dict[str, Any]:
    """Say what the browser is to sign as this person's second step."""
    options = webauthn.generate_authentication_options(
        rp_id=get_site_host(),
        challenge=challenge_tokens.challenge_of(ticket),
        allow_credentials=descriptors(person),
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return dict(json.loads(webauthn.options_to_json(options)))


def ask_for_any(now: datetime) -> Ceremony:
    """Say what the browser is to sign instead of a password: the device finds the key and asks who holds it."""
    ticket = challenge_tokens.issue(challenge_tokens.PASSKEY_SIGN_IN, now)
    options = webauthn.generate_authentication_options(
        rp_id=get_site_host(),
        challenge=challenge_tokens.challenge_of(ticket),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return Ceremony(ticket, json.loads(webauthn.options_to_json(options)))


def called(credential: Credential) -> Passkey | None:
    """Find the passkey that a browser's answer names; nothing is proved yet."""
    name = credential.get("id")
    is_name = isinstance(name, str) and CREDENTIAL_ID.fullmatch(name)
    return Passkey.objects.filter(credential_id=name).first() if is_name else None


def accept(person: User, credential: Credential, ticket: str, now: datetime, *, alone: bool = False) -> bool:
    """Use a passkey; return whether it was this person's and signed this ticket. The person's row is locked.

    `alone`: it stands for the password too, so the device must have checked who holds it and must name the person.
    A counter that did not rise, where the device counts, means a copy: refused.
    """
    passkey = called(credential)
    if passkey is None or passkey.user_id != person.pk:
        return False
    try:
        if alone and base64url_to_bytes(credential["response"]["userHandle"]) != person.pk.bytes:
            return False
        used = webauthn.verify_authentication_response(
            credential=dict(credential),
            expected_challenge=challenge_tokens.challenge_of(ticket),
            expected_rp_id=get_site_host(),
            expected_origin=origin(),
            credential_public_key=bytes(passkey.public_key),
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=alone,
        )
    except Exception:  # noqa: BLE001 - as above
        return False
    Passkey.objects.filter(pk=passkey.pk).update(sign_count=used.new_sign_count, last_used_at=now)
    return True
