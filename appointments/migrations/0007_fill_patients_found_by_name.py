from django.db import migrations
from django.db.models import Case, F, Max, OuterRef, Subquery, Value, When

BATCH = 10_000


def fill(apps, schema_editor):
    """Carry over by what patients are found; an account that has ended is not found by its address."""
    people = apps.get_model("accounts", "User").objects.filter(pk=OuterRef("patient_id"))
    address = Case(When(ended_at=None, then=F("email")), default=Value(""))
    pairs = apps.get_model("appointments", "PatientOfDoctor").objects
    # In batches, since a database ends statements that take long.
    for first in range(1, (pairs.aggregate(last=Max("pk"))["last"] or 0) + 1, BATCH):
        pairs.filter(pk__range=(first, first + BATCH - 1)).update(
            name=Subquery(people.values("name")),
            email=Subquery(people.annotate(address=address).values("address")),
            gender=Subquery(people.values("gender")),
        )


class Migration(migrations.Migration):
    dependencies = [("appointments", "0006_patients_found_by_name")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
