"""Take the moments of completing that the audit trail knows over into the appointments."""

from uuid import UUID

from django.db import migrations

BATCH = 1000


def fill(apps, schema_editor):
    AuditEvent = apps.get_model("accounts", "AuditEvent")
    Appointment = apps.get_model("appointments", "Appointment")
    rows = AuditEvent.objects.filter(event="appointment.completed", outcome="0").order_by("id")
    for event in rows.iterator(chunk_size=BATCH):
        completed = Appointment.objects.filter(pk=UUID(event.entity_id), status="completed", completed_at=None)
        completed.update(completed_at=event.recorded_at)


class Migration(migrations.Migration):
    dependencies = [
        ("appointments", "0012_undo_and_reopen"),
        ("accounts", "0003_audit_seal"),
    ]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
