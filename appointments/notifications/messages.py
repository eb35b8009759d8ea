"""Messages about appointments, with calendar files.

Symptoms, notes, records, and reasons in patients' or doctors' own words are never here: people read those on the page,
signed in.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Notice, Role, User
from accounts.notifications import preferences
from accounts.notifications.date_format import (
    format_datetime,
    format_full_date,
    format_short_date_and_time,
    format_short_datetime,
)
from accounts.notifications.registry import Composer, Message, register_composer
from appointments.formatting import (
    format_doctor,
    format_other_person,
    format_short_when,
    get_page_path,
    is_doctor_of,
    list_facts,
)
from appointments.ical import CANCEL, REQUEST, build_calendar_file, build_import_file
from appointments.models import ACCOUNT_CLOSED_REASONS, LIVE, SYSTEM, Appointment, Proposal, Status
from appointments.scheduling.network_quota import CALENDAR_CROWDED
from doctors.models import DoctorProfile

KIND = "appointment"

# How many appointments a summary lists; the file holds all.
MAX_LISTED = 20


def for_appointment(compose: Callable[[Appointment, User, Notice], Message | None]) -> Composer:
    """Return a composer that calls `compose` with the notice's appointment and its reader."""

    def composer(notice: Notice) -> Message | None:
        appointment = Appointment.objects.filter(pk=notice.subject_id).first()
        return compose(appointment, notice.recipient, notice) if appointment else None

    return composer


def for_proposal(compose: Callable[[Proposal, Appointment, User], Message | None]) -> Composer:
    """Return a composer that calls `compose` with the notice's proposal, its appointment and its reader."""

    def composer(notice: Notice) -> Message | None:
        proposal = Proposal.objects.select_related("appointment").filter(pk=notice.subject_id).first()
        return compose(proposal, proposal.appointment, notice.recipient) if proposal else None

    return composer


STATUS_INDEPENDENT_EVENTS = (
    "record.written", "appointment.reminder", "appointment.cancel_requested", "appointment.cancel_request_withdrawn",
)  # fmt: skip


def is_superseded(notice: Notice, appointment: Appointment) -> bool:
    """Return whether a later notice tells the same user about the appointment's current state."""
    later = Notice.objects.filter(
        recipient=notice.recipient_id, subject_type="appointment", subject_id=notice.subject_id,
        version__gt=notice.version,
    )  # fmt: skip
    # Records and reminders have their own versions, and "I can't make it" changes neither status nor time.
    later = later.exclude(event__in=STATUS_INDEPENDENT_EVENTS)
    if appointment.status == Status.PENDING:
        # The confirmation was undone before it was sent.
        later = later.exclude(event="appointment.confirmed")
    return later.exists()


def wait_for_undo(notice: Notice, now: datetime) -> bool | datetime:
    """Return the end of the undo window if the notice reports a state that can still be undone; else True."""
    if notice.event not in {"appointment.booked", "appointment.moved"}:
        return True
    undoable = Notice.objects.filter(
        subject_id=notice.subject_id, recipient=notice.recipient_id, version__gt=notice.version,
        subject_type="appointment", created_at__gt=now,
    )  # fmt: skip
    return undoable.values_list("created_at", flat=True).first() or True


def is_actor(appointment: Appointment, reader: User, notice: Notice) -> bool:
    """Return whether the notice is about the reader's own action."""
    return bool(notice.detail.get("by") == (Role.DOCTOR if is_doctor_of(appointment, reader) else Role.PATIENT))


def get_actor_name(appointment: Appointment, notice: Notice) -> str:
    """Return the name of the actor, or "" if the notice does not say."""
    by = notice.detail.get("by", "")
    return {Role.PATIENT: appointment.patient_name, Role.DOCTOR: format_doctor(appointment)}.get(by, "")


def build_link(appointment: Appointment, reader: User, label: str = "") -> tuple[str, str]:
    """Return the link to the appointment's page, where everything that can be done with it is a button."""
    return label or _("View appointment"), get_page_path(appointment, reader)


