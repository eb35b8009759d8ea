from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("appointments", "0004_fill_record_and_patients")]

    operations = [
        migrations.AddConstraint(
            model_name="appointment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("attended__isnull", False), ("status", "completed")),
                    models.Q(models.Q(("status", "completed"), _negated=True), ("attended__isnull", True)),
                    _connector="OR",
                ),
                name="attended_once_completed",
            ),
        ),
    ]
