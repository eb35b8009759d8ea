"""What notices about a person's own account say."""

from django.utils import timezone

from accounts import links
from accounts.devices import device_words
from accounts.messages import REACH_US, Message, register
from accounts.models import AccountStatus, Notice, Role, Session
from accounts.time_words import moment_words

HELP = f"If this was not you, {REACH_US}."


def registered(notice: Notice) -> Message:
    """Welcome a person."""
    person = notice.recipient
    if person.role == Role.DOCTOR:
        return Message(
            subject="Welcome to Wellhour",
            title=f"Welcome, {person.name}",
            lines=(
                "Your account is open. We now check your licence, and tell you as soon as that is done.",
                "Until then you can fill in your profile and set your working hours. Patients can't find you yet.",
            ),
            action=("Go to your dashboard", "/doctor/dashboard"),
            secret_action=confirm_address(notice),
            closing=(HELP,),
        )
    return Message(
        subject="Welcome to Wellhour",
        title=f"Welcome, {person.name}",
        lines=("Your account is open. You can now find a doctor and book a visit.",),
        action=("Find a doctor", "/patient/doctors"),
        secret_action=confirm_address(notice),
        closing=(HELP,),
    )


def confirm_address(notice: Notice) -> tuple[str, str] | None:
    """Ask a new person to confirm the address of their registration, while that link works."""
    ends = notice.created_at + links.OWN_EMAIL.lasts
    if notice.recipient.email_confirmed_at is not None or timezone.now() >= ends:
        return None
    return "Confirm your e-mail address", links.link(links.OWN_EMAIL, notice.recipient, notice.created_at)


def password_changed(notice: Notice) -> Message:
    """Tell of a new password."""
    return Message(
        subject="Your password was changed",
        title="Your password was changed",
        lines=("You are signed out everywhere but where you changed it.",),
        facts=(("When", moment_words(notice.created_at)),),
        closing=(HELP,),
    )


def email_change_requested(notice: Notice) -> Message | None:
    """Tell the address in use that another one is to take its place."""
    if not notice.recipient.pending_email:
        return None
    return Message(
        subject="A new e-mail address for your account",
        title="Your e-mail address is about to change",
        lines=(
            "Somebody who knows your password asked to use another e-mail address for your account.",
            "Nothing changes until the link that we sent to the new address is used.",
        ),
        facts=(("Asked", moment_words(notice.created_at)),),
        action=("Look at your profile", "/profile"),
        closing=(f"{HELP} Change your password too.",),
    )


def new_sign_in(notice: Notice) -> Message | None:
    """Tell of a sign-in from a device that the account has not seen before."""
    session = Session.objects.filter(pk=notice.detail.get("session"), user=notice.recipient_id).first()
    if session is None:
        return None
    facts = [("When", moment_words(session.created_at)), ("With", device_words(session.user_agent))]
    if session.ip_address:
        facts.append(("From the internet address", session.ip_address))
    return Message(
        subject="New sign-in to your account",
        title="Somebody signed in to your account from a new device",
        lines=("If this was you, there is nothing to do.",),
        facts=tuple(facts),
        action=("See where you are signed in", "/profile"),
        closing=("If this was not you, end that sign-in on your profile and change your password.", HELP),
    )


def activated(notice: Notice) -> Message | None:
    """Tell that an account goes on."""
    if notice.recipient.status != AccountStatus.ACTIVE:
        return None
    return Message(
        subject="Your account is active again",
        title="Your account is active again",
        lines=("You can sign in as before, with the same password.",),
        action=("Sign in", "/login"),
    )


def deactivated(notice: Notice) -> Message | None:
    """Tell that an account was stopped."""
    if notice.recipient.status == AccountStatus.ACTIVE:
        return None
    return Message(
        subject="Your account has been stopped",
        title="Your account has been stopped",
        lines=(
            "You are signed out and can't sign in for now.",
            "Visits that are already booked stay as they are, unless you hear otherwise.",
        ),
        closing=(f"If you have questions, {REACH_US}.",),
    )


def ended(notice: Notice) -> Message:
    """Say good-bye; the last message to this address."""
    return Message(
        subject="Your account is closed",
        title="Your account is closed",
        lines=(
            "You are signed out for good. Visits that were still to come are cancelled, and the other side is told.",
            "Records of past visits are kept for as long as the law asks.",
        ),
        closing=(HELP,),
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
