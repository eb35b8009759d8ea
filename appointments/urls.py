from django.urls import path

from appointments import views
from appointments.availability import views as availability_views
from appointments.calendar_feed import download_views
from appointments.doctor_desk import views as desk_views
from appointments.records import views as record_views
from appointments.scheduling import booking_draft_views
from config.api.routers import ApiRouter, SingletonRouter

router = ApiRouter()
# The most frequent routes come first.
router.register("appointments", views.AppointmentViewSet, basename="appointment")
router.register("appointments/hold", views.HoldViewSet, basename="hold")
router.register("appointments/drafts", booking_draft_views.BookingDraftViewSet, basename="booking-draft")
router.register("appointments/<uuid:pk>/attachments", record_views.AttachmentViewSet, basename="attachment")
router.register("appointments/<uuid:pk>/readers", record_views.ReadersViewSet, basename="reader")
router.register("doctors/patients", desk_views.PatientsViewSet, basename="doctor-patient")
router.register("doctors/schedule/blocked", desk_views.BlockedViewSet, basename="blocked-time")
router.register("doctors/schedule/absences", desk_views.AbsenceViewSet, basename="absence")

singletons = SingletonRouter()
singletons.register("doctors/dashboard", desk_views.DashboardViewSet, basename="doctor-dashboard")
singletons.register("doctors/calendar", desk_views.CalendarViewSet, basename="doctor-calendar")
singletons.register("doctors/schedule", availability_views.ScheduleViewSet, basename="schedule")
singletons.register("doctors/<uuid:pk>/slots/explain", availability_views.ExplainViewSet, basename="slots-explain")
singletons.register("appointments/<uuid:pk>/visit", record_views.RecordViewSet, basename="visit")
singletons.register("appointments/<uuid:pk>/visit/draft", record_views.DraftViewSet, basename="visit-draft")

urlpatterns = [
    *router.urls,
    *singletons.urls,
    # Files with an extension, which routers don't support.
    path(
        "appointments/<uuid:pk>/calendar.ics",
        download_views.CalendarFileViewSet.as_view({"get": "retrieve"}),
        name="calendar-file",
    ),
    path(
        "appointments/<uuid:pk>/prescription.pdf",
        record_views.PrescriptionViewSet.as_view({"get": "retrieve"}),
        name="prescription",
    ),
    path("doctors/patients.csv", desk_views.ExportViewSet.as_view({"get": "patients"}), name="doctor-patients-csv"),
    path(
        "doctors/appointments.csv",
        desk_views.ExportViewSet.as_view({"get": "appointments"}),
        name="doctor-appointments-csv",
    ),
]
