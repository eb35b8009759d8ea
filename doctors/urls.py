from django.urls import path

from doctors import views
from doctors.verification import views as verification_views

urlpatterns = [
    path("auth/register/doctor", views.DoctorRegistrationViewSet.as_view({"post": "create"}), name="register-doctor"),
    path("doctors", views.DirectoryViewSet.as_view({"get": "list"}), name="doctors"),
    path("doctors/filters", views.DirectoryViewSet.as_view({"get": "filters"}), name="doctor-filters"),
    path("doctors/profile", views.OwnProfileViewSet.as_view({"put": "update"}), name="doctor-profile"),
    path(
        "doctors/verification",
        verification_views.ApplicationViewSet.as_view({"get": "list", "post": "create"}),
        name="doctor-verification",
    ),
    path("doctors/<uuid:pk>", views.DirectoryViewSet.as_view({"get": "retrieve"}), name="doctor"),
    path("doctors/<uuid:pk>/slots", views.DirectoryViewSet.as_view({"get": "slots"}), name="doctor-slots"),
]
