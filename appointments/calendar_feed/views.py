"""The private calendar feed of a user's appointments."""

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
from appointments.ical import build_feed_file
from appointments.models import Appointment
from appointments.models.appointment import AppointmentQuerySet
from config.api.access_log import Subject
from config.api.errors import DomainError
from config.http.compression import QUICK_COMPRESSORS, choose_coding
from config.http.etag import etag_of

PAST_DURATION = timedelta(days=365)
# Increase this when the same appointments are formatted differently, so that calendars reload them.
FORMAT_VERSION = 2
# The fields of an entry; clinical text is not read from the database.
FEED_FIELDS = (
    *("doctor_id", "patient_id", "status", "date", "time", "time_zone", "starts_at", "ends_at", "respond_by"),
    *("created_at", "updated_at", "version", "doctor_name", "patient_name"),
    *("hospital_name", "hospital_street", "hospital_city", "hospital_state", "hospital_zip_code"),
    *("hospital_country", "hospital_phone"),
)


@csrf_exempt  # nothing is changed here, so a POST should get 405 rather than a missing token
@require_safe
def serve_feed(request: HttpRequest, secret: str) -> HttpResponse:
    """Return the calendar, 304 if nothing has changed, or 404 for an unused address."""
    try:
        reader = find_feed_user(secret)
        if reader is not None:
            charge_user(request, reader)
    except DomainError as refused:
        return build_plain_response(refused.message, refused.status, {"Retry-After": str(refused.retry_after or 60)})
    if reader is None:
        return build_plain_response("There is no calendar at this address.", 404)
    now = timezone.now()
    appointments = list_feed_appointments(reader, now)
    coding = choose_coding(request)
    etag = compute_calendar_etag(reader, appointments, coding)
    response = get_conditional_response(request, etag=etag)
    if response is None:
        shown = list(appointments.only(*FEED_FIELDS).order_by("starts_at", "pk"))
        subjects = [Subject("appointment", appointment.pk, appointment.patient_id) for appointment in shown]
        try:
            record_readings(reader, "calendar-feed", subjects)
        except DomainError as refused:
            return build_plain_response(
                refused.message, refused.status, {"Retry-After": str(refused.retry_after or 60)}
            )
        with override(user_language(reader)):
            file = build_feed_file(shown, reader, now)
        response = build_calendar_response(file, coding, is_head=request.method == "HEAD")
    response["ETag"] = etag
    patch_vary_headers(response, ["Accept-Encoding"])
    return make_private(response)


def build_calendar_response(file: bytes, coding: str, *, is_head: bool) -> HttpResponse:
    """Return the calendar in an accepted content coding; only headers for a HEAD request."""
    body = QUICK_COMPRESSORS[coding](file) if coding else file
    response = HttpResponse(b"" if is_head else body, content_type="text/calendar; charset=utf-8; method=PUBLISH")
    response["Content-Length"] = str(len(body))
    response["Content-Disposition"] = 'inline; filename="appointments.ics"'
    if coding:
        response["Content-Encoding"] = coding
    return response


def list_feed_appointments(reader: User, now: datetime) -> AppointmentQuerySet:
    """Return the reader's own appointments of the past year and all future ones, without cancelled ones."""
    return Appointment.objects.of_user(reader).filter(starts_at__gt=now - PAST_DURATION).not_cancelled(now)


def compute_calendar_etag(reader: User, appointments: AppointmentQuerySet, coding: str) -> str:
    """Return an ETag that changes with the calendar, from one aggregate query.

    Each change of an appointment increases its version, and appointments are counted.
    """
    state = appointments.aggregate(
        count=Count("pk"), versions=Sum("version"), changed=Max("updated_at"), waiting=Count("pk", Q(status="pending"))
    )
    source = repr(
        (
            FORMAT_VERSION,
            settings.BASE_URL,
            reader.pk.hex,
            reader.role,
            user_language(reader),
            coding,
            sorted(state.items()),
        )
    )
    return etag_of(source.encode())


def make_private(response: HttpResponse) -> HttpResponse:
    """Exclude a response from shared caches and search engines, and its URL from Referer headers."""
    response["Cache-Control"] = "private, no-cache"
    response["Referrer-Policy"] = "no-referrer"
    response["X-Robots-Tag"] = "noindex"
    return response


def build_plain_response(sentence: str, status: int, headers: dict[str, str] | None = None) -> HttpResponse:
    """Return a plain-text response, because the client is a calendar app."""
    return make_private(
        HttpResponse(f"{sentence}\n", status=status, content_type="text/plain; charset=utf-8", headers=headers)
    )
