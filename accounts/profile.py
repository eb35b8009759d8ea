"""Change a profile and a password."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.db import models, transaction

from accounts import picture_links, pictures
from accounts.email_address import send_link_to_new
from accounts.limits import Limit
from accounts.models import PatientDetails, Role, Session, User
from accounts.sessions import PASSWORD_CHANGED, end_sessions
from accounts.stored_files import drop, let_go, named
from accounts.trail import Action, record, tell
from config.errors import REGISTRY, RuleBroken

PERSON_FIELDS = ("name", "phone", "gender", "date_of_birth")

password_tries = Limit("own-password", settings.SIGN_IN_TRIES_PER_ACCOUNT)
links_fetched = Limit("picture-link", 10)


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

    `change_part` takes the locked person and the changes, and answers the names of what it changed; `lock_first` locks
    what everybody locks before the person. What is absent, or sent as it stands, changes nothing. Raises field errors
    for the picture and the password, `email_taken`, and `too_many` for too many links to new addresses. Stores a new
    picture and deletes the old one.
    """
    # What takes time comes before the transaction: a picture from afar, a password.
    new_picture = picture_to_keep(user, changes)
    new_email = email_to_confirm(user, changes)
    kept = pictures.keep(new_picture) if new_picture else ""
    try:
        with transaction.atomic():
            lock_first()
            person = User.objects.locked().get(pk=user.pk)
            changed = assign(person, {name: changes[name] for name in PERSON_FIELDS if name in changes})
            if kept or (new_picture is not None and person.picture):
                let_go(pictures.STORAGE, person.picture)
                named(pictures.STORAGE, kept)
                changed += assign(person, {"picture": kept})
            if new_email:
                changed += assign(person, {"pending_email": new_email})
                tell("email.change_requested", person)
                send_link_to_new(person, now)
            if changed:
                person.save(update_fields=changed)
            changed += change_part(person, changes)
            if changed:
                detail = {"fields": sorted(changed)}
                record("account.profile_changed", Action.UPDATE, "user", person.pk, by=person, detail=detail)
    except BaseException:
        if kept:
            drop(pictures.STORAGE, kept)
        raise
    return person


def assign(row: models.Model, values: Mapping[str, Any]) -> list[str]:
    """Set what differs; answers the names of those fields."""
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
        # The simple form's single line: as it stands, or a new street without the rest.
        if address != details.address_line:
            values |= {"street": address, "city": "", "state": "", "zip_code": ""}
    elif address:
        values |= address
    changed = assign(details, values)
    if changed:
        details.save(update_fields=changed)
    person.patient_details = details
    return changed


def picture_to_keep(user: User, changes: Mapping[str, Any]) -> bytes | None:
    """Answer the new portrait as WebP, empty bytes to have none any more, or None to leave it as it is."""
    if changes.get("image"):
        return bytes(changes["image"])
    if changes.get("remove_image"):
        return b""
    if "profile_picture" not in changes:
        return None
    link = changes["profile_picture"]
    if link in {user.profile_picture, f"{settings.BASE_URL}{user.profile_picture}"}:
        return None
    if not link:
        return b""
    if not settings.PICTURE_LINKS:
        raise field_error("profilePicture", "Links to pictures are not taken here. Please upload the picture.")
    links_fetched.take(str(user.pk))
    try:
        return pictures.harmless(picture_links.fetch(link))
    except pictures.PictureRefused as refused:
        raise field_error("profilePicture", str(refused)) from refused


def email_to_confirm(user: User, changes: Mapping[str, Any]) -> str:
    """Answer the new address that is to be confirmed from its own mailbox, or an empty text.

    Raises a field error unless the current password comes with it, `email_taken` when it is another account's.
    """
    email = changes.get("email", "")
    if not email or email in {user.email, user.pending_email}:
        return ""
    check_own_password(user, changes.get("current_password", ""))
    if User.objects.filter(email=email).exists():
        raise RuleBroken("email_taken", errors={"email": [REGISTRY["email_taken"][1]]})
    return str(email)


def check_own_password(user: User, password: str) -> None:
    """Raise a field error unless this is the person's password, `too_many` after too many wrong ones."""
    if not password:
        raise field_error("currentPassword", "Enter your current password.")
    password_tries.take(str(user.pk))
    if not check_password(password, user.password):
        raise field_error("currentPassword", "This is not your current password.")
    password_tries.clear(str(user.pk))


def change_password(user: User, current: str, new: str, session: Session, now: datetime) -> None:
    """Set a new password and end every session but the one that asks."""
    check_own_password(user, current)
    hashed = make_password(new)
    with transaction.atomic():
        person = User.objects.locked().get(pk=user.pk)
        if person.password != user.password:
            # Changed meanwhile from elsewhere: what was checked is no longer the password.
            raise field_error("currentPassword", "This is not your current password.")
        person.password = hashed
        # Whoever knew the old password may have asked for that address.
        person.pending_email = ""
        person.save(update_fields=["password", "pending_email"])
        end_sessions(person.sessions.exclude(pk=session.pk), PASSWORD_CHANGED, now)
        person.sessions.filter(pk=session.pk).update(bound_to=person.session_ground())
        record("account.password_changed", Action.UPDATE, "user", person.pk, by=person)
        tell("account.password_changed", person)


def field_error(field: str, message: str) -> RuleBroken:
    """Make the error that marks one field."""
    return RuleBroken("invalid", errors={field: [message]})
