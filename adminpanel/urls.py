from django.urls import path

from adminpanel.account import self_service
from adminpanel.api import access_log_views, dashboard_views, site_config, site_texts, user_views
from config.api.routers import ApiRouter, SingletonRouter

router = ApiRouter()
router.register("admin/appointments", dashboard_views.AppointmentViewSet, basename="admin-appointment")
router.register("admin/audit", dashboard_views.AuditViewSet, basename="admin-audit")
router.register("admin/readings", access_log_views.ReadingsViewSet, basename="admin-reading")
router.register("admin/users", user_views.UsersViewSet, basename="admin-user")
router.register("texts", site_texts.SiteTextViewSet, basename="site-text")
router.register("admin/doctors", user_views.DoctorsForStaffViewSet, basename="admin-doctor")

singletons = SingletonRouter()
singletons.register("config", site_config.SiteConfigViewSet, basename="site-config")
singletons.register("auth/account", self_service.OwnAccountViewSet, basename="account")
singletons.register("admin", dashboard_views.DeskViewSet, basename="admin")

urlpatterns = [
    *singletons.urls,
    *router.urls,
    # An action on another app's public resource.
    path(
        "doctors/<uuid:pk>/approve",
        user_views.DoctorsForStaffViewSet.as_view({"put": "approve"}),
        name="approve-doctor",
    ),
    # Files with an extension, which routers don't support.
    path("admin/audit.csv", dashboard_views.TrailExportViewSet.as_view({"get": "retrieve"}), name="admin-audit-csv"),
    path(
        "admin/readings.csv",
        access_log_views.ReadingsExportViewSet.as_view({"get": "retrieve"}),
        name="admin-readings-csv",
    ),
]
