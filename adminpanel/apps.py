from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class AdminpanelConfig(AppConfig):
    name = "adminpanel"

    def ready(self) -> None:
        from accounts.notifications import delivery
        from adminpanel.operations import housekeeping, pending_work

        pending_work.register_composers()
        delivery.preparers.append(housekeeping.check_housekeeping)


class StaffSiteConfig(AdminConfig):
    """Django's admin with our site class."""

    default_site = "adminpanel.admin_site.StaffSite"
