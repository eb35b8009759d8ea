"""What notices about a person's own account say."""

from django.utils import timezone

from accounts import links
from accounts.devices import device_words
from accounts.languages import say
from accounts.messages import Message, not_you, questions, register
from accounts.models import AccountStatus, Notice, Role, Session
from accounts.time_words import moment_words


def registered(notice: Notice) -> Message:
    """Welcome a person, and not by name: whoever registers types any address, and an advertisement as the name."""
    person = notice.recipient
    if person.role == Role.DOCTOR:
        return Message(
            subject=say("Welcome to Wellhour"),
            title=say("Welcome to Wellhour"),
            lines=(
                say("Your account is open. We now check your licence, and tell you as soon as that is done."),
                say("Until then you can fill in your profile and set your working hours. Patients can't find you yet."),
            ),
            action=(say("Go to your dashboard"), "/doctor/dashboard"),
            secret_action=confirm_address(notice),
            closing=(not_you(),),
        )
    return Message(
        subject=say("Welcome to Wellhour"),
        title=say("Welcome to Wellhour"),
        lines=(say("Your account is open. You can now find a doctor and book a visit."),),
        action=(say("Find a doctor"), "/patient/doctors"),
        secret_action=confirm_address(notice),
        closing=(not_you(),),
    )


def confirm_address(notice: Notice) -> tuple[str, str] | None:
    """Ask a new person to confirm the address of their registration, while that link works."""
    ends = notice.created_at + links.OWN_EMAIL.lasts
    if notice.recipient.email_confirmed_at is not None or timezone.now() >= ends:
        return None
    return say("Confirm your e-mail address"), links.link(links.OWN_EMAIL, notice.recipient, notice.created_at)


def password_changed(notice: Notice) -> Message:
    """Tell of a new password."""
    return Message(
        subject=say("Your password was changed"),
        title=say("Your password was changed"),
        lines=(say("You are signed out everywhere but where you changed it."),),
        facts=((say("When"), moment_words(notice.created_at)),),
        closing=(not_you(),),
    )


def email_change_requested(notice: Notice) -> Message | None:
    """Tell the address in use that another one is to take its place."""
    if not notice.recipient.pending_email:
        return None
    return Message(
        subject=say("A new e-mail address for your account"),
        title=say("Your e-mail address is about to change"),
        lines=(
            say("Somebody who knows your password asked to use another e-mail address for your account."),
            say("Nothing changes until the link that we sent to the new address is used."),
        ),
        facts=((say("Asked"), moment_words(notice.created_at)),),
        action=(say("Look at your profile"), "/profile"),
        closing=(
            not_you(),
            say("Change your password too."),
        ),
    )


def new_sign_in(notice: Notice) -> Message | None:
    """Tell of a sign-in from a device that the account has not seen before."""
    session = Session.objects.filter(pk=notice.detail.get("session"), user=notice.recipient_id).first()
    if session is None:
        return None
    facts = [(say("When"), moment_words(session.created_at)), (say("With"), device_words(session.user_agent))]
    if session.ip_address:
        facts.append((say("From the internet address"), session.ip_address))
    return Message(
        subject=say("New sign-in to your account"),
        title=say("Somebody signed in to your account from a new device"),
        lines=(say("If this was you, there is nothing to do."),),
        facts=tuple(facts),
        action=(say("See where you are signed in"), "/profile"),
        closing=(say("If this was not you, end that sign-in on your profile and change your password."), not_you()),
    )


def activated(notice: Notice) -> Message | None:
    """Tell that an account goes on."""
    if notice.recipient.status != AccountStatus.ACTIVE:
        return None
    return Message(
        subject=say("Your account is active again"),
        title=say("Your account is active again"),
        lines=(say("You can sign in as before, with the same password."),),
        action=(say("Sign in"), "/login"),
    )


def deactivated(notice: Notice) -> Message | None:
    """Tell that an account was stopped."""
    if notice.recipient.status == AccountStatus.ACTIVE:
        return None
    return Message(
        subject=say("Your account has been stopped"),
        title=say("Your account has been stopped"),
        lines=(
            say("You are signed out and can't sign in for now."),
            say("Visits that are already booked stay as they are, unless you hear otherwise."),
        ),
        closing=(questions(),),
    )


def ended(notice: Notice) -> Message:
    """Say good-bye; the last message to this address."""
    return Message(
        subject=say("Your account is closed"),
        title=say("Your account is closed"),
        lines=(
            say(
                "You are signed out for good. Visits that were still to come are cancelled, and the other side is told."
            ),
            say("Records of past visits are kept for as long as the law asks."),
        ),
        closing=(not_you(),),
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
