"""Changes of a user's profile and password."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import models, transaction

from accounts.audit.log import Action, record_event
from accounts.auth import reauthentication
from accounts.auth.email_verification import send_new_email_link
from accounts.auth.reauthentication import Proof
from accounts.auth.sessions import PASSWORD_CHANGED, end_sessions
from accounts.files import avatars, remote_image
from accounts.files.stored_files import claim_file, delete_on_commit, discard_file
from accounts.models import PatientDetails, Role, Session, User
from accounts.notifications.outbox import notify_user
from accounts.text.postal_addresses import split_address
from accounts.throttling.expensive_requests import PICTURE_LINK
from config.api.errors import field_error

USER_FIELDS = ("name", "phone", "gender", "date_of_birth")


def update_profile(user: User, changes: Mapping[str, Any], now: datetime) -> User:
    """Change the common fields and, for a patient, address and blood group."""
    return update_user(user, changes, update_patient_details, now)


def update_user(
    user: User,
    changes: Mapping[str, Any],
    update_details: Callable[[User, Mapping[str, Any]], list[str]],
    now: datetime,
    lock_first: Callable[[], object] = lambda: None,
) -> User:
    """Change the common fields and, with `update_details`, those of the role, in one transaction.

    `update_details` takes the locked user and the changes and returns the names of the changed fields; `lock_first`
    locks rows that must be locked before the user. Absent fields stay. A new picture is stored and the old one deleted.
    Raise field errors for the picture and the password, or `too_many` for too many links to new addresses.
    """
    # Outside the transaction, because fetching a picture and hashing a password are slow.
    new_picture = resolve_new_picture(user, changes)
    new_email = get_new_email(user, changes)
    checked = reauthentication.reauthenticate(user, Proof.from_form(changes)) if new_email else None
    kept = avatars.store_avatar(new_picture) if new_picture else ""
    try:
        with checked.authorize_change(now, lock_first) if checked else lock_user(user, lock_first) as user:
            changed = set_changed_fields(user, {name: changes[name] for name in USER_FIELDS if name in changes})
            if kept or (new_picture is not None and user.picture):
                delete_on_commit(avatars.AVATAR_STORAGE, user.picture)
                claim_file(avatars.AVATAR_STORAGE, kept)
                changed += set_changed_fields(user, {"picture": kept})
            if new_email:
                changed += set_changed_fields(user, {"pending_email": new_email})
                notify_user("email.change_requested", user)
                send_new_email_link(user, now)
            if changed:
                user.save(update_fields=changed)
            changed += update_details(user, changes)
            if changed:
                detail = {"fields": sorted(changed)}
                record_event("account.profile_changed", Action.UPDATE, "user", user.pk, actor=user, detail=detail)
    except BaseException:
        if kept:
            discard_file(avatars.AVATAR_STORAGE, kept)
        raise
    return user


@contextmanager
def lock_user(user: User, lock_first: Callable[[], object]) -> Iterator[User]:
    """Yield the locked user in a transaction, for changes that need no reauthentication."""
    with transaction.atomic():
        lock_first()
        yield User.objects.locked().get(pk=user.pk)


def set_changed_fields(row: models.Model, values: Mapping[str, Any]) -> list[str]:
    """Set the fields that differ; return their names."""
    changed = [name for name, value in values.items() if getattr(row, name) != value]
    for name in changed:
        setattr(row, name, values[name])
    return changed


def update_patient_details(user: User, changes: Mapping[str, Any]) -> list[str]:
    """Change the address and blood group of a patient; return the names of the changed fields."""
    if user.role != Role.PATIENT:
        return []
    details, _ = PatientDetails.objects.get_or_create(user=user)
    values = {"blood_group": changes["blood_group"]} if "blood_group" in changes else {}
    address = changes.get("address")
    if isinstance(address, str):
        # Parts that the line does not contain stay.
        if address != details.address_line:
            values |= split_address(address)
    elif address:
        values |= address
    changed = set_changed_fields(details, values)
    if changed:
        details.save(update_fields=changed)
    user.patient_details = details
    return changed


def resolve_new_picture(user: User, changes: Mapping[str, Any]) -> bytes | None:
    """Return the new picture as WebP, b"" to remove the current one, or None to keep it."""
    if changes.get("image"):
        return bytes(changes["image"])
    if changes.get("remove_image"):
        return b""
    if "profile_picture" not in changes:
        return None
    link = changes["profile_picture"]
    # An empty field in a form removes nothing; only `removeImage` does.
    if not link or link in {user.profile_picture, f"{settings.BASE_URL}{user.profile_picture}"}:
        return None
    if not settings.PICTURE_LINKS:
        raise field_error("profilePicture", "This site doesn't fetch pictures from links. Please upload the picture.")
    PICTURE_LINK.consume()
    try:
        return avatars.sanitize_avatar(remote_image.fetch_image(link))
    except avatars.ImageRejectedError as error:
        raise field_error("profilePicture", str(error)) from error


def get_new_email(user: User, changes: Mapping[str, Any]) -> str:
    """Return a new email address that must be confirmed, or "" if it is unchanged.

    Whether it belongs to another account is not checked here; see `send_new_email_link`.
    """
    email = changes.get("email", "")
    return "" if email in {user.email, user.pending_email} else str(email)


def change_password(user: User, proof: Proof, new: str, session: Session, now: datetime) -> None:
    """Set a new password and end all other sessions."""
    checked = reauthentication.reauthenticate(user, proof)
    hashed = make_password(new)
    with checked.authorize_change(now) as user:
        user.password = hashed
        # It may have been requested by an intruder who knew the old password.
        user.pending_email = ""
        user.save(update_fields=["password", "pending_email"])
        end_sessions(user.sessions.exclude(pk=session.pk), PASSWORD_CHANGED, now)
        user.sessions.filter(pk=session.pk).update(bound_to=user.compute_session_digest())
        record_event("account.password_changed", Action.UPDATE, "user", user.pk, actor=user)
        notify_user("account.password_changed", user)
