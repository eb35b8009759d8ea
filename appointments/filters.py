"""Filter, search, order and count lists of appointments."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, F, Func, OuterRef, Q, Subquery, TextField, When
from django.db.models.functions import Greatest

from accounts.models import Role, User
from accounts.text.substring_search import match_words
from appointments.models import AppointmentQuerySet, PatientOfDoctor, Status
from config.api.errors import DomainError

# Orderings that are not columns.
NEAREST = "nearest"
LATEST_ACTIVITY = "-activity"
# More patients than this are not listed, because they match most appointments.
MAX_PATIENT_IDS = 500


def filter_appointments(
    appointments: AppointmentQuerySet, query: Mapping[str, Any], reader: User, now: datetime
) -> AppointmentQuerySet:
    """Apply all filters of a list; raise `wrong_role` for a filter of another role."""
    appointments = filter_by_scope(apply_filters(appointments, query, reader, is_ordered=True), query["scope"], now)
    if "status" in query:
        appointments = appointments.with_status(query["status"], now)
    if query["waiting"]:
        appointments = appointments.awaiting_doctor(now)
    if query["waitingForPatient"]:
        appointments = appointments.awaiting_patient(now)
    if "attended" in query:
        appointments = appointments.filter(attended=query["attended"])
    return appointments


def count_by_status(
    appointments: AppointmentQuerySet, query: Mapping[str, Any], reader: User, now: datetime
) -> dict[str, int]:
    """Return the exact count of each status with the same search, dates, patient and scope."""
    appointments = filter_by_scope(
        apply_filters(appointments, query, reader, is_ordered=False), query["scope"], now
    ).order_by()
    kept = dict(appointments.values_list("status").annotate(number=Count("*")))
    # A request past its deadline counts as cancelled, even before it has expired in the database.
    overdue = appointments.overdue(now).count()
    counts = {str(status): kept.get(status, 0) for status in Status.values}
    counts[Status.PENDING] -= overdue
    counts[Status.CANCELLED] += overdue
    return {"all": sum(counts.values()), **counts}


def apply_filters(
    appointments: AppointmentQuerySet, query: Mapping[str, Any], reader: User, *, is_ordered: bool
) -> AppointmentQuerySet:
    """Apply dates, patient and search; raise `wrong_role` for filters that only doctors have."""
    only_doctors = query["waiting"] or query["waitingForPatient"] or query["scope"] == "written"
    if reader.role != Role.DOCTOR and only_doctors:
        raise DomainError("wrong_role")
    appointments = appointments.on_dates(query.get("from"), query.get("to"))
    if "patient" in query:
        appointments = appointments.filter(patient=query["patient"])
    if not query["search"]:
        return appointments
    if reader.role == Role.DOCTOR and query["scope"] != "written":
        return filter_by_patients(appointments, query["search"], reader, is_ordered=is_ordered)
    return search_appointments(appointments, query["search"], reader, written=query["scope"] == "written")


def get_ordering(query: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ordering of a list; by default, upcoming appointments soonest first and others newest first."""
    if asked := query.get("ordering"):
        return (asked.replace("startsAt", "starts_at"),)
    return ("starts_at" if query["scope"] == "upcoming" else "-starts_at",)


def order_appointments(
    appointments: AppointmentQuerySet, query: Mapping[str, Any], reader: User, now: datetime
) -> list[AppointmentQuerySet]:
    """Return the parts of a list, to be concatenated, each in its order.

    There is one part, unless the nearest appointments come first: upcoming ones soonest first, then all others newest
    first, both in the order of an index.

    Raises:
        DomainError: `wrong_role` for an ordering that only patients have.
    """
    if query.get("ordering") == LATEST_ACTIVITY:
        if reader.role != Role.PATIENT:
            # No index has this ordering, and only a patient has few appointments. The dashboard has its own list.
            raise DomainError("wrong_role")
        return [appointments.order_by(latest_activity(now).desc(), "pk")]
    if query.get("ordering") == NEAREST:
        upcoming = filter_by_scope(appointments, "upcoming", now).order_by("starts_at", "pk")
        return [upcoming, filter_by_scope(appointments, "past", now).order_by("-starts_at", "pk")]
    return [appointments.order_by(*get_ordering(query), "pk")]


