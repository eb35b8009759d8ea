from django.urls import path

from accounts import views
from accounts.auth import link_views, mfa_views
from accounts.notifications import views as notification_views
from config.api.routers import ApiRouter, SingletonRouter

router = ApiRouter()
router.register("notices", notification_views.NoticesViewSet, basename="notice")
router.register("auth/sessions", views.SessionViewSet, basename="session")
router.register("auth/passkeys", mfa_views.PasskeyViewSet, basename="passkey")

singletons = SingletonRouter()
singletons.register("auth/profile", views.ProfileViewSet, basename="profile")
singletons.register("auth/login", mfa_views.SecondSignInViewSet, basename="login")
singletons.register("auth/register/patient", views.PatientRegistrationViewSet, basename="register-patient")
singletons.register("auth/password", views.PasswordViewSet, basename="password")
singletons.register("auth/password/reset", link_views.PasswordResetViewSet, basename="password-reset")
singletons.register("auth/email/pending", link_views.PendingEmailViewSet, basename="email-pending")
singletons.register("auth/notice-settings", notification_views.NoticeSettingsViewSet, basename="notice-settings")
singletons.register("auth/calendar-feed", views.CalendarFeedViewSet, basename="calendar-address")
singletons.register("auth/second-step", mfa_views.SecondStepViewSet, basename="second-step")

urlpatterns = [
    *router.urls,
    *singletons.urls,
    # Acts that belong to no resource.
    path("auth/login", views.SignInViewSet.as_view({"post": "login"}), name="login"),
    path("auth/logout", views.SignOutViewSet.as_view({"post": "logout"}), name="logout"),
    path("auth/email/confirm", link_views.EmailConfirmViewSet.as_view({"post": "confirm"}), name="email-confirm"),
    path("auth/email/resend", link_views.EmailResendViewSet.as_view({"post": "resend"}), name="email-resend"),
    path(
        "notices/unsubscribe",
        notification_views.UnsubscribeViewSet.as_view({"get": "page", "post": "stop"}),
        name="notices-unsubscribe",
    ),
]
