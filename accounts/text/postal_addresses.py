"""A postal address on one line, as the simple profile form sends it."""

import re

# Its first word holds a digit: "02108", "SW1A 1AA", "M5V 0A1", "1012 AB", "02108-1234".
ZIP = r"(?=[A-Z]*[0-9])[A-Z0-9]{2,7}(?:[ -][A-Z0-9]{2,4})?"
STATE_AND_ZIP = re.compile(rf"(?:(?P<state>.*?)\s+)??(?P<zip>{ZIP})", re.ASCII)
ZIP_AND_CITY = re.compile(r"(?P<zip>[0-9]{4,5})\s+(?P<city>\D+)", re.ASCII)


def join_address(street: str, city: str, state: str, zip_code: str) -> str:
    """Return an address on one line, like "12 Elm Street, Boston, MA 02116"."""
    return ", ".join(part for part in (street, city, f"{state} {zip_code}".strip()) if part)


def split_address(line: str) -> dict[str, str]:
    """Return the parts that a line names: `street`, `city`, `state`, `zip_code`; a part that it doesn't name is absent.

    Reads "street, city, state zip", with any number of commas within the street, and "street, zip city".
    """
    *first, last = [part for part in (" ".join(part.split()) for part in line.split(",")) if part] or [""]
    if not first:
        return {"street": last} if last else {}
    if written := ZIP_AND_CITY.fullmatch(last):
        return {"street": ", ".join(first), "city": written["city"], "zip_code": written["zip"]}
    written = STATE_AND_ZIP.fullmatch(last)
    if written is None:
        # The last part is the city of two, the state of more.
        return named(first, city=last) if len(first) == 1 else named(first[:-1], city=first[-1], state=last)
    if written["state"] is None and len(first) > 2:
        return named(first[:-2], city=first[-2], state=first[-1], zip_code=written["zip"])
    city = {"city": first.pop()} if len(first) > 1 else {}
    state = {"state": written["state"]} if written["state"] else {}
    return named(first, **city, **state, zip_code=written["zip"])


def named(street: list[str], **parts: str) -> dict[str, str]:
    return {"street": ", ".join(street), **parts}
