"""What notices about visits say, and the calendar files that go with them.

Symptoms, notes, records and reasons in patients' or doctors' own words are never here: whoever is to read them does so
on the page, signed in.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from django.utils import timezone

from accounts.languages import say
from accounts.messages import Composer, Message, register
from accounts.models import Notice, Role, User
from accounts.time_words import day_words, moment_words
from appointments.calendar_files import CANCEL, REQUEST, calendar_file
from appointments.endings import REASONS, is_in_our_words
from appointments.models import LIVE, SYSTEM, Appointment, Proposal, Status
from appointments.visit_words import doctor_words, facts_of, is_doctors, other_side_words, page_of, short_when

KIND = "appointment"


def of_visit(compose: Callable[[Appointment, User, Notice], Message | None]) -> Composer:
    """Make a composer out of a function that words it for a visit and its reader."""

    def composer(notice: Notice) -> Message | None:
        visit = Appointment.objects.filter(pk=notice.subject_id).first()
        return compose(visit, notice.recipient, notice) if visit else None

    return composer


def of_proposal(compose: Callable[[Proposal, Appointment, User], Message | None]) -> Composer:
    """Make a composer out of a function that words it for a proposal, its visit and its reader."""

    def composer(notice: Notice) -> Message | None:
        proposal = Proposal.objects.select_related("appointment").filter(pk=notice.subject_id).first()
        return compose(proposal, proposal.appointment, notice.recipient) if proposal else None

    return composer


def is_overtaken(notice: Notice) -> bool:
    """Tell whether a later notice says to the same person how the visit stands."""
    later = Notice.objects.filter(
        recipient=notice.recipient_id, subject_type="appointment", subject_id=notice.subject_id,
        version__gt=notice.version,
    )  # fmt: skip
    # Records and reminders count versions of their own.
    return later.exclude(event__in=("record.written", "appointment.reminder")).exists()


def link(visit: Appointment, reader: User, label: str = "") -> tuple[str, str]:
    """Lead to the visit's page; what can be done with it is a button there."""
    return label or say("See the visit"), page_of(visit, reader)


def book_again(visit: Appointment) -> tuple[str, str]:
    """Lead a patient to the doctor's free times."""
    return say("Choose another time"), f"/patient/book-appointment/{visit.doctor_id}"


def to_attend(subject: str, visit: Appointment, reader: User, *lines: str, label: str = "") -> Message:
    """Make the message about a visit that is to take place, with its file for the calendar."""
    patients = not is_doctors(visit, reader)
    return Message(
        subject=subject,
        title=subject,
        lines=tuple(line for line in lines if line),
        facts=facts_of(visit, reader),
        action=link(
            visit, reader, label or (say("See, move or cancel the visit") if patients else say("See the visit"))
        ),
        calendar=partial(calendar_file, visit, reader, REQUEST, timezone.now()),
        method=REQUEST,
    )


def booked(visit: Appointment, reader: User, notice: Notice) -> Message | None:
    """Tell both sides of a new visit, or of a request for one."""
    if visit.status not in LIVE or visit.is_overdue(timezone.now()) or is_overtaken(notice):
        return None
    when = short_when(visit)
    waits = visit.status == Status.PENDING
    if is_doctors(visit, reader):
        if not waits and visit.confirmed_at is not None:
            # The doctor has answered it already.
            return None
        if waits:
            return to_attend(
                say("New request: {when}", when=when), visit, reader,
                say("{patient} asks for a visit.", patient=visit.patient_name), answer_until(visit),
                label=say("Confirm or decline"),
            )  # fmt: skip
        return to_attend(
            say("New visit: {when}", when=when), visit, reader,
            say("{patient} booked a visit with you.", patient=visit.patient_name),
        )  # fmt: skip
    if waits:
        return to_attend(
            say("We passed on your request for {when}", when=when), visit, reader,
            say(
                "{doctor} has to confirm the visit. The time is kept for you until then, "
                "and we write to you as soon as it is answered.",
                doctor=doctor_words(visit),
            ),
            answer_until(visit),
        )  # fmt: skip
    opening = (
        say("{doctor} booked a visit for you.", doctor=doctor_words(visit))
        if visit.booked_by == Role.DOCTOR
        else say("Your visit is booked. There is nothing else to do.")
    )
    return to_attend(say("Your visit on {when} is booked", when=when), visit, reader, opening, arrive())


def arrive() -> str:
    """Ask to be there in time."""
    return say("Please come a few minutes early.")


def answer_until(visit: Appointment) -> str:
    """Say until when a request can be answered."""
    if visit.respond_by is None:
        return ""
    by = moment_words(visit.respond_by, visit.time_zone)
    return say("Without an answer by {moment}, the request ends by itself.", moment=by)


def confirmed(visit: Appointment, reader: User, notice: Notice) -> Message | None:
    """Tell the patient that the doctor said yes."""
    if visit.status != Status.CONFIRMED or is_overtaken(notice):
        return None
    return to_attend(
        say("Your visit on {when} is confirmed", when=short_when(visit)), visit, reader,
        say("{doctor} has confirmed your visit.", doctor=doctor_words(visit)), arrive(),
    )  # fmt: skip