def build_rebooking_link(appointment: Appointment) -> tuple[str, str]:
    """Return the link by which a patient chooses another time with the doctor."""
    return _("Choose another time"), f"/patient/book-appointment/{appointment.doctor_id}"


def build_calendar_fields(appointment: Appointment, reader: User, method: str, notice: Notice) -> dict[str, Any]:
    """Return the fields of a message that carry its calendar file."""
    return {"calendar": partial(build_invitation, appointment, reader, method, notice.address), "method": method}


def build_invitation(appointment: Appointment, reader: User, method: str, address: str) -> bytes | None:
    """Return the calendar file of an appointment, or None for users who turned invitations off before it was created.

    Existing calendar entries are still updated, or they would stay there.
    """
    if not preferences.wants_invitation(reader.pk, appointment.created_at):
        return None
    return build_calendar_file(appointment, reader, method, timezone.now(), address)


def build_upcoming_message(
    subject: str, appointment: Appointment, reader: User, notice: Notice, *lines: str, label: str = "",
    facts: tuple[tuple[str, str], ...] = (),
) -> Message:  # fmt: skip
    """Return the message about a pending or confirmed appointment, with its calendar file."""
    return Message(
        subject=subject,
        title=subject,
        lines=tuple(line for line in lines if line),
        facts=(*list_facts(appointment, reader), *facts),
        action=build_link(appointment, reader, label),
        **build_calendar_fields(appointment, reader, REQUEST, notice),
    )


def build_ended_message(
    subject: str, appointment: Appointment, reader: User, notice: Notice, *lines: str,
    facts: tuple[tuple[str, str], ...] = (),
) -> Message:  # fmt: skip
    """Return the message about a cancelled appointment, which removes it from the calendar."""
    return Message(
        subject=subject,
        title=subject,
        lines=tuple(line for line in lines if line),
        facts=(*list_facts(appointment, reader), *facts),
        action=build_link(appointment, reader)
        if is_doctor_of(appointment, reader)
        else build_rebooking_link(appointment),
        **build_calendar_fields(appointment, reader, CANCEL, notice),
    )


# --- Requests and appointments ----------------------------------------------------------------


def compose_booked(appointment: Appointment, reader: User, notice: Notice) -> Message | None:
    """Return the message to the patient or the doctor about a new request or appointment."""
    if appointment.status not in LIVE or appointment.is_overdue(timezone.now()) or is_superseded(notice, appointment):
        return None
    when, doctor = format_short_when(appointment), format_doctor(appointment)
    if appointment.status == Status.PENDING:
        return compose_request_made(appointment, reader, notice)
    if is_doctor_of(appointment, reader):
        if appointment.confirmed_at is not None:
            # It was a request, and the doctor has answered it.
            return None
        if appointment.booked_by == Role.DOCTOR:
            return build_upcoming_message(
                _("You booked an appointment: {when}").format(when=when), appointment, reader, notice,
                _("You booked this appointment for {patient}.").format(patient=appointment.patient_name),
            )  # fmt: skip
        return build_upcoming_message(
            _("New appointment: {when}").format(when=when), appointment, reader, notice,
            _("{patient} booked an appointment with you.").format(patient=appointment.patient_name),
        )  # fmt: skip
    opening = (
        _("{doctor} booked an appointment for you.").format(doctor=doctor)
        if appointment.booked_by == Role.DOCTOR
        else _("You're all set. There's nothing else you need to do.")
    )
    return build_upcoming_message(
        _("Your appointment on {when} is booked").format(when=when),
        appointment,
        reader,
        notice,
        opening,
        get_arrive_early_text(),
    )


def compose_request_made(appointment: Appointment, reader: User, notice: Notice) -> Message:
    """Return the message about a new request, with its deadline."""
    when, doctor = format_short_when(appointment), format_doctor(appointment)
    if is_doctor_of(appointment, reader):
        return build_upcoming_message(
            _("New request: {when}").format(when=when), appointment, reader, notice,
            _("{patient} would like an appointment with you.").format(patient=appointment.patient_name),
            build_doctor_deadline_text(appointment), label=_("Confirm or decline"),
            facts=build_deadline_facts(appointment),
        )  # fmt: skip
    return build_upcoming_message(
        _("Request sent: {when} with {doctor}").format(when=when, doctor=doctor), appointment, reader, notice,
        _("Not confirmed yet: {doctor} needs to confirm your request.").format(doctor=doctor),
        _("We're holding this time for you and will email you when {doctor} replies.").format(doctor=doctor),
        build_patient_deadline_text(appointment), facts=build_deadline_facts(appointment),
    )  # fmt: skip


