"""Store phone numbers in one form (E.164) and the country of each address.

A number that can't be read stays as it was written.
"""

from django.conf import settings
from django.db import migrations

from accounts.text.phone_numbers import parse_phone

BATCH = 1000


def store_in_one_form(apps, schema_editor):
    User = apps.get_model("accounts", "User")
    rows = User.objects.exclude(phone="").only("pk", "phone").order_by("pk")
    changed = []
    for row in rows.iterator(chunk_size=BATCH):
        try:
            stored = parse_phone(row.phone)
        except ValueError:
            continue
        if stored != row.phone:
            row.phone = stored
            changed.append(row)
        if len(changed) == BATCH:
            User.objects.bulk_update(changed, ["phone"])
            changed.clear()
    User.objects.bulk_update(changed, ["phone"])


def store_country(apps, schema_editor):
    PatientDetails = apps.get_model("accounts", "PatientDetails")
    keys = list(PatientDetails.objects.filter(country="").order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        PatientDetails.objects.filter(pk__in=keys[start : start + BATCH]).update(country=settings.DEFAULT_COUNTRY)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0015_countries")]

    operations = [
        migrations.RunPython(store_in_one_form, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(store_country, migrations.RunPython.noop, elidable=True),
    ]
