"""Find scans of whole tables in query plans."""

import json
import re
from collections.abc import Iterator
from typing import Any

from django.db import connection


def analyze_tables() -> None:
    """Refresh the statistics of the query planner; on PostgreSQL also the visibility map, as autovacuum would."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # The timeout is for requests.
            cursor.execute("SET statement_timeout = 0")
            cursor.execute("VACUUM ANALYZE")
            cursor.execute("RESET statement_timeout")
        else:
            cursor.execute("ANALYZE")


def find_table_scans(statement: str, tables: tuple[str, ...], *, include_ordered: bool = True) -> list[str]:
    """Return those of `tables` that the statement would scan.

    Without `include_ordered`, scans in the order of an index that end at a LIMIT are left out on SQLite.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(f"EXPLAIN (FORMAT JSON) {statement}")
            (plan,) = cursor.fetchone()
            nodes = list(walk_plan((plan if isinstance(plan, list) else json.loads(plan))[0]["Plan"]))
            return [
                node["Relation Name"]
                for node in nodes
                if node["Node Type"] == "Seq Scan" and node.get("Relation Name") in tables
            ]
        cursor.execute(f"EXPLAIN QUERY PLAN {statement}")
        steps = [row[3] for row in cursor.fetchall()]
    names = {name: name for name in tables}
    names |= {alias: name for name, alias in re.findall(r'"(\w+)" ([A-Z]+\d+)\b', statement) if name in tables}
    if not include_ordered and " LIMIT " in statement and not any("FOR ORDER BY" in step for step in steps):
        # Without conditions, rows come in the order of their ids.
        steps = [step for step in steps if " INDEX " not in step and " WHERE " in statement]
    scanned = [step.split()[1] for step in steps if step.startswith("SCAN ")]
    return [names[name] for name in scanned if name in names]


def walk_plan(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a node of a plan and all nodes below it."""
    yield node
    for child in node.get("Plans", ()):
        yield from walk_plan(child)
