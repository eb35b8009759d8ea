"""Values for everything that the OpenAPI document says a call takes."""

from typing import Any

WORD = "Qanarie"
BIRTH = "1931-04-17"


def fill_path(pattern, address: str, values: dict[str, Any]) -> str:
    """Write an address as the schema does."""
    for name, value in values.items():
        address = address.replace(str(value), f"{{{'id' if name == 'pk' else name}}}", 1)
    return address.lstrip("/")


def fill_schema(schema: dict[str, Any], part: dict[str, Any]) -> object:
    """Make a value of a schema, with the word wherever it fits."""
    if "$ref" in part:
        return fill_schema(schema, schema["components"]["schemas"][part["$ref"].rsplit("/", 1)[1]])
    for several in ("allOf", "oneOf", "anyOf"):
        if several in part:
            return fill_schema(schema, part[several][0])
    kind = part.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if part.get("enum"):
        return part["enum"][0]
    if kind == "object" or "properties" in part:
        return {name: fill_schema(schema, each) for name, each in part.get("properties", {}).items()}
    if kind == "array":
        return [fill_schema(schema, part.get("items", {}))]
    if kind in ("integer", "number"):
        return part.get("minimum", 1)
    if kind == "boolean":
        return True
    known = {"date": BIRTH, "email": f"{WORD}@example.com", "uuid": "0" * 32, "password": f"{WORD}-9"}
    return "09:00" if "pattern" in part and "[01]" in part["pattern"] else known.get(str(part.get("format")), WORD)
