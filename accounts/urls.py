from django.urls import path

from accounts import views
from accounts.auth import link_views, mfa_views
from accounts.notifications import views as notification_views

urlpatterns = [
    # Blind to tokens, so that an expired one does not keep its owner from signing in again.
    path(
        "auth/login",
        views.SignInViewSet.as_view({"post": "login"}, authentication_classes=(), refuses=("401", "403")),
        name="login",
    ),
    path(
        "auth/login/second",
        mfa_views.SecondSignInViewSet.as_view({"post": "second"}, refuses=("401", "403")),
        name="login-second",
    ),
    path(
        "auth/login/passkey",
        mfa_views.SecondSignInViewSet.as_view({"post": "passkey"}, refuses=("401", "403")),
        name="login-passkey",
    ),
    path(
        "auth/login/passkey/options",
        mfa_views.SecondSignInViewSet.as_view({"post": "options_for_any"}),
        name="login-passkey-options",
    ),
    path("auth/logout", views.SignOutViewSet.as_view({"post": "logout"}), name="logout"),
    path(
        "auth/register/patient", views.PatientRegistrationViewSet.as_view({"post": "create"}), name="register-patient"
    ),
    path("auth/profile", views.ProfileViewSet.as_view({"get": "retrieve", "put": "update"}), name="profile"),
    path("auth/password", views.PasswordViewSet.as_view({"put": "update"}), name="password"),
    path(
        "auth/password/reset",
        link_views.PasswordResetViewSet.as_view({"post": "request_link"}),
        name="password-reset",
    ),
    path(
        "auth/password/reset/check",
        link_views.PasswordResetViewSet.as_view({"post": "check"}),
        name="password-reset-check",
    ),
    path(
        "auth/password/reset/confirm",
        link_views.PasswordResetViewSet.as_view({"post": "confirm"}),
        name="password-reset-confirm",
    ),
    path("auth/email/confirm", link_views.EmailConfirmViewSet.as_view({"post": "confirm"}), name="email-confirm"),
    path("auth/email/resend", link_views.EmailResendViewSet.as_view({"post": "resend"}), name="email-resend"),
    path(
        "auth/email/pending",
        link_views.PendingEmailViewSet.as_view({"post": "resend", "delete": "destroy"}),
        name="email-pending",
    ),
    path(
        "auth/notice-settings",
        notification_views.NoticeSettingsViewSet.as_view({"get": "retrieve", "put": "update"}),
        name="notice-settings",
    ),
    path("notices", notification_views.NoticesViewSet.as_view({"get": "list"}), name="notices"),
    path("notices/unread", notification_views.UnreadViewSet.as_view({"get": "retrieve"}), name="notices-unread"),
    path("notices/read", notification_views.NoticesViewSet.as_view({"put": "read_some"}), name="notices-read"),
    path(
        "notices/unsubscribe",
        notification_views.UnsubscribeViewSet.as_view({"get": "page", "post": "stop"}),
        name="notices-unsubscribe",
    ),
    path(
        "auth/calendar-feed",
        views.CalendarFeedViewSet.as_view({"get": "retrieve", "post": "create", "delete": "destroy"}),
        name="calendar-address",
    ),
    path("auth/second-step", mfa_views.SecondStepViewSet.as_view({"get": "retrieve"}), name="second-step"),
    path(
        "auth/second-step/proof",
        mfa_views.SecondStepViewSet.as_view({"post": "begin_proof"}),
        name="second-step-proof",
    ),
    path(
        "auth/second-step/app",
        mfa_views.SecondStepViewSet.as_view({"post": "start_app", "put": "turn_app_on"}),
        name="second-step-app",
    ),
    path(
        "auth/second-step/app/off",
        mfa_views.SecondStepViewSet.as_view({"post": "turn_app_off"}),
        name="second-step-app-off",
    ),
    path(
        "auth/second-step/recovery-codes",
        mfa_views.SecondStepViewSet.as_view({"post": "make_recovery_codes"}),
        name="recovery-codes",
    ),
    path(
        "auth/passkeys",
        mfa_views.PasskeyViewSet.as_view({"get": "list", "post": "create"}),
        name="passkeys",
    ),
    path("auth/passkeys/options", mfa_views.PasskeyViewSet.as_view({"post": "begin"}), name="passkey-options"),
    path("auth/passkeys/<uuid:pk>", mfa_views.PasskeyViewSet.as_view({"put": "rename"}), name="passkey"),
    path(
        "auth/passkeys/<uuid:pk>/remove",
        mfa_views.PasskeyViewSet.as_view({"post": "remove"}),
        name="passkey-remove",
    ),
    path("auth/sessions", views.SessionViewSet.as_view({"get": "list", "delete": "destroy_others"}), name="sessions"),
    path("auth/sessions/<uuid:pk>", views.SessionViewSet.as_view({"delete": "destroy"}), name="session"),
]