def build_patient_deadline_text(appointment: Appointment) -> str:
    """Return the sentence that tells a patient until when the request waits, or "" without a deadline."""
    if appointment.respond_by is None:
        return ""
    moment = format_short_datetime(appointment.respond_by, appointment.time_zone)
    return _("If {doctor} hasn't replied by {moment}, your request expires and nothing is booked.").format(
        doctor=format_doctor(appointment), moment=moment
    )


def build_doctor_deadline_text(appointment: Appointment) -> str:
    """Return the sentence that tells a doctor until when the request waits, or "" without a deadline."""
    if appointment.respond_by is None:
        return ""
    by = format_short_datetime(appointment.respond_by, appointment.time_zone)
    return _("Please reply by {moment}. After that, the request expires.").format(moment=by)


def build_deadline_facts(appointment: Appointment) -> tuple[tuple[str, str], ...]:
    """Return the reply deadline with its zone, for the list of facts."""
    if appointment.respond_by is None:
        return ()
    return ((_("Reply expected by"), format_datetime(appointment.respond_by, appointment.time_zone)),)


def get_arrive_early_text() -> str:
    """Return the request to arrive early."""
    return _("Please arrive a few minutes early.")


def compose_confirmed(appointment: Appointment, reader: User, notice: Notice) -> Message | None:
    """Return the message that a request is confirmed, with the calendar update of both sides."""
    if appointment.status != Status.CONFIRMED or is_superseded(notice, appointment):
        return None
    when = format_short_when(appointment)
    if is_doctor_of(appointment, reader):
        return build_upcoming_message(
            _("You confirmed the appointment on {when}").format(when=when), appointment, reader, notice,
            _("We let {patient} know.").format(patient=appointment.patient_name),
        )  # fmt: skip
    return build_upcoming_message(
        _("Your appointment on {when} is confirmed").format(when=when), appointment, reader, notice,
        _("{doctor} confirmed your appointment.").format(doctor=format_doctor(appointment)), get_arrive_early_text(),
    )  # fmt: skip


def compose_moved(appointment: Appointment, reader: User, notice: Notice) -> Message | None:
    """Return the message about a new time, with the old one."""
    if appointment.status not in LIVE or is_superseded(notice, appointment):
        return None
    is_request, doctors = appointment.status == Status.PENDING, is_doctor_of(appointment, reader)
    own, person = is_actor(appointment, reader, notice), get_actor_name(appointment, notice)
    lines = []
    if notice.event == "proposal.accepted":
        if own:
            lines.append(_("You accepted the suggested time."))
        elif person:
            lines.append(_("{person} accepted the suggested time.").format(person=person))
    elif own:
        lines.append(_("You moved it to the time below."))
    elif person:
        lines.append(_("{person} moved it to the time below.").format(person=person))
    if notice.detail.get("from") == Status.PENDING and not is_request:
        # A doctor's proposal or move of a request is the confirmation, too.
        lines.append(_("The appointment is confirmed."))
    if change := appointment.time_changes.order_by("pk").last():
        lines.append(
            _("The old time was {when}.").format(when=format_short_date_and_time(change.from_date, change.from_time))
        )
    if is_request:
        lines.append(build_doctor_deadline_text(appointment) if doctors else build_patient_deadline_text(appointment))
    elif not doctors and not own and notice.event == "appointment.moved":
        lines.append(_("If the new time doesn't work for you, please tell us on your appointment's page."))
    subject = (
        _("New time for your request: {when}").format(when=format_short_when(appointment))
        if is_request and not doctors
        else _("New time for the request: {when}").format(when=format_short_when(appointment))
        if is_request
        else _("New time for your appointment: {when}").format(when=format_short_when(appointment))
    )
    return build_upcoming_message(
        subject, appointment, reader, notice, *lines,
        label=_("Confirm or decline") if is_request and doctors else "",
        facts=build_deadline_facts(appointment) if is_request else (),
    )  # fmt: skip


