"""`/metrics`, for Prometheus."""

import hmac
from collections.abc import Iterable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest, values
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from config.metrics import instruments, process_files
from config.metrics.database import SiteCollector


class ProcessCollector(Collector):
    """What the processes of this machine have counted."""

    def collect(self) -> Iterable[Metric]:
        if values.ValueClass is values.MutexValue:
            return instruments.registry.collect()
        return process_files.read_totals(settings.METRICS_ROOT)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return all figures in Prometheus' text format to clients with `METRICS_TOKEN`; 404 while that is empty."""
    if not settings.METRICS_TOKEN:
        raise Http404
    if not has_token(request):
        refusal = HttpResponse(
            "The bearer token of METRICS_TOKEN is required.\n", status=401, content_type="text/plain"
        )
        refusal["WWW-Authenticate"] = "Bearer"
        return refusal
    registry = CollectorRegistry()
    registry.register(ProcessCollector())
    registry.register(SiteCollector())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def has_token(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(token.strip().encode(), settings.METRICS_TOKEN.encode())
