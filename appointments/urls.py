from django.urls import path

from appointments import views

urlpatterns = [
    path("appointments", views.AppointmentViewSet.as_view({"get": "list", "post": "create"}), name="appointments"),
    path("appointments/<uuid:pk>", views.AppointmentViewSet.as_view({"get": "retrieve"}), name="appointment"),
    path("appointments/<uuid:pk>/cancel", views.AppointmentViewSet.as_view({"put": "cancel"}), name="appointment-cancel"),
    path("appointments/<uuid:pk>/status", views.AppointmentViewSet.as_view({"put": "set_status"}), name="appointment-status"),
]
