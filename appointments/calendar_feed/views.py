"""A person's appointments as a calendar to subscribe to, under a private address."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Count, Max, Q, Sum
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import override
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from accounts.access_log import record_readings
from accounts.calendar_feed import find_feed_user
from accounts.models import User
from accounts.notifications.languages import user_language
from accounts.throttling.cpu_budget import charge_user
from appointments.ical import feed_file
from appointments.models import Appointment
from appointments.models.appointment import AppointmentQuerySet
from config.api.access_log import Subject
from config.api.errors import DomainError
from config.http.compression import QUICK_COMPRESSORS, choose_coding
from config.http.etag import etag_of

PAST = timedelta(days=365)
# Rises when the same appointments are written in another way, so that calendars read them again.
FORM = 2
# What an entry is made of; clinical text is not even read from the database.
SHOWN = (
    *("doctor_id", "patient_id", "status", "date", "time", "time_zone", "starts_at", "ends_at", "respond_by"),
    *("created_at", "updated_at", "version", "doctor_name", "patient_name"),
    *("hospital_name", "hospital_street", "hospital_city", "hospital_state", "hospital_zip_code"),
    *("hospital_country", "hospital_phone"),
)


@csrf_exempt  # nothing is changed here, so a POST should get 405 rather than a missing token
@require_safe
def answer(request: HttpRequest, secret: str) -> HttpResponse:
    """Return the calendar, or 304 where nothing has changed; any address that is not in use is 404."""
    try:
        reader = find_feed_user(secret)
        if reader is not None:
            charge_user(request, reader)
    except DomainError as refused:
        return plain(refused.message, refused.status, {"Retry-After": str(refused.retry_after or 60)})
    if reader is None:
        return plain("There is no calendar at this address.", 404)
    now = timezone.now()
    appointments = appointments_of(reader, now)
    coding = choose_coding(request)
    etag = etag_of_calendar(reader, appointments, coding)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        shown = list(appointments.only(*SHOWN).order_by("starts_at", "pk"))
        subjects = [Subject("appointment", appointment.pk, appointment.patient_id) for appointment in shown]
        try:
            record_readings(reader, "calendar-feed", subjects)
        except DomainError as refused:
            return plain(refused.message, refused.status, {"Retry-After": str(refused.retry_after or 60)})
        with override(user_language(reader)):
            file = feed_file(shown, reader, now)
        response = calendar_response(file, coding, is_head=request.method == "HEAD")
    response["ETag"] = etag
    patch_vary_headers(response, ["Accept-Encoding"])
    return private(response)


def calendar_response(file: bytes, coding: str, *, is_head: bool) -> HttpResponse:
    """Return the calendar in the coding that the client accepts; to a HEAD request, its headers alone."""
    body = QUICK_COMPRESSORS[coding](file) if coding else file
    response = HttpResponse(b"" if is_head else body, content_type="text/calendar; charset=utf-8; method=PUBLISH")
    response["Content-Length"] = str(len(body))
    response["Content-Disposition"] = 'inline; filename="appointments.ics"'
    if coding:
        response["Content-Encoding"] = coding
    return response


def appointments_of(reader: User, now: datetime) -> AppointmentQuerySet:
    """Return the reader's own appointments of the past year and all to come, without those that do not take place."""
    return Appointment.objects.of_person(reader).filter(starts_at__gt=now - PAST).not_cancelled(now)


def etag_of_calendar(reader: User, appointments: AppointmentQuerySet, coding: str) -> str:
    """Return a tag that changes whenever the calendar would, from one aggregate query.

    Each change of an appointment raises its version, and what comes or goes is counted.
    """
    state = appointments.aggregate(
        count=Count("pk"), versions=Sum("version"), changed=Max("updated_at"), waiting=Count("pk", Q(status="pending"))
    )
    source = repr(
        (FORM, settings.BASE_URL, reader.pk.hex, reader.role, user_language(reader), coding, sorted(state.items()))
    )
    return etag_of(source.encode())


def private(response: HttpResponse) -> HttpResponse:
    """Keep a response out of shared caches and search engines, and its address out of other sites' logs."""
    response["Cache-Control"] = "private, no-cache"
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex"
    return response


def plain(sentence: str, status: int, headers: dict[str, str] | None = None) -> HttpResponse:
    """Return a plain sentence: the client is a calendar app, not a browser."""
    return private(
        HttpResponse(f"{sentence}\n", status=status, content_type="text/plain; charset=utf-8", headers=headers)
    )
