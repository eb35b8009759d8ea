"""Messages about a user's own account."""

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.credentials import signed_links
from accounts.credentials.user_agents import describe_device
from accounts.models import AccountStatus, Notice, Role, Session, User
from accounts.models.reading import MANY_READ
from accounts.notifications.date_format import format_datetime
from accounts.notifications.registry import Message, get_contact_text, get_not_you_text, register_composer


def compose_registered(notice: Notice) -> Message:
    """Return the welcome message; it omits the name, because anybody can register someone else's address."""
    if notice.recipient.role == Role.DOCTOR:
        return Message(
            subject=_("Welcome to {site}").format(site=settings.SITE_NAME),
            title=_("Welcome to {site}").format(site=settings.SITE_NAME),
            lines=(
                _("Your account is ready. We're checking your license now and will email you when that's done."),
                _("Until then, you can complete your profile and set your working hours. Patients can't find you yet."),
            ),
            action=(_("Go to your dashboard"), "/doctor/dashboard"),
            secret_action=build_confirmation_action(notice),
            closing=(get_not_you_text(),),
        )
    return Message(
        subject=_("Welcome to {site}").format(site=settings.SITE_NAME),
        title=_("Welcome to {site}").format(site=settings.SITE_NAME),
        lines=(_("Your account is ready. You can now find a doctor and book an appointment."),),
        action=(_("Find a doctor"), "/patient/doctors"),
        secret_action=build_confirmation_action(notice),
        closing=(get_not_you_text(),),
    )


def build_confirmation_action(notice: Notice) -> tuple[str, str] | None:
    """Return the button that confirms the registered address; None once it is confirmed or its link has expired."""
    expires_at = notice.created_at + signed_links.OWN_EMAIL.lifetime
    if notice.recipient.email_confirmed_at is not None or timezone.now() >= expires_at:
        return None
    return _("Confirm your email address"), signed_links.build_link(
        signed_links.OWN_EMAIL, notice.recipient, notice.created_at
    )


def compose_password_changed(notice: Notice) -> Message:
    return Message(
        subject=_("Your password was changed"),
        title=_("Your password was changed"),
        lines=(_("You've been signed out everywhere except where you changed it."),),
        facts=((_("When"), format_datetime(notice.created_at)),),
        closing=(get_not_you_text(),),
    )


def compose_email_change_requested(notice: Notice) -> Message | None:
    """Return the message to the current address; None if the change was cancelled or completed."""
    if not notice.recipient.pending_email:
        return None
    return Message(
        subject=_("A new email address for your account"),
        title=_("Your email address is about to change"),
        lines=(
            _("Someone who knows your password asked to change your account's email address."),
            _("Nothing changes until the link we sent to the new address is opened and confirmed."),
        ),
        facts=((_("Requested"), format_datetime(notice.created_at)),),
        action=(_("View your profile"), "/profile"),
        closing=(
            get_not_you_text(),
            _("Please change your password, too."),
        ),
    )


def compose_new_sign_in(notice: Notice) -> Message | None:
    """Return the message about a sign-in from a new device; None if the session was deleted."""
    session = Session.objects.filter(pk=notice.detail.get("session"), user=notice.recipient_id).first()
    if session is None:
        return None
    facts = [(_("When"), format_datetime(session.created_at)), (_("Device"), describe_device(session.user_agent))]
    if session.ip_address:
        facts.append((_("IP address"), session.ip_address))
    return Message(
        subject=_("New sign-in to your account"),
        title=_("New sign-in to your account"),
        lines=(_("If this was you, you don't need to do anything."),),
        facts=tuple(facts),
        action=(_("See where you are signed in"), "/profile"),
        closing=(
            _("If this wasn't you, end that sign-in on your profile and change your password."),
            get_not_you_text(),
        ),
    )


def compose_activated(notice: Notice) -> Message | None:
    """Return the message about a reactivated account; None if it was deactivated since."""
    if notice.recipient.status != AccountStatus.ACTIVE:
        return None
    return Message(
        subject=_("Your account is active again"),
        title=_("Your account is active again"),
        lines=(_("You can sign in with the same password as before."),),
        action=(_("Sign in"), "/login"),
    )


def compose_deactivated(notice: Notice) -> Message | None:
    """Return the message about a deactivated account; None if it was reactivated since."""
    if notice.recipient.status == AccountStatus.ACTIVE:
        return None
    return Message(
        subject=_("Your account has been deactivated"),
        title=_("Your account has been deactivated"),
        lines=(
            _("You've been signed out and can't sign in for now."),
            _("Your existing appointments stay as they are unless you hear otherwise."),
        ),
        closing=(get_contact_text(),),
    )


def compose_ended(notice: Notice) -> Message:
    """Return the last message to this address."""
    return Message(
        subject=_("Your account is closed"),
        title=_("Your account is closed"),
        lines=(
            _("You've been signed out, your upcoming appointments are cancelled, and we emailed everyone affected."),
            _("Records of past appointments are kept for as long as the law requires."),
        ),
        closing=(get_not_you_text(),),
    )


def compose_many_people_read(notice: Notice) -> Message | None:
    """Return the message to an admin about a user who viewed unusually many people's data."""
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
    register_composer("account.registered", compose_registered)
    register_composer("account.password_changed", compose_password_changed)
    register_composer("account.new_sign_in", compose_new_sign_in)
    register_composer("account.activated", compose_activated)
    register_composer("account.deactivated", compose_deactivated)
    register_composer("account.ended", compose_ended)
    register_composer("email.change_requested", compose_email_change_requested)
    register_composer(MANY_READ, compose_many_people_read)
