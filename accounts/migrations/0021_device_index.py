from django.db import migrations, models

from config.db.migration_linter import AddIndexWhileServing


class Migration(migrations.Migration):
    # PostgreSQL builds an index concurrently only outside a transaction.
    atomic = False

    dependencies = [("accounts", "0020_device_and_address_kinds")]

    operations = [
        AddIndexWhileServing(model_name="session", index=models.Index(fields=["device"], name="session_of_device")),
    ]
