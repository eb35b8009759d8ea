"""What notices to doctors say of their approval and license. Reasons are staff's words."""

from collections.abc import Callable

from django.utils.translation import gettext as _

from accounts.models import Notice
from accounts.notifications.date_format import format_full_date
from accounts.notifications.registry import Composer, Message, get_contact_text, register_composer
from doctors.models import Approval, CaseState, DoctorProfile, Verification


def profile() -> tuple[str, str]:
    """Lead to the page on which a doctor mends what is missing."""
    return _("Go to your profile"), "/profile"


def of_doctor(compose: Callable[[DoctorProfile], Message | None]) -> Composer:
    """Make a composer out of a function that words it for a profile; nothing is told where there is none."""

    def composer(notice: Notice) -> Message | None:
        doctor = DoctorProfile.objects.filter(pk=notice.recipient_id).first()
        return compose(doctor) if doctor else None

    return composer


def because(reason: str) -> tuple[tuple[str, str], ...]:
    """Show a reason where there is one."""
    return ((_("Reason"), " ".join(reason.split())),) if reason else ()


def approved(doctor: DoctorProfile) -> Message | None:
    """Notify the user that patients can book now."""
    if doctor.approval != Approval.APPROVED:
        return None
    return Message(
        subject=_("You are approved"),
        title=_("You are approved"),
        lines=(_("Patients can now find you and book appointments. Please check your working hours."),),
        action=(_("Check your hours"), "/doctor/schedule"),
    )


def rejected(doctor: DoctorProfile) -> Message | None:
    """Notify the user that an application was turned down."""
    if doctor.approval != Approval.REJECTED:
        return None
    return Message(
        subject=_("We couldn't approve you yet"),
        title=_("We couldn't approve you yet"),
        lines=(_("You can add what's missing on your profile and apply again."),),
        facts=because(doctor.approval_reason),
        action=profile(),
        closing=(get_contact_text(),),
    )


def revoked(doctor: DoctorProfile) -> Message | None:
    """Notify the user that an approval was taken back."""
    if doctor.approval != Approval.REVOKED:
        return None
    return Message(
        subject=_("Your listing is paused"),
        title=_("Your listing is paused"),
        lines=(_("Patients can't find you or book with you for now. Your existing appointments stay as they are."),),
        facts=because(doctor.approval_reason),
        action=profile(),
        closing=(get_contact_text(),),
    )


def license_renewed(doctor: DoctorProfile) -> Message | None:
    """Return the message that a renewed license was checked."""
    if doctor.approval != Approval.APPROVED:
        return None
    until = doctor.license_expires_on
    return Message(
        subject=_("Your license is verified"),
        title=_("Your license is verified"),
        lines=(_("Thank you. Patients can still find you and book with you."),),
        facts=((_("Valid until"), format_full_date(until)),) if until else (),
    )


def renewal_rejected(doctor: DoctorProfile) -> Message:
    """Notify the user that a renewal was turned down while the approval stays."""
    case = Verification.objects.filter(doctor=doctor, state=CaseState.REJECTED).order_by("-decided_at").first()
    return Message(
        subject=_("We couldn't accept your renewed license"),
        title=_("We couldn't accept your renewed license"),
        lines=(_("You're still approved. Please send what's missing before your current license expires."),),
        facts=because(case.reason if case else ""),
        action=profile(),
        closing=(get_contact_text(),),
    )


def license_expiring(doctor: DoctorProfile) -> Message | None:
    """Warn of a license's end; None once it is renewed."""
    until = doctor.license_expires_on
    if until is None or doctor.license_warned_days is None or doctor.approval != Approval.APPROVED:
        return None
    return Message(
        subject=_("Your license expires on {day}").format(day=format_full_date(until)),
        title=_("Your license is about to expire"),
        lines=(_("From the next day, patients can't find you or book with you. Please send us your renewed license."),),
        facts=((_("Valid until"), format_full_date(until)),),
        action=(_("Send your renewed license"), "/profile"),
    )


def license_expired(doctor: DoctorProfile) -> Message | None:
    """Return the message that a license has run out; None once it is renewed."""
    if doctor.approval == Approval.APPROVED:
        return None
    return Message(
        subject=_("Your license has expired"),
        title=_("Your license has expired"),
        lines=(
            _("Patients can't find you or book with you until we've verified your renewed license."),
            _("Your existing appointments stay as they are."),
        ),
        action=(_("Send your renewed license"), "/profile"),
        closing=(get_contact_text(),),
    )


def register_composers() -> None:
    """Name the composers of this app."""
    for event, compose in {
        "doctor.approved": approved,
        "doctor.rejected": rejected,
        "doctor.revoked": revoked,
        "doctor.license_renewed": license_renewed,
        "doctor.renewal_rejected": renewal_rejected,
        "doctor.license_expiring": license_expiring,
        "doctor.license_expired": license_expired,
    }.items():
        register_composer(event, of_doctor(compose))
