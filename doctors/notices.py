"""What notices to doctors say of their approval and licence. Reasons are staff's words."""

from collections.abc import Callable

from accounts.languages import say
from accounts.messages import Composer, Message, questions, register
from accounts.models import Notice
from accounts.time_words import day_words
from doctors.models import Approval, CaseState, DoctorProfile, Verification


def profile() -> tuple[str, str]:
    """Lead to the page on which a doctor mends what is missing."""
    return say("Go to your profile"), "/profile"


def of_doctor(compose: Callable[[DoctorProfile], Message | None]) -> Composer:
    """Make a composer out of a function that words it for a profile; nothing is told where there is none."""

    def composer(notice: Notice) -> Message | None:
        doctor = DoctorProfile.objects.filter(pk=notice.recipient_id).first()
        return compose(doctor) if doctor else None

    return composer


def because(reason: str) -> tuple[tuple[str, str], ...]:
    """Show a reason where there is one."""
    return ((say("Reason"), " ".join(reason.split())),) if reason else ()


def approved(doctor: DoctorProfile) -> Message | None:
    """Tell that patients can book now."""
    if doctor.approval != Approval.APPROVED:
        return None
    return Message(
        subject=say("You are approved"),
        title=say("You are approved"),
        lines=(
            say("Patients can now find you and book visits in your free times. Please look over your working hours."),
        ),
        action=(say("Look at your hours"), "/doctor/schedule"),
    )


def rejected(doctor: DoctorProfile) -> Message | None:
    """Tell that an application was turned down."""
    if doctor.approval != Approval.REJECTED:
        return None
    return Message(
        subject=say("We could not approve you yet"),
        title=say("We could not approve you yet"),
        lines=(say("You can correct what is missing on your profile and apply again."),),
        facts=because(doctor.approval_reason),
        action=profile(),
        closing=(questions(),),
    )


def revoked(doctor: DoctorProfile) -> Message | None:
    """Tell that an approval was taken back."""
    if doctor.approval != Approval.REVOKED:
        return None
    return Message(
        subject=say("Your approval was taken back"),
        title=say("Your approval was taken back"),
        lines=(
            say("Patients can't find you or book with you for now. Visits that are already booked stay as they are."),
        ),
        facts=because(doctor.approval_reason),
        action=profile(),
        closing=(questions(),),
    )


def license_renewed(doctor: DoctorProfile) -> Message | None:
    """Tell that a renewed licence was checked."""
    if doctor.approval != Approval.APPROVED:
        return None
    until = doctor.license_expires_on
    return Message(
        subject=say("Your licence is checked"),
        title=say("Your licence is checked"),
        lines=(say("Thank you. Patients go on finding you and booking with you."),),
        facts=((say("Valid until"), day_words(until)),) if until else (),
    )


def renewal_rejected(doctor: DoctorProfile) -> Message:
    """Tell that a renewal was turned down while the approval stays."""
    case = Verification.objects.filter(doctor=doctor, state=CaseState.REJECTED).order_by("-decided_at").first()
    return Message(
        subject=say("We could not accept your renewed licence"),
        title=say("We could not accept your renewed licence"),
        lines=(
            say("Your approval stays as it is. Please send what is missing, before the licence that we have runs out."),
        ),
        facts=because(case.reason if case else ""),
        action=profile(),
        closing=(questions(),),
    )


def license_expiring(doctor: DoctorProfile) -> Message | None:
    """Warn of a licence's end; None once it is renewed."""
    until = doctor.license_expires_on
    if until is None or doctor.license_warned_days is None or doctor.approval != Approval.APPROVED:
        return None
    return Message(
        subject=say("Your licence runs out on {day}", day=day_words(until)),
        title=say("Your licence is about to run out"),
        lines=(
            say("From the day after, patients can't find you or book with you. Please send us the renewed licence."),
        ),
        facts=((say("Valid until"), day_words(until)),),
        action=(say("Send the renewed licence"), "/profile"),
    )


def license_expired(doctor: DoctorProfile) -> Message | None:
    """Tell that a licence has run out; None once it is renewed."""
    if doctor.approval == Approval.APPROVED:
        return None
    return Message(
        subject=say("Your licence has run out"),
        title=say("Your licence has run out"),
        lines=(
            say("Patients can't find you or book with you until we have checked the renewed licence."),
            say("Visits that are already booked stay as they are."),
        ),
        action=(say("Send the renewed licence"), "/profile"),
        closing=(questions(),),
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
        register(event, of_doctor(compose))
