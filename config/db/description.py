"""How a database is named to operators."""

from collections.abc import Mapping
from typing import Any


def describe_database(database: Mapping[str, Any]) -> str:
    """Return the file of a SQLite database, or the name, host and port of a PostgreSQL one, never a password."""
    if database["ENGINE"].endswith("sqlite3"):
        return str(database["NAME"])
    return f"{database['NAME']} at {database['HOST'] or 'localhost'}:{database['PORT'] or 5432}"
