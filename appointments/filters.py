"""Narrow, search and count lists of appointments."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, F, Func, OuterRef, Q, Subquery, TextField, When
from django.db.models.functions import Greatest

from accounts.models import Role, User
from accounts.text.substring_search import match_words
from appointments.models import AppointmentQuerySet, PatientOfDoctor, Status
from config.api.errors import DomainError

# The names of the orders that are not a column's.
NEAREST = "nearest"
LATEST_ACTIVITY = "-activity"
# Up to so many patients are told one by one; more than these are in most appointments.
MAX_PATIENT_IDS = 500


def narrowed(
    appointments: AppointmentQuerySet, query: Mapping[str, Any], reader: User, now: datetime
) -> AppointmentQuerySet:
    """Apply all filters of a list; raises `wrong_role` for one that is not this reader's."""
    appointments = in_scope(within(appointments, query, reader, in_order=True), query["scope"], now)
    if "status" in query:
        appointments = appointments.with_status(query["status"], now)
    if query["waiting"]:
        appointments = appointments.waiting(now)
    if query["waitingForPatient"]:
        appointments = appointments.waiting_for_patient(now)
    if "attended" in query:
        appointments = appointments.filter(attended=query["attended"])
    return appointments


def counts_of(
    appointments: AppointmentQuerySet, query: Mapping[str, Any], reader: User, now: datetime
) -> dict[str, int]:
    """Count what each status holds under the same search, dates, patient and scope, exactly."""
    appointments = in_scope(within(appointments, query, reader, in_order=False), query["scope"], now).order_by()
    kept = dict(appointments.values_list("status").annotate(number=Count("*")))
    # A request past its deadline reads as cancelled, even before it has been swept.
    overdue = appointments.overdue(now).count()
    counts = {str(status): kept.get(status, 0) for status in Status.values}
    counts[Status.PENDING] -= overdue
    counts[Status.CANCELLED] += overdue
    return {"all": sum(counts.values()), **counts}


def within(
    appointments: AppointmentQuerySet, query: Mapping[str, Any], reader: User, *, in_order: bool
) -> AppointmentQuerySet:
    """Apply dates, patient and search; raises `wrong_role` for what only a doctor may ask."""
    only_doctors = query["waiting"] or query["waitingForPatient"] or query["scope"] == "written"
    if reader.role != Role.DOCTOR and only_doctors:
        raise DomainError("wrong_role")
    appointments = appointments.on_dates(query.get("from"), query.get("to"))
    if "patient" in query:
        appointments = appointments.filter(patient=query["patient"])
    if not query["search"]:
        return appointments
    if reader.role == Role.DOCTOR and query["scope"] != "written":
        return of_people(appointments, query["search"], reader, in_order=in_order)
    return found(appointments, query["search"], reader, written=query["scope"] == "written")


