"""The record of who opened an appointment's clinical text, which its patient can see."""

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

RECORD_READ = "record.read"
# Views of many appointments; rows without clinical text are not recorded.
LIST_VIEWS = ("list", "history", "records", "dashboard")
# Views of one appointment or a part of it.
SINGLE_VIEWS = ("visit", "versions", "prescription", "attachment")
# On the staff site, where clinical text has a permission of its own.
STAFF_VIEW = "staff"


def log_access(appointments: Iterable[Appointment], actor: User, what: str) -> None:
    """Record that a user was shown the clinical text of these appointments, in one insert.

    `what` is one of `LIST_VIEWS` or `SINGLE_VIEWS`, or `STAFF_VIEW`. Patients reading their own text are not recorded,
    nor are admins, who see clinical text only on the staff site.
    """
    appointments = list(appointments)
    readings.add_subjects("appointment", ((appointment.pk, appointment.patient_id) for appointment in appointments))
    if actor.role != Role.DOCTOR and what != STAFF_VIEW:
        return
    shown = [appointment.pk for appointment in appointments if what not in LIST_VIEWS or appointment.has_clinical_text]
    if shown:
        record_events(RECORD_READ, Action.READ, "appointment", shown, actor=actor, detail={"what": what})


def list_readings(appointment: Appointment) -> QuerySet[AuditEvent, Any]:
    """Return who opened what of an appointment, newest first: one row per user, view and local day."""
    zone = ZoneInfo(appointment.time_zone)
    return (
        AuditEvent.objects.filter(event=RECORD_READ, entity_type="appointment", entity_id=str(appointment.pk))
        .annotate(day=TruncDate("recorded_at", tzinfo=zone), what=KeyTextTransform("what", "detail"))
        .values("agent_id", "agent_role", "day", "what")
        .annotate(times=Count("pk"), at=Max("recorded_at"), latest=Max("pk"))
        .order_by("-latest")
    )


def add_reader_names(readings: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows with the names and roles of the readers."""
    rows = list(readings)
    names = dict(User.objects.filter(pk__in={row["agent_id"] for row in rows}).values_list("pk", "name"))
    return [{**row, "name": names.get(row["agent_id"], ""), "role": row["agent_role"]} for row in rows]
