from django.urls import path

from appointments import record_views, views

visits = views.AppointmentViewSet.as_view

urlpatterns = [
    path("doctors/schedule", views.ScheduleViewSet.as_view({"get": "retrieve", "put": "update"}), name="schedule"),
    path("doctors/<uuid:pk>/slots/explain", views.ExplainViewSet.as_view({"get": "retrieve"}), name="slots-explain"),
    path("appointments", visits({"get": "list", "post": "create"}), name="appointments"),
    path("appointments/hold", views.HoldViewSet.as_view({"post": "create"}), name="holds"),
    path("appointments/hold/<str:secret>", views.HoldViewSet.as_view({"delete": "destroy"}), name="hold"),
    path("appointments/<uuid:pk>", visits({"get": "retrieve"}), name="appointment"),
    path("appointments/<uuid:pk>/cancel", visits({"put": "cancel"}), name="appointment-cancel"),
    path(
        "appointments/<uuid:pk>/cancel-request", visits({"post": "cancel_request"}), name="appointment-cancel-request"
    ),
    path("appointments/<uuid:pk>/proposal", visits({"post": "propose", "put": "answer"}), name="appointment-proposal"),
    path("appointments/<uuid:pk>/reschedule", visits({"put": "reschedule"}), name="appointment-reschedule"),
    path("appointments/<uuid:pk>/status", visits({"put": "set_status"}), name="appointment-status"),
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