def compose_reopened(appointment: Appointment, reader: User, notice: Notice) -> Message | None:
    """Return the message that a completed appointment is open again, so that the doctor can correct it."""
    if appointment.status != Status.CONFIRMED or is_superseded(notice, appointment):
        return None
    when, doctor = format_short_when(appointment), format_doctor(appointment)
    if is_doctor_of(appointment, reader):
        return build_upcoming_message(
            _("You reopened the appointment on {when}").format(when=when), appointment, reader, notice,
            _("Complete it again when you're done. Its earlier record is still there."),
        )  # fmt: skip
    return build_upcoming_message(
        _("Your appointment on {when} was reopened").format(when=when), appointment, reader, notice,
        _("{doctor} reopened it to make a correction. You don't need to do anything.").format(doctor=doctor),
    )  # fmt: skip


# --- Ends -------------------------------------------------------------------------------------


def compose_cancelled(appointment: Appointment, reader: User, notice: Notice) -> Message | None:
    """Return the message about a cancellation: by whom and, if that can't be clinical, why."""
    if appointment.status != Status.CANCELLED:
        return None
    if account_owner := find_closed_account_role(appointment, reader, notice):
        return compose_cancelled_with_account(appointment, reader, notice, account_owner)
    by = notice.detail.get("by") or appointment.cancelled_by
    if notice.detail.get("from") == Status.PENDING:
        return compose_request_ended(appointment, reader, notice, by)
    when, doctors, own = (
        format_short_when(appointment),
        is_doctor_of(appointment, reader),
        is_actor(appointment, reader, notice),
    )
    # A doctor who accepts "I can't make it" cancels on the patient's behalf.
    is_asked_for = appointment.cancelled_by == Role.PATIENT and by == Role.DOCTOR
    if own:
        lines = [_("We let {person} know.").format(person=format_other_person(appointment, reader))]
        if is_asked_for:
            lines.insert(0, _("{patient} couldn't make it.").format(patient=appointment.patient_name))
    elif is_asked_for:
        lines = [_("{doctor} cancelled it as you asked.").format(doctor=format_doctor(appointment))]
    else:
        lines = [build_cancelled_by_text(appointment, by)]
        if not doctors:
            lines.append(_("You don't need to come in."))
    if doctors:
        lines.append(_("The time is open again."))
    subject = (
        _("You cancelled the appointment on {when}").format(when=when)
        if own and doctors
        else _("You cancelled your appointment on {when}").format(when=when)
        if own
        else _("Cancelled: {patient} on {when}").format(patient=appointment.patient_name, when=when)
        if doctors
        else _("Cancelled: your appointment on {when}").format(when=when)
    )
    return build_ended_message(subject, appointment, reader, notice, *lines, facts=build_reason_facts(appointment))


def build_cancelled_by_text(appointment: Appointment, role: str) -> str:
    """Return the sentence about who cancelled, for the other participant."""
    if role == Role.PATIENT:
        return _("{person} cancelled this appointment.").format(person=appointment.patient_name)
    if role == Role.DOCTOR:
        return _("{person} cancelled this appointment.").format(person=format_doctor(appointment))
    if role == SYSTEM:
        return _("It was cancelled automatically.")
    return _("Our staff cancelled this appointment.")


