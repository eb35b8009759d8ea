import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q

import accounts.models


class Migration(migrations.Migration):
    dependencies = [("doctors", "0016_phones_in_one_form")]

    operations = [
        migrations.CreateModel(
            name="Absence",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=accounts.models.identifiers.new_id, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("from_date", models.DateField()),
                ("from_minute", models.PositiveSmallIntegerField()),
                ("to_date", models.DateField()),
                ("to_minute", models.PositiveSmallIntegerField()),
                ("reason", models.CharField(blank=True, max_length=200)),
                (
                    "doctor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="absences",
                        to="doctors.doctorprofile",
                    ),
                ),
            ],
            options={
                "ordering": ["doctor", "from_date", "from_minute"],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(from_minute__lt=1440, to_minute__lte=1440)
                        & (Q(to_date__gt=F("from_date")) | Q(to_date=F("from_date"), to_minute__gt=F("from_minute"))),
                        name="absence_forwards",
                    )
                ],
                "indexes": [models.Index(fields=["doctor", "to_date"], name="absences_of_doctor")],
            },
        ),
        # Hours may run past midnight. Every row that the old constraint let in passes the new one.
        migrations.RemoveConstraint(model_name="weeklyhours", name="weekly_hours_in_a_day"),
        migrations.AddConstraint(
            model_name="weeklyhours",
            constraint=models.CheckConstraint(
                condition=Q(
                    weekday__lte=6,
                    start_minute__lt=1440,
                    end_minute__lte=F("start_minute") + 1440,
                    end_minute__gt=F("start_minute"),
                ),
                name="weekly_hours_begin_in_a_day",
            ),
        ),
    ]
