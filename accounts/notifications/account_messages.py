"""What notices about a person's own account say."""

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.credentials import signed_links
from accounts.credentials.user_agents import device_words
from accounts.models import AccountStatus, Notice, Role, Session, User
from accounts.models.reading import MANY_READ
from accounts.notifications.date_format import moment_words
from accounts.notifications.registry import Message, not_you, questions, register


def registered(notice: Notice) -> Message:
    """Welcome a person, but not by name: a stranger's address can be registered under any text."""
    person = notice.recipient
    if person.role == Role.DOCTOR:
        return Message(
            subject=_("Welcome to Wellhour"),
            title=_("Welcome to Wellhour"),
            lines=(
                _("Your account is ready. We're checking your license now and will email you when that's done."),
                _("Until then, you can complete your profile and set your working hours. Patients can't find you yet."),
            ),
            action=(_("Go to your dashboard"), "/doctor/dashboard"),
            secret_action=confirm_address(notice),
            closing=(not_you(),),
        )
    return Message(
        subject=_("Welcome to Wellhour"),
        title=_("Welcome to Wellhour"),
        lines=(_("Your account is ready. You can now find a doctor and book an appointment."),),
        action=(_("Find a doctor"), "/patient/doctors"),
        secret_action=confirm_address(notice),
        closing=(not_you(),),
    )


def confirm_address(notice: Notice) -> tuple[str, str] | None:
    """Ask a new person to confirm the address of their registration, while that link works."""
    ends = notice.created_at + signed_links.OWN_EMAIL.lasts
    if notice.recipient.email_confirmed_at is not None or timezone.now() >= ends:
        return None
    return _("Confirm your email address"), signed_links.link(
        signed_links.OWN_EMAIL, notice.recipient, notice.created_at
    )


def password_changed(notice: Notice) -> Message:
    """Notify the user of a new password."""
    return Message(
        subject=_("Your password was changed"),
        title=_("Your password was changed"),
        lines=(_("You've been signed out everywhere except where you changed it."),),
        facts=((_("When"), moment_words(notice.created_at)),),
        closing=(not_you(),),
    )


def email_change_requested(notice: Notice) -> Message | None:
    """Notify the address in use that another one is to take its place."""
    if not notice.recipient.pending_email:
        return None
    return Message(
        subject=_("A new email address for your account"),
        title=_("Your email address is about to change"),
        lines=(
            _("Someone who knows your password asked to change your account's email address."),
            _("Nothing changes until the link we sent to the new address is opened and confirmed."),
        ),
        facts=((_("Requested"), moment_words(notice.created_at)),),
        action=(_("View your profile"), "/profile"),
        closing=(
            not_you(),
            _("Please change your password, too."),
        ),
    )


def new_sign_in(notice: Notice) -> Message | None:
    """Notify the user of a sign-in from a device that the account has not seen before."""
    session = Session.objects.filter(pk=notice.detail.get("session"), user=notice.recipient_id).first()
    if session is None:
        return None
    facts = [(_("When"), moment_words(session.created_at)), (_("Device"), device_words(session.user_agent))]
    if session.ip_address:
        facts.append((_("IP address"), session.ip_address))
    return Message(
        subject=_("New sign-in to your account"),
        title=_("New sign-in to your account"),
        lines=(_("If this was you, you don't need to do anything."),),
        facts=tuple(facts),
        action=(_("See where you are signed in"), "/profile"),
        closing=(_("If this wasn't you, end that sign-in on your profile and change your password."), not_you()),
    )


def activated(notice: Notice) -> Message | None:
    """Notify the user that an account goes on."""
    if notice.recipient.status != AccountStatus.ACTIVE:
        return None
    return Message(
        subject=_("Your account is active again"),
        title=_("Your account is active again"),
        lines=(_("You can sign in with the same password as before."),),
        action=(_("Sign in"), "/login"),
    )


def deactivated(notice: Notice) -> Message | None:
    """Notify the user that an account was stopped."""
    if notice.recipient.status == AccountStatus.ACTIVE:
        return None
    return Message(
        subject=_("Your account has been deactivated"),
        title=_("Your account has been deactivated"),
        lines=(
            _("You've been signed out and can't sign in for now."),
            _("Your existing appointments stay as they are unless you hear otherwise."),
        ),
        closing=(questions(),),
    )


def ended(notice: Notice) -> Message:
    """Say good-bye; the last message to this address."""
    return Message(
        subject=_("Your account is closed"),
        title=_("Your account is closed"),
        lines=(
            _("You've been signed out, your upcoming appointments are cancelled, and we emailed everyone affected."),
            _("Records of past appointments are kept for as long as the law requires."),
        ),
        closing=(not_you(),),
    )


def people_read(notice: Notice) -> Message | None:
    """Return the message to an admin: somebody was shown data of unusually many people; who it was, the page says."""
    reader = User.objects.filter(pk=notice.subject_id).first()
    if reader is None:
        return None
    return Message(
        subject=_("Someone viewed an unusual number of people's data"),
        title=_("Unusually many people's data was viewed"),
        lines=(_("This can be ordinary work, such as exporting a long list. Please check that it was."),),
        facts=(
            (_("Who"), reader.name),
            (_("Date (UTC)"), str(notice.detail.get("day", ""))),
            (_("People"), str(notice.detail.get("people", ""))),
        ),
        action=(_("See who viewed what"), "/admin/audit/readings"),
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
