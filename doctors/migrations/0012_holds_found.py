from django.db import migrations, models

from config.db.migration_linter import AddIndexWhileServing


class Migration(migrations.Migration):
    # On PostgreSQL an index that is built beside writers stands in no transaction.
    atomic = False

    dependencies = [
        ("doctors", "0011_search_indexes"),
    ]

    operations = [
        AddIndexWhileServing(
            model_name="claim",
            index=models.Index(
                condition=models.Q(("expires_at__isnull", False)), fields=["secret_hash"], name="hold_of_secret"
            ),
        ),
        AddIndexWhileServing(
            model_name="claim",
            index=models.Index(
                condition=models.Q(("expires_at__isnull", False)),
                fields=["network", "expires_at"],
                name="holds_of_network",
            ),
        ),
    ]
