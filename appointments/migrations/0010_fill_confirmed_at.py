"""Take the moments of confirming that the trail knows over into the visits."""

from uuid import UUID

from django.db import migrations

BATCH = 1000


def fill(apps, schema_editor):
    AuditEvent = apps.get_model("accounts", "AuditEvent")
    Appointment = apps.get_model("appointments", "Appointment")
    rows = AuditEvent.objects.filter(event="appointment.confirmed", outcome="0").order_by("id")
    for event in rows.iterator(chunk_size=BATCH):
        Appointment.objects.filter(pk=UUID(event.entity_id), confirmed_at=None).update(confirmed_at=event.recorded_at)


class Migration(migrations.Migration):
    dependencies = [
        ("appointments", "0009_confirmed_at"),
        ("accounts", "0003_audit_seal"),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
