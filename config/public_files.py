"""Files that search engines and researchers look for at fixed addresses; `/favicon.ico` is in `static/root`."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from xml.sax.saxutils import escape

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from config.spa import TEXT_PAGES

TEXT = "text/plain; charset=utf-8"
# Pages that are the same for everyone and worth finding.
PUBLIC_PAGES = ("/", "/patient/doctors", "/about", "/contact", "/privacy")
# Longer paths win over shorter ones (RFC 9309); some crawlers take the first that matches.
ROBOTS = """\
User-agent: *
Allow: /patient/doctors
Disallow: /api/
Disallow: /staff
Disallow: /calendar/
Disallow: /admin/
Disallow: /doctor/
Disallow: /patient/
Disallow: /profile
Disallow: /notices
Disallow: /forgot-password
Disallow: /reset-password
Disallow: /confirm-email
Disallow: /unsubscribe

Sitemap: {base_url}/sitemap.xml
"""
# RFC 9116 recommends less than a year.
SECURITY_CONTACT_DAYS = 180


@require_safe
@cache_control(public=True, max_age=3600)
def robots(request: HttpRequest) -> HttpResponse:
    """Return what crawlers may read (RFC 9309): public pages, neither the API nor anybody's own pages."""
    return HttpResponse(ROBOTS.format(base_url=settings.BASE_URL), content_type=TEXT)


@require_safe
@cache_control(public=True, max_age=3600)
def sitemap(request: HttpRequest, list_texts: Callable[[], Sequence[str]]) -> HttpResponse:
    """Return the public pages in the sitemap protocol (https://www.sitemaps.org)."""
    texts = list_texts()
    pages = [*PUBLIC_PAGES, *(page for page, text in TEXT_PAGES.items() if text in texts)]
    urls = "".join(f"  <url><loc>{escape(settings.BASE_URL + page)}</loc></url>\n" for page in pages)
    content = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{urls}</urlset>\n'
    )
    return HttpResponse(content, content_type="application/xml")


@require_safe
@cache_control(public=True, max_age=3600)
def security_txt(request: HttpRequest) -> HttpResponse:
    """Return where to report vulnerabilities (RFC 9116); 404 unless the operator has named a contact."""
    address = settings.CONTACT["email"]
    if not address:
        raise Http404
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    expires = today + timedelta(days=SECURITY_CONTACT_DAYS)
    return HttpResponse(
        f"Contact: mailto:{address}\nExpires: {expires:%Y-%m-%dT%H:%M:%SZ}\n"
        f"Canonical: {settings.BASE_URL}/.well-known/security.txt\n",
        content_type=TEXT,
    )