def compose_request_ended(appointment: Appointment, reader: User, notice: Notice, role: str) -> Message:
    """Return the message that a request was declined or withdrawn; there never was an appointment to cancel."""
    when, doctors, own = (
        format_short_when(appointment),
        is_doctor_of(appointment, reader),
        is_actor(appointment, reader, notice),
    )
    if role == Role.DOCTOR and doctors:
        return build_ended_message(
            _("You declined the request for {when}").format(when=when), appointment, reader, notice,
            _("We let {person} know.").format(person=appointment.patient_name), _("The time is open again."),
        )  # fmt: skip
    if role == Role.DOCTOR:
        return build_ended_message(
            _("Declined: your request for {when}").format(when=when), appointment, reader, notice,
            _("{doctor} can't see you at that time, and nothing is booked.").format(doctor=format_doctor(appointment)),
            _("Please choose another time."),
        )  # fmt: skip
    if own:
        return build_ended_message(
            _("You cancelled your request for {when}").format(when=when), appointment, reader, notice,
            _("We let {person} know.").format(person=format_doctor(appointment)), _("Nothing is booked."),
        )  # fmt: skip
    who = (
        _("{patient} cancelled this request.").format(patient=appointment.patient_name)
        if role == Role.PATIENT
        else _("Our staff cancelled this request.")
    )
    subject = (
        _("Request cancelled: {patient} on {when}").format(patient=appointment.patient_name, when=when)
        if doctors
        else _("Request cancelled: {when}").format(when=when)
    )
    return build_ended_message(
        subject, appointment, reader, notice, who,
        _("The time is open again.") if doctors else _("Nothing is booked."), facts=build_reason_facts(appointment),
    )  # fmt: skip


def find_closed_account_role(appointment: Appointment, reader: User, notice: Notice) -> str:
    """Return the role of the user whose closed account cancelled the appointment, or ""."""
    if owner := next(
        (role for role, reason in ACCOUNT_CLOSED_REASONS.items() if appointment.cancel_reason == reason), ""
    ):
        return owner
    if notice.detail.get("because") != "account":
        return ""
    # The reason was erased with the user, who is the one notified at a former address.
    is_patients = is_doctor_of(appointment, reader) != bool(notice.address)
    return Role.PATIENT if is_patients else Role.DOCTOR


def compose_cancelled_with_account(
    appointment: Appointment, reader: User, notice: Notice, account_owner: str
) -> Message:
    """Return the message that an appointment ended because one of the two accounts was closed."""
    doctors = is_doctor_of(appointment, reader)
    is_own_account = account_owner == (Role.DOCTOR if doctors else Role.PATIENT)
    is_request = notice.detail.get("from") == Status.PENDING
    when = format_short_when(appointment)
    subject = (
        _("Request cancelled: {when}").format(when=when)
        if is_request
        else _("Cancelled: {patient} on {when}").format(patient=appointment.patient_name, when=when)
        if doctors
        else _("Cancelled: your appointment on {when}").format(when=when)
    )
    if is_own_account:
        message = build_ended_message(
            subject, appointment, reader, notice, _("It was cancelled because your account is closed.")
        )
        # Nobody can sign in to a closed account.
        return replace(message, action=None)
    return build_ended_message(
        subject, appointment, reader, notice,
        "" if doctors else _("Nothing is booked.") if is_request else _("You don't need to come in."),
        facts=((_("Reason"), CLOSURE_REASON_TEXTS[account_owner]()),),
    )  # fmt: skip


def build_reason_facts(appointment: Appointment) -> tuple[tuple[str, str], ...]:
    """Return the reason of a cancellation, unless it may be clinical."""
    reason = " ".join(appointment.cancel_reason.split()) if appointment.is_cancel_reason_administrative else ""
    return ((_("Reason"), reason),) if reason else ()


# Translations of the reasons that the database stores in English.
CLOSURE_REASON_TEXTS: dict[str, Callable[[], str]] = {
    Role.DOCTOR: lambda: _("The doctor's account has been closed."),
    Role.PATIENT: lambda: _("The patient's account has been closed."),
}


def compose_expired(appointment: Appointment, reader: User, notice: Notice) -> Message | None:
    """Return the message that a request was not answered in time."""
    if appointment.status != Status.CANCELLED:
        return None
    when = format_short_when(appointment)
    if is_doctor_of(appointment, reader):
        return build_ended_message(
            _("Request expired: {patient} on {when}").format(patient=appointment.patient_name, when=when), appointment,
            reader, notice, _("You didn't reply in time, so the request expired."), _("The time is open again."),
        )  # fmt: skip
    return build_ended_message(
        _("Request expired: {when}").format(when=when), appointment, reader, notice,
        _("{doctor} didn't reply in time, so your request expired.").format(doctor=format_doctor(appointment)),
        _("Nothing is booked."),
        _("We're sorry. Please choose another time."),
    )  # fmt: skip


