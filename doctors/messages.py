"""Messages to doctors about their approval and license."""

from collections.abc import Callable

from django.utils.translation import gettext as _

from accounts.models import Notice
from accounts.notifications.date_format import format_full_date
from accounts.notifications.registry import Composer, Message, get_contact_text, register_composer
from doctors.models import Approval, CaseState, DoctorProfile, Verification


def build_profile_action() -> tuple[str, str]:
    """Return the button that leads to the doctor's profile."""
    return _("Go to your profile"), "/profile"


def for_doctor(compose: Callable[[DoctorProfile], Message | None]) -> Composer:
    """Return a composer that calls `compose` with the recipient's profile, or returns None without one."""

    def composer(notice: Notice) -> Message | None:
        doctor = DoctorProfile.objects.filter(pk=notice.recipient_id).first()
        return compose(doctor) if doctor else None

    return composer


def build_reason_facts(reason: str) -> tuple[tuple[str, str], ...]:
    """Return the reason as a fact, if there is one."""
    return ((_("Reason"), " ".join(reason.split())),) if reason else ()


def compose_approved(doctor: DoctorProfile) -> Message | None:
    if doctor.approval != Approval.APPROVED:
        return None
    return Message(
        subject=_("You are approved"),
        title=_("You are approved"),
        lines=(_("Patients can now find you and book appointments. Please check your working hours."),),
        action=(_("Check your hours"), "/doctor/schedule"),
    )


def compose_rejected(doctor: DoctorProfile) -> Message | None:
    if doctor.approval != Approval.REJECTED:
        return None
    return Message(
        subject=_("We couldn't approve you yet"),
        title=_("We couldn't approve you yet"),
        lines=(_("You can add what's missing on your profile and apply again."),),
        facts=build_reason_facts(doctor.approval_reason),
        action=build_profile_action(),
        closing=(get_contact_text(),),
    )


def compose_revoked(doctor: DoctorProfile) -> Message | None:
    if doctor.approval != Approval.REVOKED:
        return None
    return Message(
        subject=_("Your listing is paused"),
        title=_("Your listing is paused"),
        lines=(_("Patients can't find you or book with you for now. Your existing appointments stay as they are."),),
        facts=build_reason_facts(doctor.approval_reason),
        action=build_profile_action(),
        closing=(get_contact_text(),),
    )


def compose_license_renewed(doctor: DoctorProfile) -> Message | None:
    if doctor.approval != Approval.APPROVED:
        return None
    until = doctor.license_expires_on
    return Message(
        subject=_("Your license is verified"),
        title=_("Your license is verified"),
        lines=(_("Thank you. Patients can still find you and book with you."),),
        facts=((_("Valid until"), format_full_date(until)),) if until else (),
    )


def compose_renewal_rejected(doctor: DoctorProfile) -> Message:
    """Return the message about a rejected renewal, which leaves the approval."""
    case = Verification.objects.filter(doctor=doctor, state=CaseState.REJECTED).order_by("-decided_at").first()
    return Message(
        subject=_("We couldn't accept your renewed license"),
        title=_("We couldn't accept your renewed license"),
        lines=(_("You're still approved. Please send what's missing before your current license expires."),),
        facts=build_reason_facts(case.reason if case else ""),
        action=build_profile_action(),
        closing=(get_contact_text(),),
    )


def compose_license_expiring(doctor: DoctorProfile) -> Message | None:
    """Return the warning before a license expires; None once it is renewed."""
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


def compose_license_expired(doctor: DoctorProfile) -> Message | None:
    """Return the message about an expired license; None once it is renewed."""
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
    for event, compose in {
        "doctor.approved": compose_approved,
        "doctor.rejected": compose_rejected,
        "doctor.revoked": compose_revoked,
        "doctor.license_renewed": compose_license_renewed,
        "doctor.renewal_rejected": compose_renewal_rejected,
        "doctor.license_expiring": compose_license_expiring,
        "doctor.license_expired": compose_license_expired,
    }.items():
        register_composer(event, for_doctor(compose))
