"""How the staff site writes dates and times."""

DATE_FORMAT = SHORT_DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "j M Y, H:i T"
YEAR_MONTH_FORMAT = "F Y"
MONTH_DAY_FORMAT = "j F"
