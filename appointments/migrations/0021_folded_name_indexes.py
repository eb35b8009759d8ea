from django.db import migrations, models

from config.db.migration_linter import AddIndexWhileServing


class Migration(migrations.Migration):
    # PostgreSQL builds an index concurrently only outside a transaction.
    atomic = False

    dependencies = [("appointments", "0020_folded_names")]

    operations = [
        AddIndexWhileServing(
            model_name="appointment",
            index=models.Index(condition=models.Q(("people_text", None)), fields=["id"], name="appointment_not_folded"),
        ),
        AddIndexWhileServing(
            model_name="patientofdoctor",
            index=models.Index(condition=models.Q(("search_text", None)), fields=["id"], name="patients_not_folded"),
        ),
    ]
