from django.urls import path

from accounts import views

urlpatterns = [
    # Blind to tokens, so that one that has died does not keep its owner from signing in anew.
    path(
        "auth/login",
        views.SignInViewSet.as_view({"post": "login"}, authentication_classes=(), refuses=("401", "403")),
        name="login",
    ),
    path("auth/logout", views.SignOutViewSet.as_view({"post": "logout"}), name="logout"),
    path(
        "auth/register/patient", views.PatientRegistrationViewSet.as_view({"post": "create"}), name="register-patient"
    ),
    path("auth/profile", views.ProfileViewSet.as_view({"get": "retrieve", "put": "update"}), name="profile"),
    path("auth/password", views.PasswordViewSet.as_view({"put": "update"}), name="password"),
    path(
        "auth/calendar-feed",
        views.CalendarFeedViewSet.as_view({"get": "retrieve", "post": "create", "delete": "destroy"}),
        name="calendar-address",
    ),
    path("auth/sessions", views.SessionViewSet.as_view({"get": "list"}), name="sessions"),
    path("auth/sessions/<uuid:pk>", views.SessionViewSet.as_view({"delete": "destroy"}), name="session"),
]
