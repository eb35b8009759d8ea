from django.urls import path

from adminpanel.account import self_service
from adminpanel.api import access_log_views, dashboard_views, site_config, user_views

desk = dashboard_views.DeskViewSet.as_view
users = user_views.UsersViewSet.as_view
doctors = user_views.DoctorsForStaffViewSet.as_view

own = self_service.OwnAccountViewSet.as_view

urlpatterns = [
    path("config", site_config.SiteConfigViewSet.as_view({"get": "retrieve"}), name="site-config"),
    path("auth/account/closing", own({"get": "closing"}, refuses=("409",)), name="account-closing"),
    path("auth/account/close", own({"post": "close"}), name="account-close"),
    path("auth/account/export", self_service.OwnDataViewSet.as_view({"post": "create"}), name="account-export"),
    path("admin/dashboard", desk({"get": "dashboard"}), name="admin-dashboard"),
    path("admin/analytics", desk({"get": "analytics"}), name="admin-analytics"),
    path("admin/records", desk({"get": "records"}), name="admin-records"),
    path("admin/appointments/<uuid:pk>/cancel", desk({"put": "cancel"}), name="admin-appointment-cancel"),
    path("admin/audit", desk({"get": "trail"}), name="admin-audit"),
    path("admin/audit.csv", dashboard_views.TrailExportViewSet.as_view({"get": "retrieve"}), name="admin-audit-csv"),
    path("admin/readings", access_log_views.ReadingsViewSet.as_view({"get": "list"}), name="admin-readings"),
    path(
        "admin/readings.csv",
        access_log_views.ReadingsExportViewSet.as_view({"get": "retrieve"}),
        name="admin-readings-csv",
    ),
    path("admin/users", users({"get": "list"}), name="admin-users"),
    path("admin/users/status", users({"put": "set_status_of_several"}), name="admin-users-status"),
    path("admin/users/<uuid:pk>", users({"get": "retrieve", "delete": "destroy"}), name="admin-user"),
    path("admin/users/<uuid:pk>/status", users({"put": "set_status"}), name="admin-user-status"),
    path("admin/doctors", doctors({"get": "list"}), name="admin-doctors"),
    path("admin/doctors/<uuid:pk>", doctors({"get": "retrieve", "delete": "destroy"}), name="admin-doctor"),
    path(
        "admin/doctors/<uuid:pk>/cases/<uuid:case>/document",
        user_views.EvidenceViewSet.as_view({"get": "retrieve"}),
        name="admin-doctor-document",
    ),
    path("doctors/<uuid:pk>/approve", doctors({"put": "approve"}), name="approve-doctor"),
]
