"""Postal addresses on one line, as in the simple profile form."""

import re

# Its first word holds a digit: "02108", "SW1A 1AA", "M5V 0A1", "1012 AB", "02108-1234".
ZIP = r"(?=[A-Z]*[0-9])[A-Z0-9]{2,7}(?:[ -][A-Z0-9]{2,4})?"
STATE_AND_ZIP = re.compile(rf"(?:(?P<state>.*?)\s+)??(?P<zip>{ZIP})", re.ASCII)
ZIP_AND_CITY = re.compile(r"(?P<zip>[0-9]{4,5})\s+(?P<city>\D+)", re.ASCII)


def join_address(street: str, city: str, state: str, zip_code: str) -> str:
    """Return an address on one line, like "12 Elm Street, Boston, MA 02116"."""
    return ", ".join(part for part in (street, city, f"{state} {zip_code}".strip()) if part)


def split_address(line: str) -> dict[str, str]:
    """Return the parts that a line contains, of `street`, `city`, `state` and `zip_code`.

    It may be "street, city, state zip", with any number of commas within the street, or "street, zip city".
    """
    *street_parts, last = [part for part in (" ".join(part.split()) for part in line.split(",")) if part] or [""]
    if not street_parts:
        return {"street": last} if last else {}
    if match := ZIP_AND_CITY.fullmatch(last):
        return {"street": ", ".join(street_parts), "city": match["city"], "zip_code": match["zip"]}
    match = STATE_AND_ZIP.fullmatch(last)
    if match is None:
        # With two parts, the last one is the city; with more, it is the state.
        return (
            build_parts(street_parts, city=last)
            if len(street_parts) == 1
            else build_parts(street_parts[:-1], city=street_parts[-1], state=last)
        )
    if match["state"] is None and len(street_parts) > 2:
        return build_parts(street_parts[:-2], city=street_parts[-2], state=street_parts[-1], zip_code=match["zip"])
    city = {"city": street_parts.pop()} if len(street_parts) > 1 else {}
    state = {"state": match["state"]} if match["state"] else {}
    return build_parts(street_parts, **city, **state, zip_code=match["zip"])


def build_parts(street: list[str], **parts: str) -> dict[str, str]:
    return {"street": ", ".join(street), **parts}
