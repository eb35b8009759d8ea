"""Who opened what was written about an appointment: written down with each reading, shown to the patient."""

from collections.abc import Iterable
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Count, Max, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import TruncDate

from accounts.audit.log import Action, record_events
from accounts.models import AuditEvent, Role, User
from appointments.models import Appointment
from config.api import access_log as readings

READ = "record.read"
# The calls that show many appointments at once; a row of theirs without clinical text tells its reader nothing.
LISTS = ("list", "history", "records", "dashboard")
# The calls that open one appointment, or something of it.
SINGLE = ("visit", "versions", "prescription", "attachment")
# On the staff site, where clinical text has a permission of its own.
STAFF = "staff"


def opened(appointments: Iterable[Appointment], actor: User, what: str) -> None:
    """Write down that someone was shown the clinical text of these appointments, all in one insert.

    `what` is one of `LISTS` or `SINGLE`, or `STAFF`. Nothing is written of a patient, whose own text it is, nor of an
    admin, who is shown none but on the staff site.
    """
    appointments = list(appointments)
    readings.add_subjects("appointment", ((appointment.pk, appointment.patient_id) for appointment in appointments))
    if actor.role != Role.DOCTOR and what != STAFF:
        return
    shown = [appointment.pk for appointment in appointments if what not in LISTS or appointment.has_clinical_text]
    if shown:
        record_events(READ, Action.READ, "appointment", shown, actor=actor, detail={"what": what})


def readings_of(appointment: Appointment) -> QuerySet[AuditEvent, Any]:
    """Find who opened what of an appointment, newest first: one row for each person, thing and day of the clinic's."""
    zone = ZoneInfo(appointment.time_zone)
    return (
        AuditEvent.objects.filter(event=READ, entity_type="appointment", entity_id=str(appointment.pk))
        .annotate(day=TruncDate("recorded_at", tzinfo=zone), what=KeyTextTransform("what", "detail"))
        .values("agent_id", "agent_role", "day", "what")
        .annotate(times=Count("pk"), at=Max("recorded_at"), latest=Max("pk"))
        .order_by("-latest")
    )


def with_names(readings: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Name the readers of these rows."""
    rows = list(readings)
    names = dict(User.objects.filter(pk__in={row["agent_id"] for row in rows}).values_list("pk", "name"))
    return [{**row, "name": names.get(row["agent_id"], ""), "role": row["agent_role"]} for row in rows]
