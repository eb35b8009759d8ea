"""Hostile values for each field of a doctor's registration."""

from typing import Any

TEXT = ["\x00", "a\x00b", "\ud800", "x" * 60_000, ["a"], {"a": 1}, 5, True]


LINE = [*TEXT, "left\u202eright", "two\nlines", "a\u200eb"]


HOSTILE: dict[str, list[Any]] = {
    "specialization": ["Magic", "cardiology", [], {}, 5, "\x00", "Cardiology\x00"],
    "experience": [-1, 81, 2.5, "two", [], {}, "NaN", 1e400, "9" * 1000],
    "licenseNumber": [*LINE, "x" * 65],
    "consultationFee": [-0.01, "-1", 1.005, "NaN", "Infinity", 10**9, "free", [], {}, True],
    "hospital": ["", "Example", [], 5, {}],
    "workingDays": ["monday", ["Monday"], ["someday"], [1], {"monday": True}, [["monday"]], 5],
    "workingHours": [
        "09:00", [], {"start": "09:00"}, {"start": "18:00", "end": "09:00"}, {"start": "9:00", "end": "10:00"},
        {"start": "09:00", "end": "09:00"}, {"start": "13:00", "end": "14:00"}, {"start": "09:00:30", "end": "17:00"},
    ],
    "bio": [*TEXT, "x" * 2001, "left\u202eright"],
    "timeZone": ["Mars/Olympus", "../../etc/passwd", "x" * 100, "\x00", 5, [], "localtime"],
    "email": ["", "a", "a@b", "a@example.com\x00", "a b@example.com", ["a@example.com"], "x" * 300 + "@example.com", 5],
    "name": ["", " ", *LINE, "<b>Dora</b>", "Dora 😀", "…"],
    "role": ["patient", "admin", "", [], 5],
    "agreedToPrivacy": [False, None, "yes", 1],
}  # fmt: skip