def moved(visit: Appointment, reader: User, notice: Notice) -> Message | None:
    """Tell both sides of a visit's new time."""
    if visit.status not in LIVE or is_overtaken(notice):
        return None
    waits = visit.status == Status.PENDING
    lines = [say("Only the time shown below counts now.")]
    change = visit.time_changes.order_by("pk").last()
    if change is not None:
        before = say("{day} at {time}", day=day_words(change.from_date), time=f"{change.from_time:%H:%M}")
        lines.insert(0, say("It was on {when}.", when=before))
    if waits:
        lines.append(answer_until(visit))
    return to_attend(
        say("New time for your visit: {when}", when=short_when(visit)), visit, reader, *lines,
        label=say("Confirm or decline") if waits and is_doctors(visit, reader) else "",
    )  # fmt: skip


CANCELLED_BY: dict[str, Callable[[], str]] = {
    Role.PATIENT: lambda: say("It was cancelled by the patient."),
    Role.DOCTOR: lambda: say("It was cancelled by the doctor."),
    Role.ADMIN: lambda: say("It was cancelled by our staff."),
    SYSTEM: lambda: say("It was cancelled by our system."),
}


def by_the_other_side() -> str:
    """Say so where nobody knows who cancelled."""
    return say("It was cancelled by the other side.")


def cancelled(visit: Appointment, reader: User, notice: Notice) -> Message | None:
    """Tell of a cancelled visit: by whom, and why where those are our own words or staff's."""
    if visit.status != Status.CANCELLED:
        return None
    doctors = is_doctors(visit, reader)
    if not doctors and visit.cancelled_by == Role.DOCTOR and notice.detail.get("from") == Status.PENDING:
        return request_declined(visit, reader)
    by = CANCELLED_BY.get(visit.cancelled_by, by_the_other_side)
    facts = facts_of(visit, reader)
    if reason := reason_to_tell(visit):
        facts = (*facts, (say("Reason"), reason))
    return Message(
        subject=say("Cancelled: your visit on {when}", when=short_when(visit)),
        title=say("Your visit on {when} is cancelled", when=short_when(visit)),
        lines=(by(), say("The time is free again.") if doctors else say("You need not come.")),
        facts=facts,
        action=link(visit, reader) if doctors else book_again(visit),
        calendar=partial(calendar_file, visit, reader, CANCEL, timezone.now()),
        method=CANCEL,
    )


def request_declined(visit: Appointment, reader: User) -> Message:
    """Tell a patient that the doctor said no: there was a request, and never a visit that could be cancelled."""
    return Message(
        subject=say("Declined: your request for {when}", when=short_when(visit)),
        title=say("Your request for {when} was declined", when=short_when(visit)),
        lines=(say("The doctor can't see you at that time, and nothing is booked. Please choose another time."),),
        facts=facts_of(visit, reader),
        action=book_again(visit),
        calendar=partial(calendar_file, visit, reader, CANCEL, timezone.now()),
        method=CANCEL,
    )


def reason_to_tell(visit: Appointment) -> str:
    """Answer why a visit was cancelled where that can't be clinical; else it is read on the page alone."""
    for role, reason in REASONS.items():
        if visit.cancel_reason == reason:
            return CLOSED[role]()
    return " ".join(visit.cancel_reason.split()) if is_in_our_words(visit) else ""


# The reasons that the database keeps in English, in the reader's language.
CLOSED: dict[str, Callable[[], str]] = {
    Role.DOCTOR: lambda: say("The doctor's account has been closed."),
    Role.PATIENT: lambda: say("The patient's account has been closed."),
}


def expired(visit: Appointment, reader: User, notice: Notice) -> Message | None:
    """Tell both sides of a request that nobody answered."""
    if visit.status != Status.CANCELLED:
        return None
    doctors = is_doctors(visit, reader)
    return Message(
        subject=say("No answer in time: the request for {when}", when=short_when(visit)),
        title=say("The request for {when} has ended", when=short_when(visit)),
        lines=(
            say("It was not answered in time, so it ended by itself and the time is free again.")
            if doctors
            else say(
                "{doctor} did not answer in time, so your request ended by itself. We are sorry.",
                doctor=doctor_words(visit),
            ),
        ),
        facts=facts_of(visit, reader),
        action=link(visit, reader) if doctors else book_again(visit),
        calendar=partial(calendar_file, visit, reader, CANCEL, timezone.now()),
        method=CANCEL,
    )


def completed(visit: Appointment, reader: User, notice: Notice) -> Message | None:
    """Tell the patient that a visit is closed, and where to read what was written."""
    if visit.status != Status.COMPLETED:
        return None
    if visit.attended is False:
        return Message(
            subject=say("We missed you on {when}", when=short_when(visit)),
            title=say("We missed you"),
            lines=(
                say(
                    "{doctor} noted that you did not come. If that is not right, please call.",
                    doctor=doctor_words(visit),
                ),
            ),
            facts=facts_of(visit, reader),
            action=book_again(visit),
        )
    if visit.record_version:
        return record_ready(visit, reader, notice)
    return Message(
        subject=say("Your visit on {when} is completed", when=short_when(visit)),
        title=say("Your visit is completed"),
        lines=(say("You find it among your visits."),),
        facts=facts_of(visit, reader),
        action=link(visit, reader),
    )