def order_of(query: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the order of a list: as asked for, else upcoming appointments soonest first and others newest first."""
    if asked := query.get("ordering"):
        return (asked.replace("startsAt", "starts_at"),)
    return ("starts_at" if query["scope"] == "upcoming" else "-starts_at",)


def in_order(
    appointments: AppointmentQuerySet, query: Mapping[str, Any], reader: User, now: datetime
) -> list[AppointmentQuerySet]:
    """Return the parts of a list, one after the other, each in its order.

    There is one part, unless the nearest appointments come first: upcoming ones soonest first, then all others newest
    first, both in the order of an index.

    Raises:
        DomainError: `wrong_role` for an order that is only a patient's.
    """
    if query.get("ordering") == LATEST_ACTIVITY:
        if reader.role != Role.PATIENT:
            # No index has this order, and only one patient's appointments are few. The desk has its own list.
            raise DomainError("wrong_role")
        return [appointments.order_by(activity(now).desc(), "pk")]
    if query.get("ordering") == NEAREST:
        upcoming = in_scope(appointments, "upcoming", now).order_by("starts_at", "pk")
        return [upcoming, in_scope(appointments, "past", now).order_by("-starts_at", "pk")]
    return [appointments.order_by(*order_of(query), "pk")]


def activity(now: datetime) -> Greatest:
    """Return when something last happened to an appointment: it was booked, changed, or it began."""
    began = When(status__in=(Status.CONFIRMED, Status.COMPLETED), starts_at__lte=now, then="starts_at")
    return Greatest("updated_at", Case(began, default="updated_at"))


def in_scope(appointments: AppointmentQuerySet, scope: str, now: datetime) -> AppointmentQuerySet:
    """Keep the appointments of one of the scopes that a list offers."""
    if scope == "upcoming":
        return appointments.live(now).not_over(now)
    if scope == "past":
        # All that are not upcoming.
        waits = Q(status=Status.PENDING, respond_by__gt=now) | Q(status=Status.CONFIRMED)
        return appointments.filter(~waits | Q(ends_at__lte=now))
    if scope == "records":
        # The specification's medical records: past appointments, excluding the cancelled.
        return appointments.filter(Q(status=Status.COMPLETED) | Q(status=Status.CONFIRMED, ends_at__lte=now))
    if scope == "written":
        return appointments.filter(record_version__gt=0)
    return appointments


def of_people(appointments: AppointmentQuerySet, text: str, doctor: User, *, in_order: bool) -> AppointmentQuerySet:
    """Keep the appointments of the doctor's patients whose name or address of today holds each word of `text`.

    `in_order` says that the first appointments in order of time are wanted, not all of them. Then a few patients are
    looked up first; where they are many, each appointment in turn is asked whether its patient is one, until the page
    is full.
    """
    people = PatientOfDoctor.objects.filter(doctor=doctor.pk).found(text).order_by()
    if not in_order:
        return appointments.filter(patient__in=people.values("patient"))
    few = list(people.values_list("patient", flat=True)[: MAX_PATIENT_IDS + 1])
    if len(few) <= MAX_PATIENT_IDS:
        return appointments.filter(patient__in=few)
    # A value rather than EXISTS, which PostgreSQL would turn into reading all of both.
    return appointments.alias(
        one_of_them=Subquery(people.filter(patient=OuterRef("patient")).values("patient"))
    ).filter(one_of_them=F("patient"))


def found(appointments: AppointmentQuerySet, text: str, reader: User, *, written: bool) -> AppointmentQuerySet:
    """Keep the appointments that match each word of `text`.

    A doctor finds among the written records by the patient and by what was written, an admin by name or address, a
    patient by the doctor's name or specialization.
    """
    if written:
        appointments = appointments.alias(items_text=ItemsText("prescription_items"))
    for word in text.split():
        appointments = appointments.filter(matches(word, reader))
    return appointments


def matches(word: str, reader: User) -> Q:
    """Say where one word may stand, by who is reading."""
    if reader.role == Role.PATIENT:
        as_booked = Q(doctor_name__icontains=word) | Q(specialization__icontains=word)
        return as_booked | match_words(word, "doctor__search_text")
    if reader.role == Role.ADMIN:
        people = User.objects.get_queryset().filter(match_words(word, "search_text"))
        return match_words(word, "people_text") | Q(patient__in=people.order_by().values("pk"))
    own = PatientOfDoctor.objects.filter(doctor=reader.pk).found(word)
    return (
        Q(patient__in=own.order_by().values("patient"))
        | Q(diagnosis__icontains=word)
        | Q(doctor_notes__icontains=word)
        | Q(prescription_notes__icontains=word)
        | Q(items_text__icontains=word)
    )


class ItemsText(Func):
    """The words of a prescription's items on one line: names of parts and punctuation are not searched."""

    output_field = TextField()
    template = (
        "(SELECT string_agg(concat_ws(' ', item->>'medicine', item->>'dose', item->>'frequency'), ' ')"
        " FROM jsonb_array_elements(%(expressions)s) AS item)"
    )

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        template = (
            "(SELECT group_concat(COALESCE(item.value ->> 'medicine', '') || ' ' || COALESCE(item.value ->> 'dose', '')"
            " || ' ' || COALESCE(item.value ->> 'frequency', ''), ' ') FROM json_each(%(expressions)s) AS item)"
        )
        return self.as_sql(compiler, connection, template=template, **context)
