"""Who opened what was written about a visit: written down with each reading, shown to the patient."""

from collections.abc import Iterable

from accounts.models import Role, User
from accounts.trail import Action, record_each
from appointments.models import Appointment

READ = "record.read"
# The calls that show many visits at once; a row of theirs without clinical text tells its reader nothing.
LISTS = ("list", "history", "records", "dashboard")
# The calls that open one visit, or something of it.
SINGLE = ("visit", "versions", "prescription", "attachment")


def opened(visits: Iterable[Appointment], by: User, what: str) -> None:
    """Write down that a doctor was shown the clinical text of these visits, all in one insert.

    `what` is one of `LISTS` or `SINGLE`. Nothing is written of a patient, whose own text it is, nor of an admin,
    who is shown none.
    """
    if by.role != Role.DOCTOR:
        return
    shown = [visit.pk for visit in visits if what not in LISTS or visit.has_clinical_text]
    if shown:
        record_each(READ, Action.READ, "appointment", shown, by=by, detail={"what": what})
