"""The patients of a doctor: those who have booked with them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.shortcuts import get_object_or_404

from accounts.models import Gender, User
from appointments.models import Appointment, AppointmentQuerySet, PatientOfDoctor, Status
from appointments.models.doctor_patient import PatientOfDoctorQuerySet

ORDERINGS = {
    "-lastBooked": ("-last_booked_at", "-pk"),
    "name": ("name", "pk"),
    "-name": ("-name", "-pk"),
}


@dataclass(frozen=True, slots=True)
class Figures:
    """A patient's appointments with one doctor: the count without cancelled ones, the last and the next one."""

    appointments: int = 0
    last: Appointment | None = None
    next: Appointment | None = None


def list_patients(doctor: User, query: Mapping[str, Any]) -> PatientOfDoctorQuerySet:
    """Return a doctor's patients that match `search` and `gender`, in one of `ORDERINGS`."""
    patients = PatientOfDoctor.objects.filter(doctor=doctor.pk).search(query.get("search", ""))
    if "gender" in query:
        patients = patients.filter(gender=query["gender"])
    return patients.select_related("patient").order_by(*ORDERINGS[query.get("ordering") or "-lastBooked"])


def get_patient(doctor: User, patient_id: UUID) -> PatientOfDoctor:
    """Return one patient of this doctor; raise `not_found` for any other user."""
    pairs = PatientOfDoctor.objects.select_related("patient__patient_details")
    return get_object_or_404(pairs, doctor=doctor.pk, patient=patient_id)


def count_by_gender(doctor: User) -> dict[str, int]:
    """Return the exact numbers of a doctor's patients by gender."""
    pairs = PatientOfDoctor.objects.filter(doctor=doctor.pk).order_by()
    counted = dict(pairs.values_list("gender").annotate(number=Count("*")))
    by_gender = {str(gender): counted.get(gender, 0) for gender in Gender.values}
    return {"all": sum(by_gender.values()), **by_gender}


def load_figures(doctor_id: UUID, patient_ids: Collection[UUID], now: datetime) -> dict[UUID, Figures]:
    """Return the figures of these patients with one doctor, in two queries.

    The last appointment is the newest that took place, never one in the future or a no-show; the next is the soonest
    pending or confirmed one.
    """
    theirs = Appointment.objects.filter(doctor=doctor_id, patient=OuterRef("patient"))
    counted = theirs.not_cancelled(now).order_by().values("patient").annotate(appointments=Count("*"))
    pairs = (
        PatientOfDoctor.objects.filter(doctor=doctor_id, patient__in=patient_ids)
        .order_by()
        .annotate(
            appointments=Subquery(counted.values("appointments")),
            last=Subquery(filter_took_place(theirs, now).order_by("-starts_at", "pk").values("pk")[:1]),
            next=Subquery(theirs.live(now).not_ended(now).order_by("starts_at", "pk").values("pk")[:1]),
        )
        .values_list("patient_id", "appointments", "last", "next")
    )
    rows = list(pairs)
    wanted = {pk for _, _, *two in rows for pk in two if pk}
    fields = ("id", "date", "time", "starts_at")
    shown = {appointment.pk: appointment for appointment in Appointment.objects.filter(pk__in=wanted).only(*fields)}
    return {
        patient_id: Figures(appointments or 0, shown.get(last), shown.get(following))
        for patient_id, appointments, last, following in rows
    }


def filter_took_place(appointments: AppointmentQuerySet, now: datetime) -> QuerySet[Appointment]:
    """Return completed appointments that have begun and confirmed ones that have ended, without no-shows."""
    completed = Q(status=Status.COMPLETED, attended=True, starts_at__lte=now)
    return appointments.filter(completed | Q(status=Status.CONFIRMED, ends_at__lte=now))
