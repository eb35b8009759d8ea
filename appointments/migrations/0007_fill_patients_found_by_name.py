from django.db import migrations
from django.db.models import Case, F, OuterRef, Subquery, Value, When


def fill(apps, schema_editor):
    """Carry over by what patients are found; an account that has ended is not found by its address."""
    people = apps.get_model("accounts", "User").objects.filter(pk=OuterRef("patient_id"))
    address = Case(When(ended_at=None, then=F("email")), default=Value(""))
    apps.get_model("appointments", "PatientOfDoctor").objects.update(
        name=Subquery(people.values("name")),
        email=Subquery(people.annotate(address=address).values("address")),
        gender=Subquery(people.values("gender")),
    )


class Migration(migrations.Migration):
    dependencies = [("appointments", "0006_patients_found_by_name")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