# --- Completion, and requests to cancel ------------------------------------------------------------


def compose_completed(appointment: Appointment, reader: User, notice: Notice) -> Message | None:
    """Return the message that an appointment is completed, with a link to its record."""
    if appointment.status != Status.COMPLETED or is_doctor_of(appointment, reader):
        return None
    when = format_short_when(appointment)
    if appointment.attended is False:
        return Message(
            subject=_("We missed you on {when}").format(when=when),
            title=_("We missed you"),
            lines=(
                _("{doctor} marked this appointment as a no-show. If that's not right, please call the clinic.").format(
                    doctor=format_doctor(appointment),
                ),
            ),
            facts=list_facts(appointment, reader),
            action=build_rebooking_link(appointment),
        )
    if appointment.record_version:
        return compose_record_ready(appointment, reader, notice)
    return Message(
        subject=_("Your appointment on {when} is completed").format(when=when),
        title=_("Your appointment is completed"),
        lines=(_("You'll find it under your past appointments."),),
        facts=list_facts(appointment, reader),
        action=build_link(appointment, reader),
    )


def compose_record_ready(appointment: Appointment, reader: User, notice: Notice) -> Message | None:
    """Return the message that there is a record, without its content."""
    if not appointment.record_version:
        return None
    return Message(
        subject=_("Your appointment record is ready"),
        title=_("Your appointment record is ready"),
        lines=(
            _("{doctor} wrote about your appointment. Sign in to read it.").format(doctor=format_doctor(appointment)),
        ),
        facts=list_facts(appointment, reader),
        action=(_("Read your record"), get_page_path(appointment, reader)),
    )


def compose_cancel_requested(appointment: Appointment, reader: User, notice: Notice) -> Message | None:
    """Return the message that a patient can't make it, too late to cancel without asking."""
    if (
        appointment.status != Status.CONFIRMED
        or appointment.cancel_requested_at is None
        or not is_doctor_of(appointment, reader)
    ):
        return None
    return Message(
        subject=_("{patient} can't make it on {when}").format(
            patient=appointment.patient_name, when=format_short_when(appointment)
        ),
        title=_("{patient} can't make it").format(patient=appointment.patient_name),
        lines=(_("Please cancel the appointment or suggest another time."),),
        facts=list_facts(appointment, reader),
        action=build_link(appointment, reader, _("Reply")),
    )


def compose_cancel_request_withdrawn(appointment: Appointment, reader: User, notice: Notice) -> Message | None:
    """Return the message that the patient can make it after all."""
    if (
        appointment.status != Status.CONFIRMED
        or appointment.cancel_requested_at is not None
        or not is_doctor_of(appointment, reader)
    ):
        return None
    return Message(
        subject=_("{patient} can make it on {when}").format(
            patient=appointment.patient_name, when=format_short_when(appointment)
        ),
        title=_("{patient} can make it after all").format(patient=appointment.patient_name),
        lines=(_("The appointment takes place as planned. There's nothing you need to do."),),
        facts=list_facts(appointment, reader),
        action=build_link(appointment, reader),
    )


# --- Another time -----------------------------------------------------------------------------


