from django.db import migrations
from django.db.models import Max, Min, Q

BATCH = 2_000


def fill(apps, schema_editor):
    """Carry over what visits said before: who came, what was written, who is whose patient."""
    visits = apps.get_model("appointments", "Appointment").objects
    visits.filter(status="completed", attended=None).update(attended=True)

    record = apps.get_model("appointments", "VisitRecord")
    written = visits.filter(record_version=0).exclude(Q(diagnosis="") & Q(doctor_notes="") & Q(prescription_notes=""))
    batch = []
    for visit in written.iterator(chunk_size=BATCH):
        visit.record_version, visit.recorded_at = 1, visit.updated_at
        batch.append(visit)
        if len(batch) == BATCH:
            first_versions(visits, record, batch)
            batch = []
    first_versions(visits, record, batch)

    pair = apps.get_model("appointments", "PatientOfDoctor")
    pairs = (
        visits.order_by().values("doctor_id", "patient_id").annotate(first=Min("created_at"), last=Max("created_at"))
    )
    pair.objects.bulk_create(
        [
            pair(
                doctor_id=one["doctor_id"],
                patient_id=one["patient_id"],
                since=one["first"],
                last_booked_at=one["last"],
            )
            for one in pairs
        ],
        batch_size=BATCH,
        ignore_conflicts=True,
    )


def first_versions(visits, record, batch):
    """Make what was written so far each visit's first version."""
    record.objects.bulk_create(
        record(
            appointment_id=visit.pk,
            version=1,
            written_at=visit.recorded_at,
            written_by_id=visit.doctor_id,
            diagnosis=visit.diagnosis,
            notes=visit.doctor_notes,
            prescription_notes=visit.prescription_notes,
        )
        for visit in batch
    )
    visits.bulk_update(batch, ["record_version", "recorded_at"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("appointments", "0003_record_and_patients")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