def record_ready(visit: Appointment, reader: User, notice: Notice) -> Message | None:
    """Tell the patient that something was written about a visit, and nothing of what."""
    if not visit.record_version:
        return None
    return Message(
        subject=say("Your visit record is ready"),
        title=say("Your visit record is ready"),
        lines=(say("{doctor} wrote about your visit. Sign in to read it.", doctor=doctor_words(visit)),),
        facts=facts_of(visit, reader),
        action=(say("Read your record"), page_of(visit, reader)),
    )


def cancel_requested(visit: Appointment, reader: User, notice: Notice) -> Message | None:
    """Tell the doctor that a patient can't come."""
    if visit.status != Status.CONFIRMED or visit.cancel_requested_at is None:
        return None
    return Message(
        subject=say("{patient} can't come on {when}", patient=visit.patient_name, when=short_when(visit)),
        title=say("{patient} can't come", patient=visit.patient_name),
        lines=(say("Cancel the visit with one press, or propose another time."),),
        facts=facts_of(visit, reader),
        action=link(visit, reader, say("Answer")),
    )


def proposal_made(proposal: Proposal, visit: Appointment, reader: User) -> Message | None:
    """Ask the other side whether another time suits."""
    if not proposal.is_open(timezone.now()) or visit.status not in LIVE:
        return None
    return Message(
        subject=say("Another time for your visit on {when}?", when=short_when(visit)),
        title=say("{person} proposes another time", person=other_side_words(visit, reader)),
        lines=(say("Both times are kept until you answer. Without an answer, the visit stays where it is."),),
        facts=(
            *facts_of(visit, reader),
            (say("Proposed instead"), moment_words(proposal.starts_at, proposal.time_zone)),
            (say("Answer by"), moment_words(proposal.expires_at, proposal.time_zone)),
        ),
        action=link(visit, reader, say("Accept or decline")),
    )


def proposal_closed(title: Callable[[], str]) -> Callable[[Proposal, Appointment, User], Message | None]:
    """Tell that a proposed time came to nothing, as `title` says; the visit stays where it is."""

    def compose(proposal: Proposal, visit: Appointment, reader: User) -> Message | None:
        if visit.status not in LIVE:
            return None
        return Message(
            subject=say("{what}: your visit stays on {when}", what=title(), when=short_when(visit)),
            title=title(),
            lines=(say("The visit stays where it is."),),
            facts=(
                *facts_of(visit, reader),
                (say("Was proposed"), moment_words(proposal.starts_at, proposal.time_zone)),
            ),
            action=link(visit, reader),
        )

    return compose


def declined() -> str:
    """Say that the other side wants to keep the time."""
    return say("The proposed time was declined")


def withdrawn() -> str:
    """Say that whoever proposed it thought better of it."""
    return say("The proposed time was taken back")


def unanswered() -> str:
    """Say that nobody answered."""
    return say("The proposed time was not answered")


def visit_begins(notice: Notice) -> datetime | None:
    """Answer by when a notice about a visit must have been read: before it begins, or before a request runs out."""
    visit = Appointment.objects.filter(pk=notice.subject_id).only("status", "starts_at", "respond_by").first()
    if visit is None:
        return None
    # A request ends no later than its visit begins.
    return visit.respond_by if visit.status == Status.PENDING and visit.respond_by else visit.starts_at


def proposal_ends(notice: Notice) -> datetime | None:
    """Answer by when a notice about a proposal must have been read."""
    return Proposal.objects.filter(pk=notice.subject_id).values_list("expires_at", flat=True).first()


def register_composers() -> None:
    """Name the composers of this app. Cancellations and ends always go: who is not told makes a journey for nothing."""
    register("appointment.booked", of_visit(booked), kind=KIND)
    register("appointment.confirmed", of_visit(confirmed), kind=KIND)
    register("appointment.moved", of_visit(moved), kind=KIND)
    register("appointment.completed", of_visit(completed), kind=KIND)
    register("appointment.cancel_requested", of_visit(cancel_requested), kind=KIND)
    register("appointment.cancelled", of_visit(cancelled))
    register("appointment.expired", of_visit(expired))
    register("record.written", of_visit(record_ready), kind=KIND)
    register("proposal.made", of_proposal(proposal_made), kind=KIND)
    # The visit is the subject of an accepted proposal: it has moved.
    register("proposal.accepted", of_visit(moved), kind=KIND)
    register("proposal.declined", of_proposal(proposal_closed(declined)), kind=KIND)
    register("proposal.withdrawn", of_proposal(proposal_closed(withdrawn)), kind=KIND)
    register("proposal.expired", of_proposal(proposal_closed(unanswered)), kind=KIND)