def compose_proposal_made(proposal: Proposal, appointment: Appointment, reader: User) -> Message | None:
    """Return the message about a proposed time, with the deadline and what happens without a reply."""
    if not proposal.is_open(timezone.now()) or appointment.status not in LIVE:
        return None
    by = format_short_datetime(proposal.expires_at, proposal.time_zone)
    when, doctors = format_short_when(appointment), is_doctor_of(appointment, reader)
    if appointment.status == Status.PENDING:
        subject = _("Another time for your request for {when}?").format(when=when)
        without = _("If you don't, your request for {when} stays as it is and can still expire.").format(when=when)
    else:
        subject = (
            _("Another time for the appointment on {when}?").format(when=when)
            if doctors
            else _("Another time for your appointment on {when}?").format(when=when)
        )
        without = _("If you don't, the appointment stays on {when}.").format(when=when)
    return Message(
        subject=subject,
        title=_("{person} suggested another time").format(person=format_other_person(appointment, reader)),
        lines=(
            "" if doctors else _("If you accept, your appointment at the new time is confirmed."),
            _("We're holding both times. Please reply by {moment}.").format(moment=by),
            without,
        ),
        facts=(
            *list_facts(appointment, reader),
            (_("Suggested time"), format_datetime(proposal.starts_at, proposal.time_zone)),
            (_("Reply by"), format_datetime(proposal.expires_at, proposal.time_zone)),
        ),
        action=build_link(appointment, reader, _("Accept or decline")),
    )


def create_proposal_closed_composer(
    title: Callable[[], str],
) -> Callable[[Proposal, Appointment, User], Message | None]:
    """Return the composer for a proposal that was declined, withdrawn or expired."""

    def compose(proposal: Proposal, appointment: Appointment, reader: User) -> Message | None:
        if appointment.status not in LIVE or appointment.is_overdue(timezone.now()):
            return None
        when = format_short_when(appointment)
        lines = [_("The appointment stays on {when}.").format(when=when)]
        if appointment.status == Status.PENDING:
            doctors = is_doctor_of(appointment, reader)
            lines = [
                _("The request for {when} is still waiting for a reply.").format(when=when),
                build_doctor_deadline_text(appointment) if doctors else build_patient_deadline_text(appointment),
            ]
        return Message(
            subject=_("{what} ({when})").format(
                what=title(), when=format_short_datetime(proposal.starts_at, proposal.time_zone)
            ),
            title=title(),
            lines=tuple(lines),
            facts=(
                *list_facts(appointment, reader),
                (_("Time that was suggested"), format_datetime(proposal.starts_at, proposal.time_zone)),
            ),
            action=build_link(appointment, reader),
        )

    return compose


def get_declined_title() -> str:
    """Return the title for a declined proposal."""
    return _("The suggested time was declined")


def get_withdrawn_title() -> str:
    """Return the title for a withdrawn proposal."""
    return _("The suggested time was withdrawn")


def get_unanswered_title() -> str:
    """Return the title for an expired proposal."""
    return _("Nobody replied to the suggested time")


# --- Many at once -----------------------------------------------------------------------------


def compose_bulk_changed(notice: Notice) -> Message | None:
    """Return the summary of a doctor's bulk change, with a file that updates their calendar."""
    reader = notice.recipient
    ids = {name: notice.detail.get(name, []) for name in ("cancelled", "moved", "proposed")}
    own = Appointment.objects.filter(doctor=reader.pk, pk__in=[each for group in ids.values() for each in group])
    by_id = {str(appointment.pk): appointment for appointment in own.order_by("starts_at", "pk")}
    groups = {name: [appointment for key, appointment in by_id.items() if key in group] for name, group in ids.items()}
    count = sum(map(len, groups.values()))
    if not count:
        return None
    words = {"cancelled": _("Cancelled"), "moved": _("Moved to"), "proposed": _("New time suggested")}
    facts = [
        (words[name], _("{when}, {name}").format(when=format_short_when(appointment), name=appointment.patient_name))
        for name, group in groups.items()
        for appointment in group
    ]
    lines = [_("We let each patient know.")]
    unlisted = count - MAX_LISTED
    if unlisted > 0:
        lines.append(
            ngettext("{number} more is in your calendar.", "{number} more are in your calendar.", unlisted).format(
                number=unlisted
            )
        )
    changed = [*groups["cancelled"], *groups["moved"]]
    if changed:
        lines.append(_("Open the attached file to update your own calendar."))
    title = ngettext("You changed {number} appointment", "You changed {number} appointments", count).format(
        number=count
    )
    return Message(
        subject=title,
        title=title,
        lines=tuple(lines),
        facts=tuple(facts[:MAX_LISTED]),
        action=(_("View your calendar"), "/doctor/appointments"),
        calendar=partial(build_invitations, changed, reader) if changed else None,
    )


