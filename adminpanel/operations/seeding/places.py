"""The demo's cities, which are real, and its clinics, which are invented."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from accounts.text.phone_numbers import parse_phone


@cache
def format_phone(pattern: str, number: int) -> str:
    """Return a phone number as it is stored; 100,000 people share a thousand of them."""
    return parse_phone(pattern.format(number))


@dataclass(frozen=True, slots=True)
class City:
    """A real city, with phone numbers that are reserved for fiction or can't be dialed there."""

    name: str
    state: str
    country: str
    time_zone: str
    phone_pattern: str

    def get_phone(self, number: int) -> str:
        """Return one of the city's hundred phone numbers."""
        return format_phone(self.phone_pattern, number % 100)


@dataclass(frozen=True, slots=True)
class Clinic:
    name: str
    street: str
    zip_code: str
    city: City


# The numbers are those that NANPA, Ofcom, ComReg, the Bundesnetzagentur and ACMA reserve for drama; in India and
# South Africa no subscriber's number begins with a zero.
CITIES: Mapping[str, City] = {
    city.name: city
    for city in (
        City("New York", "NY", "US", "America/New_York", "+1 212 555 01{:02}"),
        City("Chicago", "IL", "US", "America/Chicago", "+1 312 555 01{:02}"),
        City("Los Angeles", "CA", "US", "America/Los_Angeles", "+1 213 555 01{:02}"),
        City("Toronto", "ON", "CA", "America/Toronto", "+1 416 555 01{:02}"),
        City("London", "England", "GB", "Europe/London", "+44 20 7946 00{:02}"),
        City("Dublin", "Leinster", "IE", "Europe/Dublin", "+353 20 910 00{:02}"),
        City("Berlin", "Berlin", "DE", "Europe/Berlin", "+49 30 23125 0{:02}"),
        City("Mumbai", "Maharashtra", "IN", "Asia/Kolkata", "+91 22 0000 00{:02}"),
        City("Sydney", "NSW", "AU", "Australia/Sydney", "+61 2 5550 00{:02}"),
        City("Cape Town", "Western Cape", "ZA", "Africa/Johannesburg", "+27 21 000 00{:02}"),
    )
}

CLINICS: Mapping[str, Clinic] = {
    "larkspur": Clinic("Larkspur Street Clinic", "12 Larkspur Street", "10019", CITIES["New York"]),
    "lantern": Clinic("Lantern Row Medical Center", "200 Lantern Row", "10021", CITIES["New York"]),
    "prairie": Clinic("Prairie Window Health", "45 Prairie Walk", "60601", CITIES["Chicago"]),
    "orange": Clinic("Orange Blossom Family Practice", "610 Poppy Drive", "90012", CITIES["Los Angeles"]),
    "maple": Clinic("Maple Lane Medical Centre", "30 Maple Lane", "M5V 0A1", CITIES["Toronto"]),
    "marigold": Clinic("Marigold Yard Surgery", "1 Marigold Yard", "N1 0AA", CITIES["London"]),
    "bridges": Clinic("Three Bridges Clinic", "18 Thimble Road", "E2 0CC", CITIES["London"]),
    "harbourlight": Clinic("Harbourlight Clinic", "6 Heron Quay", "D04 X111", CITIES["Dublin"]),
    "laterne": Clinic("Praxis zur Laterne", "Laternenweg 3", "10115", CITIES["Berlin"]),
    "banyan": Clinic("Banyan Court Clinic", "9 Banyan Court", "400001", CITIES["Mumbai"]),
    "wattle": Clinic("Wattle Bay Medical Centre", "14 Wattle Bay Parade", "2000", CITIES["Sydney"]),
    "kelp": Clinic("Kelp Cove Clinic", "22 Kelp Cove Road", "8001", CITIES["Cape Town"]),
}
