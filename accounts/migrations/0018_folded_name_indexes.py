import django.db.models.functions.text
from django.db import migrations, models

from config.db.migration_linter import AddIndexWhileServing


class Migration(migrations.Migration):
    # PostgreSQL builds an index concurrently only outside a transaction.
    atomic = False

    dependencies = [("accounts", "0017_folded_names")]

    operations = [
        AddIndexWhileServing(
            model_name="auditevent",
            index=models.Index(
                django.db.models.functions.text.Right("entity_id", 8),
                models.OrderBy(models.F("id"), descending=True),
                name="audit_of_short_id",
            ),
        ),
        AddIndexWhileServing(
            model_name="user",
            index=models.Index(condition=models.Q(("search_text", None)), fields=["id"], name="user_not_folded"),
        ),
    ]
