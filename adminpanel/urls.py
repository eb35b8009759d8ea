from django.urls import path

from adminpanel import desk_views, people_views, views

desk = desk_views.DeskViewSet.as_view
users = people_views.UsersViewSet.as_view
doctors = people_views.DoctorsForStaffViewSet.as_view

urlpatterns = [
    path("config", views.SiteConfigViewSet.as_view({"get": "retrieve"}), name="site-config"),
    path("admin/dashboard", desk({"get": "dashboard"}), name="admin-dashboard"),
    path("admin/records", desk({"get": "records"}), name="admin-records"),
    path("admin/appointments/<uuid:pk>/cancel", desk({"put": "cancel"}), name="admin-appointment-cancel"),
    path("admin/audit", desk({"get": "trail"}), name="admin-audit"),
    path("admin/users", users({"get": "list"}), name="admin-users"),
    path("admin/users/<uuid:pk>", users({"delete": "destroy"}), name="admin-user"),
    path("admin/users/<uuid:pk>/status", users({"put": "set_status"}), name="admin-user-status"),
    path("admin/doctors", doctors({"get": "list"}), name="admin-doctors"),
    path("admin/doctors/<uuid:pk>", doctors({"get": "retrieve", "delete": "destroy"}), name="admin-doctor"),
    path("doctors/<uuid:pk>/approve", doctors({"put": "approve"}), name="approve-doctor"),
]
