"""Test that the alert rules, the dashboard and the documentation name exactly the metrics that `/metrics` exports."""

import json
import re

import pytest
import yaml

from config.metrics import database, instruments
from config.testing import ROOT

pytestmark = [pytest.mark.either_engine, pytest.mark.django_db]

NAME = re.compile(r"\bwellhour_\w+")
# `name{label="value"}`, and `by (label, label)`.
SELECTOR = re.compile(r"(\bwellhour_\w+)\{([^}]*)\}")
ENDINGS = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count"), "gauge": ("",)}


def exported():
    """Return each series' name with its labels."""
    series = {}
    for metric in instruments.registry.collect():
        (family,) = [each for each in vars(instruments).values() if getattr(each, "_name", None) == metric.name]
        labels = {*family._labelnames, *(["le"] if metric.type == "histogram" else [])}
        series |= {metric.name + ending: labels for ending in ENDINGS[metric.type]}
    for metric in database.SiteCollector().collect():
        series[metric.name] = {name for sample in metric.samples for name in sample.labels}
    return series


def rules():
    (group,) = yaml.safe_load((ROOT / "deploy/prometheus/alerts.yml").read_text())["groups"]
    return group["rules"]


def dashboard():
    return json.loads((ROOT / "deploy/grafana/dashboard.json").read_text())


def dashboard_queries():
    return [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]


def queries():
    return [rule["expr"] for rule in rules()] + dashboard_queries()


def test_queries_name_exported_metrics_and_their_labels():
    series = exported()
    for query in queries():
        assert set(NAME.findall(query)) <= set(series), query
        for name, matchers in SELECTOR.findall(query):
            assert set(re.findall(r"(\w+)=~?\"", matchers)) <= series[name], query
        grouped = {label.strip() for labels in re.findall(r"by \(([^)]*)\)", query) for label in labels.split(",")}
        assert all(grouped <= series[name] for name in NAME.findall(query)), query


def test_every_metric_is_on_the_dashboard_and_documented():
    families = {re.sub(r"_(bucket|sum|count)$", "", name) for name in exported()}
    shown = {re.sub(r"_(bucket|sum|count)$", "", name) for query in dashboard_queries() for name in NAME.findall(query)}
    assert shown == families
    documented = NAME.findall((ROOT / "docs/monitoring.md").read_text())
    assert set(documented) == families


def test_every_alert_is_explained():
    text = (ROOT / "docs/monitoring.md").read_text()
    assert re.findall(r"`(Wellhour\w+)`", text) == [rule["alert"] for rule in rules()]
    for rule in rules():
        assert rule["labels"]["severity"] in {"critical", "warning"}
        assert rule["annotations"]["summary"]


def test_dashboard_has_no_overlapping_panels_and_one_data_source():
    panels = dashboard()["panels"]
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len(set(places)) == len(panels) == len({panel["id"] for panel in panels})
    assert {panel["datasource"]["uid"] for panel in panels} == {"${datasource}"}
