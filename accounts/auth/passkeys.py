"""Passkeys (WebAuthn level 3), as a second step or instead of a password.

Signatures are bound to the origin of `BASE_URL`; the Host header of requests is ignored. The library, 14 MB of each
worker with its parsers of attestations, is imported by the functions that need it.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from accounts.audit.log import Action, record_event
from accounts.auth.mfa_enrollment import disable_unused_second_step, enable_second_step
from accounts.credentials import challenge_tokens, mfa_status
from accounts.credentials.mfa_status import ReauthenticatedUser
from accounts.models import Passkey, Session, User
from accounts.notifications.outbox import notify_user
from accounts.notifications.registry import get_site_host
from config.api.errors import DomainError, field_error

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

MAX_PASSKEYS = 20
# Base64url; PostgreSQL rejects some other strings.
CREDENTIAL_ID = re.compile(r"[\w-]{1,1400}", re.ASCII)
REJECTED_MESSAGE = "This passkey was not accepted. Please try again."

Credential = Mapping[str, Any]


@dataclass(frozen=True)
class Ceremony:
    """The options for the browser, and the ticket to send back."""

    ticket: str
    options: dict[str, Any]


def get_origin() -> str:
    """Return the site's origin without a default port (RFC 6454)."""
    base = urlsplit(settings.BASE_URL)
    default = {"http": 80, "https": 443}.get(base.scheme)
    port = f":{base.port}" if base.port and base.port != default else ""
    return f"{base.scheme}://{get_site_host()}{port}"


def list_passkeys(user: User) -> list[Passkey]:
    """Return a user's passkeys, oldest first."""
    return list(Passkey.objects.filter(user=user))


def list_descriptors(user: User) -> "list[PublicKeyCredentialDescriptor]":
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor

    return [PublicKeyCredentialDescriptor(urlsafe_base64_decode(key.credential_id)) for key in list_passkeys(user)]


def begin_registration(user: ReauthenticatedUser, now: datetime) -> Ceremony:
    """Return the options for creating a passkey; raise `passkeys_full`."""
    import webauthn
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    descriptors = list_descriptors(user)
    if len(descriptors) >= MAX_PASSKEYS:
        raise DomainError("passkeys_full")
    ticket = challenge_tokens.issue_ticket(
        challenge_tokens.PASSKEY_ADDING, now, user.pk.hex, mfa_status.compute_credentials_digest(user)
    )
    options = webauthn.generate_registration_options(
        rp_id=get_site_host(),
        rp_name=settings.SITE_NAME,
        user_id=user.pk.bytes,
        user_name=user.email,
        user_display_name=user.name,
        challenge=challenge_tokens.derive_challenge(ticket),
        exclude_credentials=descriptors,
        # A discoverable credential also signs in without a password.
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED, user_verification=UserVerificationRequirement.PREFERRED
        ),
    )
    return Ceremony(ticket, json.loads(webauthn.options_to_json(options)))


def add_passkey(
    user: User, ticket_text: str, name: str, credential: Credential, session: Session, now: datetime
) -> tuple[Passkey, list[str] | None]:
    """Store a new passkey; return it and, if it is the first second factor, recovery codes.

    The user reauthenticated when the ticket was issued, and enabling the second step invalidates earlier tickets.
    Raise `ticket_invalid`, a field error for an invalid credential, `passkey_taken` or `passkeys_full`.
    """
    import webauthn

    ticket = challenge_tokens.read_ticket(challenge_tokens.PASSKEY_ADDING, ticket_text, now)
    if ticket.content != [user.pk.hex, mfa_status.compute_credentials_digest(user)]:
        raise DomainError("ticket_invalid")
    try:
        registration = webauthn.verify_registration_response(
            credential=dict(credential),
            expected_challenge=challenge_tokens.derive_challenge(ticket_text),
            expected_rp_id=get_site_host(),
            expected_origin=get_origin(),
        )
    except Exception as error:
        raise field_error("passkey", REJECTED_MESSAGE) from error
    with transaction.atomic():
        locked = User.objects.locked().get(pk=user.pk)
        if mfa_status.compute_credentials_digest(locked) != mfa_status.compute_credentials_digest(user):
            raise DomainError("ticket_invalid")
        challenge_tokens.spend_ticket(ticket)
        if Passkey.objects.filter(user=locked).count() >= MAX_PASSKEYS:
            raise DomainError("passkeys_full")
        passkey = Passkey.objects.create(
            user=locked,
            name=name,
            credential_id=urlsafe_base64_encode(registration.credential_id),
            public_key=registration.credential_public_key,
            sign_count=registration.sign_count,
            created_at=now,
        )
        codes = enable_second_step(locked, session, now)
        record_event("account.passkey_added", Action.CREATE, "passkey", passkey.pk, actor=locked)
        notify_user("account.passkey_added", locked, detail={"passkey": str(passkey.pk)})
    return passkey, codes


