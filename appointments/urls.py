from django.urls import path

from appointments import views
from appointments.availability import views as availability_views
from appointments.calendar_feed import download_views
from appointments.doctor_desk import views as desk_views
from appointments.records import views as record_views
from appointments.scheduling import booking_draft_views

appointments = views.AppointmentViewSet.as_view

urlpatterns = [
    # The first to be tried is what is asked most.
    path("appointments", appointments({"get": "list", "post": "create"}), name="appointments"),
    path("appointments/hold", views.HoldViewSet.as_view({"post": "create"}), name="holds"),
    path("doctors/dashboard", desk_views.DashboardViewSet.as_view({"get": "retrieve"}), name="doctor-dashboard"),
    path("doctors/patients", desk_views.PatientsViewSet.as_view({"get": "list"}), name="doctor-patients"),
    path("doctors/patients.csv", desk_views.ExportViewSet.as_view({"get": "patients"}), name="doctor-patients-csv"),
    path(
        "doctors/appointments.csv",
        desk_views.ExportViewSet.as_view({"get": "appointments"}),
        name="doctor-appointments-csv",
    ),
    path(
        "doctors/patients/<uuid:pk>",
        desk_views.PatientsViewSet.as_view({"get": "retrieve"}),
        name="doctor-patient",
    ),
    path(
        "doctors/patients/<uuid:pk>/history",
        desk_views.PatientsViewSet.as_view({"get": "history"}),
        name="doctor-patient-history",
    ),
    path(
        "doctors/patients/<uuid:pk>/appointments",
        desk_views.PatientsViewSet.as_view({"post": "book"}),
        name="doctor-patient-appointments",
    ),
    path("doctors/calendar", desk_views.CalendarViewSet.as_view({"get": "retrieve"}), name="doctor-calendar"),
    path("doctors/schedule/blocked", desk_views.BlockedViewSet.as_view({"post": "create"}), name="blocked-times"),
    path(
        "doctors/schedule/blocked/<int:pk>",
        desk_views.BlockedViewSet.as_view({"delete": "destroy"}),
        name="blocked-time",
    ),
    path("doctors/schedule/absences", desk_views.AbsenceViewSet.as_view({"post": "create"}), name="absences"),
    path(
        "doctors/schedule/absences/<uuid:pk>",
        desk_views.AbsenceViewSet.as_view({"put": "update", "delete": "destroy"}),
        name="absence",
    ),
    path(
        "doctors/schedule",
        availability_views.ScheduleViewSet.as_view({"get": "retrieve", "put": "update"}),
        name="schedule",
    ),
    path(
        "doctors/<uuid:pk>/slots/explain",
        availability_views.ExplainViewSet.as_view({"get": "retrieve"}),
        name="slots-explain",
    ),
    path("appointments/hold/<str:secret>", views.HoldViewSet.as_view({"delete": "destroy"}), name="hold"),
    path(
        "appointments/drafts/<uuid:pk>",
        booking_draft_views.BookingDraftViewSet.as_view({"get": "retrieve", "put": "update", "delete": "destroy"}),
        name="booking-draft",
    ),
    path("appointments/<uuid:pk>", appointments({"get": "retrieve"}), name="appointment"),
    path("appointments/<uuid:pk>/cancel", appointments({"put": "cancel"}), name="appointment-cancel"),
    path(
        "appointments/<uuid:pk>/cancel-request",
        appointments({"post": "cancel_request", "delete": "withdraw_cancel_request"}),
        name="appointment-cancel-request",
    ),
    path("appointments/<uuid:pk>/move", appointments({"post": "move_at_once"}), name="appointment-move"),
    path("appointments/<uuid:pk>/undo", appointments({"post": "undo"}), name="appointment-undo"),
    path("appointments/<uuid:pk>/reopen", appointments({"post": "reopen"}), name="appointment-reopen"),
    path(
        "appointments/<uuid:pk>/proposal",
        appointments({"post": "propose", "put": "answer"}),
        name="appointment-proposal",
    ),
    path("appointments/<uuid:pk>/reschedule", appointments({"put": "reschedule"}), name="appointment-reschedule"),
    path("appointments/<uuid:pk>/status", appointments({"put": "set_status"}), name="appointment-status"),
    path(
        "appointments/<uuid:pk>/calendar.ics",
        download_views.CalendarFileViewSet.as_view({"get": "retrieve"}),
        name="calendar-file",
    ),
    path(
        "appointments/<uuid:pk>/visit",
        record_views.RecordViewSet.as_view({"get": "retrieve", "put": "update"}),
        name="visit",
    ),
    path(
        "appointments/<uuid:pk>/visit/versions",
        record_views.RecordViewSet.as_view({"get": "versions"}),
        name="visit-versions",
    ),
    path(
        "appointments/<uuid:pk>/visit/draft",
        record_views.DraftViewSet.as_view({"put": "update", "delete": "destroy"}),
        name="visit-draft",
    ),
    path(
        "appointments/<uuid:pk>/prescription.pdf",
        record_views.PrescriptionViewSet.as_view({"get": "retrieve"}),
        name="prescription",
    ),
    path(
        "appointments/<uuid:pk>/attachments",
        record_views.AttachmentsViewSet.as_view({"post": "create"}),
        name="attachments",
    ),
    path(
        "appointments/<uuid:pk>/attachments/<uuid:file>",
        record_views.AttachmentViewSet.as_view({"get": "retrieve", "delete": "destroy"}),
        name="attachment",
    ),
    path("appointments/<uuid:pk>/readers", record_views.ReadersViewSet.as_view({"get": "list"}), name="readers"),
]
