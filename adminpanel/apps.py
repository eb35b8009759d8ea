from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class AdminpanelConfig(AppConfig):
    name = "adminpanel"


class StaffSiteConfig(AdminConfig):
    """Django's admin with our site in place of its own."""

    default_site = "adminpanel.admin_site.StaffSite"