def latest_activity(now: datetime) -> Greatest:
    """Return the time of an appointment's latest activity: booking, change, or start."""
    began = When(status__in=(Status.CONFIRMED, Status.COMPLETED), starts_at__lte=now, then="starts_at")
    return Greatest("updated_at", Case(began, default="updated_at"))


def filter_by_scope(appointments: AppointmentQuerySet, scope: str, now: datetime) -> AppointmentQuerySet:
    """Return the appointments of one scope of a list."""
    if scope == "upcoming":
        return appointments.live(now).not_ended(now)
    if scope == "past":
        # All others.
        waits = Q(status=Status.PENDING, respond_by__gt=now) | Q(status=Status.CONFIRMED)
        return appointments.filter(~waits | Q(ends_at__lte=now))
    if scope == "records":
        # The specification's medical records: past appointments, excluding the cancelled.
        return appointments.filter(Q(status=Status.COMPLETED) | Q(status=Status.CONFIRMED, ends_at__lte=now))
    if scope == "written":
        return appointments.filter(record_version__gt=0)
    return appointments


def filter_by_patients(
    appointments: AppointmentQuerySet, text: str, doctor: User, *, is_ordered: bool
) -> AppointmentQuerySet:
    """Return the appointments of patients whose current name or address contains each word of `text`.

    With `is_ordered`, only the first appointments are needed. Then a few patients are looked up first; if there are
    many, each appointment's patient is checked in turn until the page is full.
    """
    people = PatientOfDoctor.objects.filter(doctor=doctor.pk).search(text).order_by()
    if not is_ordered:
        return appointments.filter(patient__in=people.values("patient"))
    few = list(people.values_list("patient", flat=True)[: MAX_PATIENT_IDS + 1])
    if len(few) <= MAX_PATIENT_IDS:
        return appointments.filter(patient__in=few)
    # A value rather than EXISTS, which PostgreSQL would turn into reading all of both.
    return appointments.alias(
        one_of_them=Subquery(people.filter(patient=OuterRef("patient")).values("patient"))
    ).filter(one_of_them=F("patient"))


def search_appointments(
    appointments: AppointmentQuerySet, text: str, reader: User, *, written: bool
) -> AppointmentQuerySet:
    """Return the appointments that match each word of `text`.

    A doctor finds among the written records by the patient and by what was written, an admin by name or address, a
    patient by the doctor's name or specialization.
    """
    if written:
        appointments = appointments.alias(items_text=ItemsText("prescription_items"))
    for word in text.split():
        appointments = appointments.filter(match_word_for_reader(word, reader))
    return appointments


def match_word_for_reader(word: str, reader: User) -> Q:
    """Return the condition for one word, by the role of the reader."""
    if reader.role == Role.PATIENT:
        as_booked = Q(doctor_name__icontains=word) | Q(specialization__icontains=word)
        return as_booked | match_words(word, "doctor__search_text")
    if reader.role == Role.ADMIN:
        people = User.objects.get_queryset().filter(match_words(word, "search_text"))
        return match_words(word, "people_text") | Q(patient__in=people.order_by().values("pk"))
    own = PatientOfDoctor.objects.filter(doctor=reader.pk).search(word)
    return (
        Q(patient__in=own.order_by().values("patient"))
        | Q(diagnosis__icontains=word)
        | Q(doctor_notes__icontains=word)
        | Q(prescription_notes__icontains=word)
        | Q(items_text__icontains=word)
    )


class ItemsText(Func):
    """The values of a prescription's items on one line, without JSON keys and punctuation."""

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
