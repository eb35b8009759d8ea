"""Figures read when they are asked for: the outbox, the background work, and what the site depends on."""

from collections.abc import Iterator
from datetime import datetime

from django.db import DatabaseError
from django.db.models import Count
from django.utils import timezone
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from accounts import leases
from accounts.models import AuditEvent, Notice
from accounts.notifications import delivery
from accounts.notifications.channels import CHANNELS
from adminpanel.operations import housekeeping
from config import probes
from config.http.maintenance import is_in_maintenance
from config.version import VERSION

STATES = (Notice.State.WAITING, Notice.State.FAILED)
WORKERS = (housekeeping.WORKER_NAME, delivery.WORKER_NAME)


class SiteCollector(Collector):
    """Gauges of the whole site, which each machine reports alike; only maintenance mode is a machine's own."""

    def collect(self) -> Iterator[Metric]:
        build = GaugeMetricFamily("wellhour_build_info", "The release that runs.", labels=["version"])
        build.add_metric([VERSION], 1)
        yield build
        yield GaugeMetricFamily(
            "wellhour_maintenance", "Whether this machine is in maintenance mode.", value=int(is_in_maintenance())
        )
        now = timezone.now()
        figures: list[Metric] = []
        try:
            oldest = delivery.get_oldest_due_notice(now)
            figures += read_figures(oldest, now)
            # Nobody but the database knows of mail.
            up = {"database": True, "mail": delivery.describe_mail(oldest, now) != "unavailable"}
        except DatabaseError:
            up = {"database": False}
        yield from figures
        yield describe_dependencies(up)


def read_figures(oldest: Notice | None, now: datetime) -> list[Metric]:
    """Return the gauges that are read from the database."""
    messages = GaugeMetricFamily("wellhour_messages", "Messages that wait or have failed.", labels=["channel", "state"])
    rows = (
        Notice.objects.filter(state__in=STATES).order_by().values_list("channel", "state").annotate(number=Count("*"))
    )
    counts = {(channel, state): count for channel, state, count in rows}
    for channel in CHANNELS:
        for state in STATES:
            messages.add_metric([channel, state.value], counts.get((channel, state.value), 0))
    age = GaugeMetricFamily(
        "wellhour_oldest_due_message_age_seconds",
        "For how long the message has waited that has been due the longest.",
        value=(now - oldest.due_at).total_seconds() if oldest else 0,
    )
    runs = GaugeMetricFamily(
        "wellhour_worker_last_run_timestamp_seconds", "When a worker last completed a round.", labels=["worker"]
    )
    beats = leases.list_heartbeats()
    for worker in WORKERS:
        last = beats.get(worker)
        runs.add_metric([worker], last.timestamp() if last else 0)
    backup = GaugeMetricFamily(
        "wellhour_last_backup_timestamp_seconds", "When the last backup was completed.", labels=[]
    )
    last_backup = (
        AuditEvent.objects.filter(event="data.backed_up").order_by("-id").values_list("recorded_at", flat=True).first()
    )
    if last_backup:
        backup.add_metric([], last_backup.timestamp())
    return [messages, age, runs, backup]


def describe_dependencies(up: dict[str, bool]) -> Metric:
    """Return a gauge with 1 for each thing that the site depends on and that responds, and 0 for the others."""
    dependencies = GaugeMetricFamily(
        "wellhour_dependency_up", "Whether what the site depends on responds.", labels=["dependency"]
    )
    redis = probes.find_redis_problem()
    if redis is not None:
        up["redis"] = not redis
    up["storage"] = not (probes.find_folder_problems() or probes.find_bucket_problem())
    for name, value in up.items():
        dependencies.add_metric([name], int(value))
    return dependencies
