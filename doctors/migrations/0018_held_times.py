import django.db.models.deletion
from django.db import migrations, models

from config.db.migration_linter import AddIndexWhileServing


class Migration(migrations.Migration):
    # On PostgreSQL an index that is built beside writers stands in no transaction.
    atomic = False

    dependencies = [("doctors", "0017_night_hours_and_absences")]

    operations = [
        migrations.AddField(
            model_name="claim",
            name="renewable_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        AddIndexWhileServing(
            model_name="claim",
            index=models.Index(
                condition=models.Q(("network", ""), _negated=True), fields=["starts_at"], name="claims_with_network"
            ),
        ),
        migrations.CreateModel(
            name="HeldTime",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("starts_at", models.DateTimeField()),
                (
                    "holder",
                    models.CharField(help_text="The hash of a person's id or of a network.", max_length=64),
                ),
                (
                    "held_seconds",
                    models.PositiveIntegerField(help_text="In all, with shorter breaks left out."),
                ),
                ("ended_at", models.DateTimeField(help_text="When the last hold ended.")),
                (
                    "doctor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="doctors.doctorprofile"
                    ),
                ),
            ],
            options={
                "verbose_name": "held time",
                "ordering": ["starts_at"],
                "indexes": [models.Index(fields=["ended_at"], name="held_times_ended")],
                "constraints": [
                    models.UniqueConstraint(fields=("doctor", "starts_at", "holder"), name="one_held_time_per_holder")
                ],
            },
        ),
    ]
