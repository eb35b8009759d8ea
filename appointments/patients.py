"""Whom a doctor may see: the patients who have booked with that doctor."""

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
    """A patient's appointments with one doctor: how many, without cancelled ones, the last one and the next."""

    appointments: int = 0
    last: Appointment | None = None
    next: Appointment | None = None


def patients_of(doctor: User, query: Mapping[str, Any]) -> PatientOfDoctorQuerySet:
    """Return a doctor's patients that match `search` and `gender`, in one of `ORDERINGS`."""
    patients = PatientOfDoctor.objects.filter(doctor=doctor.pk).found(query.get("search", ""))
    if "gender" in query:
        patients = patients.filter(gender=query["gender"])
    return patients.select_related("patient").order_by(*ORDERINGS[query.get("ordering") or "-lastBooked"])


def patient_of(doctor: User, patient_id: UUID) -> PatientOfDoctor:
    """Return one patient of this doctor; anybody else is not found."""
    pairs = PatientOfDoctor.objects.select_related("patient__patient_details")
    return get_object_or_404(pairs, doctor=doctor.pk, patient=patient_id)


def totals_of(doctor: User) -> dict[str, int]:
    """Count all of a doctor's patients, exactly, by gender."""
    pairs = PatientOfDoctor.objects.filter(doctor=doctor.pk).order_by()
    counted = dict(pairs.values_list("gender").annotate(number=Count("*")))
    by_gender = {str(gender): counted.get(gender, 0) for gender in Gender.values}
    return {"all": sum(by_gender.values()), **by_gender}


def figures_of(doctor_id: UUID, patient_ids: Collection[UUID], now: datetime) -> dict[UUID, Figures]:
    """Return the figures of these patients with one doctor, in two statements however many there are.

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
            last=Subquery(took_place(theirs, now).order_by("-starts_at", "pk").values("pk")[:1]),
            next=Subquery(theirs.live(now).not_over(now).order_by("starts_at", "pk").values("pk")[:1]),
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


def took_place(appointments: AppointmentQuerySet, now: datetime) -> QuerySet[Appointment]:
    """Keep the appointments that have begun, if completed, or ended, if confirmed; no-shows are left out."""
    completed = Q(status=Status.COMPLETED, attended=True, starts_at__lte=now)
    return appointments.filter(completed | Q(status=Status.CONFIRMED, ends_at__lte=now))
