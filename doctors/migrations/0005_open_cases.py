from django.db import migrations
from django.utils import timezone

from accounts.models.identifiers import new_id


def open_cases(apps, schema_editor):
    """Give every doctor who waits for approval the case that a registration now opens."""
    case = apps.get_model("doctors", "Verification")
    waiting = apps.get_model("doctors", "DoctorProfile").objects.filter(approval="pending", user__ended_at=None)
    case.objects.bulk_create(
        [
            case(
                id=new_id(),
                doctor=doctor,
                submitted_at=doctor.user.created_at or timezone.now(),
                specialization=doctor.specialization,
                license_number=doctor.license_number,
            )
            for doctor in waiting.select_related("user")
        ],
        batch_size=1_000,
    )


class Migration(migrations.Migration):
    dependencies = [("doctors", "0004_verification")]

    operations = [migrations.RunPython(open_cases, migrations.RunPython.noop)]
