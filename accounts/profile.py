"""Change a profile and a password."""

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

PERSON_FIELDS = ("name", "phone", "gender", "date_of_birth")


def update_profile(user: User, changes: Mapping[str, Any], now: datetime) -> User:
    """Change what is sent of the common fields and, for a patient, of address and blood group."""
    return change_person(user, changes, change_patient if user.role == Role.PATIENT else change_nothing, now)


def change_person(
    user: User,
    changes: Mapping[str, Any],
    change_part: Callable[[User, Mapping[str, Any]], list[str]],
    now: datetime,
    lock_first: Callable[[], object] = lambda: None,
) -> User:
    """Change the common fields, and by `change_part` what only this role has, in one transaction.

    `change_part` takes the locked person and the changes and returns the names of the fields that it changed;
    `lock_first` locks what has to be locked before the person. A field that is absent or sent unchanged changes
    nothing. Raises field errors for the picture and the password, and `too_many` for too many links to new addresses.
    Stores a new picture and deletes the old one.
    """
    # What takes time comes before the transaction: a picture from afar, a password.
    new_picture = picture_to_keep(user, changes)
    new_email = email_to_confirm(user, changes)
    checked = reauthentication.reauthenticate(user, Proof.from_form(changes)) if new_email else None
    kept = avatars.store_avatar(new_picture) if new_picture else ""
    try:
        with checked.authorize_change(now, lock_first) if checked else locking(user, lock_first) as person:
            changed = assign(person, {name: changes[name] for name in PERSON_FIELDS if name in changes})
            if kept or (new_picture is not None and person.picture):
                delete_on_commit(avatars.AVATAR_STORAGE, person.picture)
                claim_file(avatars.AVATAR_STORAGE, kept)
                changed += assign(person, {"picture": kept})
            if new_email:
                changed += assign(person, {"pending_email": new_email})
                notify_user("email.change_requested", person)
                send_new_email_link(person, now)
            if changed:
                person.save(update_fields=changed)
            changed += change_part(person, changes)
            if changed:
                detail = {"fields": sorted(changed)}
                record_event("account.profile_changed", Action.UPDATE, "user", person.pk, actor=person, detail=detail)
    except BaseException:
        if kept:
            discard_file(avatars.AVATAR_STORAGE, kept)
        raise
    return person


@contextmanager
def locking(user: User, lock_first: Callable[[], object]) -> Iterator[User]:
    """Open a transaction and yield the locked person, for changes that touch no factor."""
    with transaction.atomic():
        lock_first()
        yield User.objects.locked().get(pk=user.pk)


def assign(row: models.Model, values: Mapping[str, Any]) -> list[str]:
    """Set what differs; return the names of those fields."""
    changed = [name for name, value in values.items() if getattr(row, name) != value]
    for name in changed:
        setattr(row, name, values[name])
    return changed


def change_nothing(person: User, changes: Mapping[str, Any]) -> list[str]:
    """Change nothing: this role has no part of its own here."""
    return []


def change_patient(person: User, changes: Mapping[str, Any]) -> list[str]:
    """Change a patient's address and blood group."""
    details, _ = PatientDetails.objects.get_or_create(user=person)
    values = {"blood_group": changes["blood_group"]} if "blood_group" in changes else {}
    address = changes.get("address")
    if isinstance(address, str):
        # The simple form's single line: parts that it does not name keep their values.
        if address != details.address_line:
            values |= split_address(address)
    elif address:
        values |= address
    changed = assign(details, values)
    if changed:
        details.save(update_fields=changed)
    person.patient_details = details
    return changed


def picture_to_keep(user: User, changes: Mapping[str, Any]) -> bytes | None:
    """Return the new picture as WebP, empty bytes to remove the present one, None to leave it as it is."""
    if changes.get("image"):
        return bytes(changes["image"])
    if changes.get("remove_image"):
        return b""
    if "profile_picture" not in changes:
        return None
    link = changes["profile_picture"]
    # A form that sends its empty field along removes nothing; only `removeImage` does.
    if not link or link in {user.profile_picture, f"{settings.BASE_URL}{user.profile_picture}"}:
        return None
    if not settings.PICTURE_LINKS:
        raise field_error("profilePicture", "This site doesn't fetch pictures from links. Please upload the picture.")
    PICTURE_LINK.consume()
    try:
        return avatars.sanitize_avatar(remote_image.fetch_image(link))
    except avatars.ImageRejectedError as refused:
        raise field_error("profilePicture", str(refused)) from refused


def email_to_confirm(user: User, changes: Mapping[str, Any]) -> str:
    """Return the new address that is to be confirmed from its own mailbox, or an empty text.

    Whether it is another account's is not looked up: its mailbox learns that from the mail.
    """
    email = changes.get("email", "")
    return "" if email in {user.email, user.pending_email} else str(email)


def change_password(user: User, proof: Proof, new: str, session: Session, now: datetime) -> None:
    """Set a new password and end every session but the one that asks."""
    checked = reauthentication.reauthenticate(user, proof)
    hashed = make_password(new)
    with checked.authorize_change(now) as person:
        person.password = hashed
        # An intruder who knew the old password may have asked for that address.
        person.pending_email = ""
        person.save(update_fields=["password", "pending_email"])
        end_sessions(person.sessions.exclude(pk=session.pk), PASSWORD_CHANGED, now)
        person.sessions.filter(pk=session.pk).update(bound_to=person.session_ground())
        record_event("account.password_changed", Action.UPDATE, "user", person.pk, actor=person)
        notify_user("account.password_changed", person)
