"""Where each address leads."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from adminpanel.api.site_config import build_site_config
from adminpanel.operations.site_texts import list_published_kinds
from config import health, public_files, spa
from config.metrics.views import metrics

# Passed, so that the views import no app.
TEXTS = {"list_texts": list_published_kinds}

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    # What is asked most stands first: addresses are tried one after the other.
    path("api/", include("doctors.urls")),
    path("api/", include("appointments.urls")),
    path("api/", include("accounts.urls")),
    path("api/", include("adminpanel.urls")),
    path("api/", include("config.api.urls")),
    path("calendar/", include("appointments.calendar_feed.urls")),
    path("staff", RedirectView.as_view(url="/staff/", http_method_names=["get", "head"]), name="staff"),
    path("staff/", admin.site.urls),
    path("media/<path:name>", spa.media, name="media"),
    path("robots.txt", public_files.robots, name="robots"),
    path("sitemap.xml", public_files.sitemap, TEXTS, name="sitemap"),
    path(".well-known/security.txt", public_files.security_txt, name="security-txt"),
    # Every other address is the page's own; the bundle's site map decides.
    re_path(r"^(?!api/|static/|media/|staff/)", spa.page, {"public_settings": build_site_config, **TEXTS}, name="page"),
]

handler404 = "config.api.errors.handle_404"
handler500 = "config.api.errors.handle_500"