def rename_passkey(user: User, passkey_id: UUID, name: str) -> Passkey:
    """Rename a passkey of this user; raise `not_found` for any other."""
    with transaction.atomic():
        passkey = Passkey.objects.select_for_update(no_key=True).filter(user=user, pk=passkey_id).first()
        if passkey is None:
            raise DomainError("not_found")
        if passkey.name != name:
            passkey.name = name
            passkey.save(update_fields=["name"])
            record_event("account.passkey_renamed", Action.UPDATE, "passkey", passkey.pk, actor=user)
    return passkey


def remove_passkey(user: ReauthenticatedUser, passkey_id: UUID) -> None:
    """Delete a passkey of this user; raise `not_found` for any other."""
    if not Passkey.objects.filter(user=user, pk=passkey_id).delete()[0]:
        raise DomainError("not_found")
    disable_unused_second_step(user)
    record_event("account.passkey_removed", Action.DELETE, "passkey", passkey_id, actor=user)
    notify_user("account.passkey_removed", user)


def build_authentication_options(user: User, ticket: str) -> dict[str, Any]:
    """Return the options with which the browser signs a ticket with a passkey of this user."""
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    options = webauthn.generate_authentication_options(
        rp_id=get_site_host(),
        challenge=challenge_tokens.derive_challenge(ticket),
        allow_credentials=list_descriptors(user),
        user_verification=UserVerificationRequirement.PREFERRED,
    )
    return dict(json.loads(webauthn.options_to_json(options)))


def begin_authentication(now: datetime) -> Ceremony:
    """Return the options for signing in without a password, with any discoverable credential."""
    import webauthn
    from webauthn.helpers.structs import UserVerificationRequirement

    ticket = challenge_tokens.issue_ticket(challenge_tokens.PASSKEY_SIGN_IN, now)
    options = webauthn.generate_authentication_options(
        rp_id=get_site_host(),
        challenge=challenge_tokens.derive_challenge(ticket),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return Ceremony(ticket, json.loads(webauthn.options_to_json(options)))


def find_passkey(credential: Credential) -> Passkey | None:
    """Return the passkey that a credential names, without verifying it."""
    credential_id = credential.get("id")
    is_valid = isinstance(credential_id, str) and CREDENTIAL_ID.fullmatch(credential_id)
    return Passkey.objects.filter(credential_id=credential_id).first() if is_valid else None


def verify_passkey(
    user: User, credential: Credential, ticket: str, now: datetime, *, is_passwordless: bool = False
) -> bool:
    """Return whether a passkey of this user signed this ticket, and record its use. The user's row must be locked.

    With `is_passwordless`, the device must have verified its user and must name the account. A signature counter that
    did not increase indicates a cloned passkey, which is rejected.
    """
    import webauthn

    passkey = find_passkey(credential)
    if passkey is None or passkey.user_id != user.pk:
        return False
    try:
        if is_passwordless and urlsafe_base64_decode(credential["response"]["userHandle"]) != user.pk.bytes:
            return False
        authentication = webauthn.verify_authentication_response(
            credential=dict(credential),
            expected_challenge=challenge_tokens.derive_challenge(ticket),
            expected_rp_id=get_site_host(),
            expected_origin=get_origin(),
            credential_public_key=bytes(passkey.public_key),
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=is_passwordless,
        )
    except Exception:  # noqa: BLE001 - as above
        return False
    Passkey.objects.filter(pk=passkey.pk).update(sign_count=authentication.new_sign_count, last_used_at=now)
    return True
