"""Narrow, search and count lists of visits."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, F, Func, OrderBy, OuterRef, Q, Subquery, TextField, When
from django.db.models.functions import Coalesce, Least

from accounts.models import Role, User
from appointments.models import AppointmentQuerySet, PatientOfDoctor, Status
from config.errors import RuleBroken

# The name of an order that is none of a column.
NEAREST = "nearest"
# Up to so many patients are told one by one; more than these are in most visits.
FEW = 500


def narrowed(visits: AppointmentQuerySet, query: Mapping[str, Any], reader: User, now: datetime) -> AppointmentQuerySet:
    """Apply all filters of a list; raises `wrong_role` for one that is not this reader's."""
    visits = in_scope(within(visits, query, reader, in_order=True), query["scope"], now)
    if "status" in query:
        visits = visits.with_status(query["status"], now)
    if query["waiting"]:
        visits = visits.waiting(now)
    if "attended" in query:
        visits = visits.filter(attended=query["attended"])
    return visits


def counts_of(visits: AppointmentQuerySet, query: Mapping[str, Any], reader: User, now: datetime) -> dict[str, int]:
    """Count what each status holds under the same search, dates, patient and scope, exactly."""
    visits = in_scope(within(visits, query, reader, in_order=False), query["scope"], now).order_by()
    kept = dict(visits.values_list("status").annotate(number=Count("*")))
    # A request past its deadline reads as cancelled, even before it has been swept.
    overdue = visits.overdue(now).count()
    counts = {str(status): kept.get(status, 0) for status in Status.values}
    counts[Status.PENDING] -= overdue
    counts[Status.CANCELLED] += overdue
    return {"all": sum(counts.values()), **counts}


def within(
    visits: AppointmentQuerySet, query: Mapping[str, Any], reader: User, *, in_order: bool
) -> AppointmentQuerySet:
    """Apply dates, patient and search; raises `wrong_role` for what only a doctor may ask."""
    if reader.role != Role.DOCTOR and (query["waiting"] or query["scope"] == "written"):
        raise RuleBroken("wrong_role")
    visits = visits.on_dates(query.get("from"), query.get("to"))
    if "patient" in query:
        visits = visits.filter(patient=query["patient"])
    if not query["search"]:
        return visits
    if reader.role == Role.DOCTOR and query["scope"] != "written":
        return of_people(visits, query["search"], reader, in_order=in_order)
    return found(visits, query["search"], reader, written=query["scope"] == "written")


def order_of(query: Mapping[str, Any], reader: User) -> tuple[str | OrderBy, ...]:
    """Answer what a list is ordered by: as asked for, else upcoming visits soonest first and others newest first.

    A patient's past begins with what was over last: a visit that was called off counts from then on, not from the day
    on which it was to be. Only there, since no index has that order, and one patient's visits are few.
    """
    if asked := query.get("ordering"):
        return (asked.replace("startsAt", "starts_at"),)
    if query["scope"] == "past" and reader.role == Role.PATIENT:
        called_off = When(status=Status.CANCELLED, then=Least("starts_at", "updated_at"))
        unanswered = When(status=Status.PENDING, then=Least("starts_at", Coalesce("respond_by", "starts_at")))
        return (Case(called_off, unanswered, default=F("starts_at")).desc(),)
    return ("starts_at" if query["scope"] == "upcoming" else "-starts_at",)


def in_order(
    visits: AppointmentQuerySet, query: Mapping[str, Any], reader: User, now: datetime
) -> list[AppointmentQuerySet]:
    """Answer the parts of a list, one after the other, each in its order.

    One, unless the nearest visits are to come first: what is upcoming soonest first, then all else newest first, both
    in the order of an index.
    """
    if query.get("ordering") == NEAREST:
        upcoming = in_scope(visits, "upcoming", now).order_by("starts_at", "pk")
        return [upcoming, in_scope(visits, "past", now).order_by("-starts_at", "pk")]
    return [visits.order_by(*order_of(query, reader), "pk")]


def in_scope(visits: AppointmentQuerySet, scope: str, now: datetime) -> AppointmentQuerySet:
    """Keep the visits of one of the scopes that a list offers."""
    if scope == "upcoming":
        return visits.live(now).not_over(now)
    if scope == "past":
        # All that are not upcoming.
        waits = Q(status=Status.PENDING, respond_by__gt=now) | Q(status=Status.CONFIRMED)
        return visits.filter(~waits | Q(ends_at__lte=now))
    if scope == "records":
        # The specification's medical records: past visits, excluding the cancelled.
        return visits.filter(Q(status=Status.COMPLETED) | Q(status=Status.CONFIRMED, ends_at__lte=now))
    if scope == "written":
        return visits.filter(record_version__gt=0)
    return visits


def of_people(visits: AppointmentQuerySet, text: str, doctor: User, *, in_order: bool) -> AppointmentQuerySet:
    """Keep the visits of the doctor's patients whose name or address of today holds each word of `text`.

    `in_order` says that the first visits in order of time are wanted, not all of them. Then a few patients are looked
    up first; where they are many, each visit in turn is asked whether its patient is one, until the page is full.
    """
    people = PatientOfDoctor.objects.filter(doctor=doctor.pk).found(text).order_by()
    if not in_order:
        return visits.filter(patient__in=people.values("patient"))
    few = list(people.values_list("patient", flat=True)[: FEW + 1])
    if len(few) <= FEW:
        return visits.filter(patient__in=few)
    # A value rather than EXISTS, which PostgreSQL would turn into reading all of both.
    return visits.alias(one_of_them=Subquery(people.filter(patient=OuterRef("patient")).values("patient"))).filter(
        one_of_them=F("patient")
    )


def found(visits: AppointmentQuerySet, text: str, reader: User, *, written: bool) -> AppointmentQuerySet:
    """Keep the visits that match each word of `text`.

    A doctor finds among the written records by the patient and by what was written, an admin by name or address, a
    patient by the doctor's name or specialization.
    """
    if written:
        visits = visits.alias(items_text=ItemsText("prescription_items"))
    for word in text.split():
        visits = visits.filter(matches(word, reader))
    return visits


def matches(word: str, reader: User) -> Q:
    """Say where one word may stand, by who is reading."""
    if reader.role == Role.PATIENT:
        return Q(doctor_name__icontains=word) | Q(specialization__icontains=word)
    if reader.role == Role.ADMIN:
        people = User.objects.get_queryset().filter(Q(name__icontains=word) | Q(email__icontains=word, ended_at=None))
        return Q(patient_name__icontains=word) | Q(patient__in=people.order_by().values("pk"))
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
