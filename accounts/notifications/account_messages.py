"""What notices about a person's own account say."""

from django.utils import timezone

from accounts.credentials import signed_links
from accounts.credentials.user_agents import device_words
from accounts.languages import say
from accounts.models import AccountStatus, Notice, Role, Session, User
from accounts.models.reading import MANY_READ
from accounts.notifications.date_format import moment_words
from accounts.notifications.registry import Message, not_you, questions, register


def registered(notice: Notice) -> Message:
    """Welcome a person, but not by name: a stranger's address can be registered under any text."""
    person = notice.recipient
    if person.role == Role.DOCTOR:
        return Message(
            subject=say("Welcome to Wellhour"),
            title=say("Welcome to Wellhour"),
            lines=(
                say("Your account is ready. We're checking your license now and will email you when that's done."),
                say(
                    "Until then, you can complete your profile and set your working hours. Patients can't find you yet."
                ),
            ),
            action=(say("Go to your dashboard"), "/doctor/dashboard"),
            secret_action=confirm_address(notice),
            closing=(not_you(),),
        )
    return Message(
        subject=say("Welcome to Wellhour"),
        title=say("Welcome to Wellhour"),
        lines=(say("Your account is ready. You can now find a doctor and book an appointment."),),
        action=(say("Find a doctor"), "/patient/doctors"),
        secret_action=confirm_address(notice),
        closing=(not_you(),),
    )


def confirm_address(notice: Notice) -> tuple[str, str] | None:
    """Ask a new person to confirm the address of their registration, while that link works."""
    ends = notice.created_at + signed_links.OWN_EMAIL.lasts
    if notice.recipient.email_confirmed_at is not None or timezone.now() >= ends:
        return None
    return say("Confirm your email address"), signed_links.link(
        signed_links.OWN_EMAIL, notice.recipient, notice.created_at
    )


def password_changed(notice: Notice) -> Message:
    """Notify the user of a new password."""
    return Message(
        subject=say("Your password was changed"),
        title=say("Your password was changed"),
        lines=(say("You've been signed out everywhere except where you changed it."),),
        facts=((say("When"), moment_words(notice.created_at)),),
        closing=(not_you(),),
    )


def email_change_requested(notice: Notice) -> Message | None:
    """Notify the address in use that another one is to take its place."""
    if not notice.recipient.pending_email:
        return None
    return Message(
        subject=say("A new email address for your account"),
        title=say("Your email address is about to change"),
        lines=(
            say("Someone who knows your password asked to change your account's email address."),
            say("Nothing changes until the link we sent to the new address is opened and confirmed."),
        ),
        facts=((say("Requested"), moment_words(notice.created_at)),),
        action=(say("View your profile"), "/profile"),
        closing=(
            not_you(),
            say("Please change your password, too."),
        ),
    )


def new_sign_in(notice: Notice) -> Message | None:
    """Notify the user of a sign-in from a device that the account has not seen before."""
    session = Session.objects.filter(pk=notice.detail.get("session"), user=notice.recipient_id).first()
    if session is None:
        return None
    facts = [(say("When"), moment_words(session.created_at)), (say("Device"), device_words(session.user_agent))]
    if session.ip_address:
        facts.append((say("IP address"), session.ip_address))
    return Message(
        subject=say("New sign-in to your account"),
        title=say("New sign-in to your account"),
        lines=(say("If this was you, you don't need to do anything."),),
        facts=tuple(facts),
        action=(say("See where you are signed in"), "/profile"),
        closing=(say("If this wasn't you, end that sign-in on your profile and change your password."), not_you()),
    )


def activated(notice: Notice) -> Message | None:
    """Notify the user that an account goes on."""
    if notice.recipient.status != AccountStatus.ACTIVE:
        return None
    return Message(
        subject=say("Your account is active again"),
        title=say("Your account is active again"),
        lines=(say("You can sign in with the same password as before."),),
        action=(say("Sign in"), "/login"),
    )


def deactivated(notice: Notice) -> Message | None:
    """Notify the user that an account was stopped."""
    if notice.recipient.status == AccountStatus.ACTIVE:
        return None
    return Message(
        subject=say("Your account has been deactivated"),
        title=say("Your account has been deactivated"),
        lines=(
            say("You've been signed out and can't sign in for now."),
            say("Your existing appointments stay as they are unless you hear otherwise."),
        ),
        closing=(questions(),),
    )


def ended(notice: Notice) -> Message:
    """Say good-bye; the last message to this address."""
    return Message(
        subject=say("Your account is closed"),
        title=say("Your account is closed"),
        lines=(
            say("You've been signed out, your upcoming appointments are cancelled, and we emailed everyone affected."),
            say("Records of past appointments are kept for as long as the law requires."),
        ),
        closing=(not_you(),),
    )


def people_read(notice: Notice) -> Message | None:
    """Return the message to an admin: somebody was shown data of unusually many people; who it was, the page says."""
    reader = User.objects.filter(pk=notice.subject_id).first()
    if reader is None:
        return None
    return Message(
        subject=say("Someone viewed an unusual number of people's data"),
        title=say("Unusually many people's data was viewed"),
        lines=(say("This can be ordinary work, such as exporting a long list. Please check that it was."),),
        facts=(
            (say("Who"), reader.name),
            (say("Date (UTC)"), str(notice.detail.get("day", ""))),
            (say("People"), str(notice.detail.get("people", ""))),
        ),
        action=(say("See who viewed what"), "/admin/audit/readings"),
    )


def register_composers() -> None:
    """Name the composers of this app."""
    register("account.registered", registered)
    register("account.password_changed", password_changed)
    register("account.new_sign_in", new_sign_in)
    register("account.activated", activated)
    register("account.deactivated", deactivated)
    register("account.ended", ended)
    register("email.change_requested", email_change_requested)
    register(MANY_READ, people_read)
