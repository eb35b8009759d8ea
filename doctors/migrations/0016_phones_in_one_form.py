"""Store phone numbers in one form (E.164) and the country of each address.

A number that can't be read stays as it was written.
"""

from django.conf import settings
from django.db import migrations

from accounts.text.phone_numbers import parse_phone

BATCH = 1000


def store_in_one_form(apps, schema_editor):
    DoctorProfile = apps.get_model("doctors", "DoctorProfile")
    rows = DoctorProfile.objects.exclude(hospital_phone="").only("pk", "hospital_phone").order_by("pk")
    changed = []
    for row in rows.iterator(chunk_size=BATCH):
        try:
            stored = parse_phone(row.hospital_phone)
        except ValueError:
            continue
        if stored != row.hospital_phone:
            row.hospital_phone = stored
            changed.append(row)
        if len(changed) == BATCH:
            DoctorProfile.objects.bulk_update(changed, ["hospital_phone"])
            changed.clear()
    DoctorProfile.objects.bulk_update(changed, ["hospital_phone"])


def store_country(apps, schema_editor):
    DoctorProfile = apps.get_model("doctors", "DoctorProfile")
    keys = list(DoctorProfile.objects.filter(hospital_country="").order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), BATCH):
        DoctorProfile.objects.filter(pk__in=keys[start : start + BATCH]).update(
            hospital_country=settings.DEFAULT_COUNTRY
        )


class Migration(migrations.Migration):
    dependencies = [("doctors", "0015_countries")]

    operations = [
        migrations.RunPython(store_in_one_form, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(store_country, migrations.RunPython.noop, elidable=True),
    ]