def build_invitations(appointments: list[Appointment], reader: User) -> bytes | None:
    """Return one file with these entries, without those created after the reader turned invitations off."""
    wanted = [
        appointment for appointment in appointments if preferences.wants_invitation(reader.pk, appointment.created_at)
    ]
    return build_import_file(wanted, reader, timezone.now()) if wanted else None


def compose_calendar_crowded(notice: Notice) -> Message | None:
    """Return the warning to admins that visitors and unconfirmed accounts have reserved much of a doctor's week."""
    doctor = DoctorProfile.objects.select_related("user").filter(pk=UUID(notice.subject_id)).first()
    if doctor is None:
        return None
    about = notice.detail
    return Message(
        subject=_("{name}'s free times are being taken by unconfirmed visitors").format(name=doctor.user.name),
        title=_("{name}'s free times are being taken by unconfirmed visitors").format(name=doctor.user.name),
        lines=(
            _("Visitors and accounts with unconfirmed email addresses are holding or requesting most of one week."),
            _("If these aren't real patients, block their networks and cancel their requests."),
        ),
        facts=(
            (_("Week of"), format_full_date(date.fromisoformat(about["week"]))),
            (_("Times taken"), _("{taken} of {all}").format(taken=str(about["taken"]), all=str(about["of"]))),
            (_("Networks"), str(about["networks"])),
        ),
        action=(_("View the doctor"), f"/admin/doctors/{doctor.pk}"),
    )


# --- Deadlines and registration ---------------------------------------------------------------


def get_appointment_deadline(notice: Notice) -> datetime | None:
    """Return by when a notice must be read: before the appointment starts, or before a request expires."""
    appointment = Appointment.objects.filter(pk=notice.subject_id).only("status", "starts_at", "respond_by").first()
    if appointment is None:
        return None
    return (
        appointment.respond_by
        if appointment.status == Status.PENDING and appointment.respond_by
        else appointment.starts_at
    )


def get_proposal_deadline(notice: Notice) -> datetime | None:
    """Return by when a notice about a proposal must be read."""
    return Proposal.objects.filter(pk=notice.subject_id).values_list("expires_at", flat=True).first()


def register_composers() -> None:
    """Register the composers of this app. Messages about cancellations can't be turned off."""
    register_composer("appointment.booked", for_appointment(compose_booked), kind=KIND)
    register_composer("appointment.confirmed", for_appointment(compose_confirmed), kind=KIND)
    register_composer("appointment.moved", for_appointment(compose_moved), kind=KIND)
    register_composer("appointment.completed", for_appointment(compose_completed), kind=KIND)
    register_composer("appointment.reopened", for_appointment(compose_reopened), kind=KIND)
    register_composer("appointment.cancel_requested", for_appointment(compose_cancel_requested), kind=KIND)
    register_composer(
        "appointment.cancel_request_withdrawn", for_appointment(compose_cancel_request_withdrawn), kind=KIND
    )
    register_composer("appointment.cancelled", for_appointment(compose_cancelled))
    register_composer("appointment.expired", for_appointment(compose_expired))
    register_composer("appointments.bulk_changed", compose_bulk_changed, kind=KIND)
    register_composer(CALENDAR_CROWDED, compose_calendar_crowded)
    register_composer("record.written", for_appointment(compose_record_ready), kind=KIND)
    register_composer("proposal.made", for_proposal(compose_proposal_made), kind=KIND)
    # The appointment is the subject of an accepted proposal: it has moved.
    register_composer("proposal.accepted", for_appointment(compose_moved), kind=KIND)
    register_composer("proposal.declined", for_proposal(create_proposal_closed_composer(get_declined_title)), kind=KIND)
    register_composer(
        "proposal.withdrawn", for_proposal(create_proposal_closed_composer(get_withdrawn_title)), kind=KIND
    )
    register_composer(
        "proposal.expired", for_proposal(create_proposal_closed_composer(get_unanswered_title)), kind=KIND
    )
