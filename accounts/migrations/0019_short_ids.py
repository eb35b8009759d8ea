from django.db import migrations, models
from django.db.models.functions import Cast

from accounts.text.substring_search import ShortId
from config.db.migration_linter import AddIndexWhileServing


class Migration(migrations.Migration):
    # PostgreSQL builds an index concurrently only outside a transaction.
    atomic = False

    dependencies = [("accounts", "0018_folded_name_indexes")]

    operations = [
        AddIndexWhileServing(
            model_name="user",
            index=models.Index(ShortId(Cast("id", models.CharField())), name="user_short_id"),
        ),
        # SQLite could not use the earlier one.
        AddIndexWhileServing(
            model_name="auditevent",
            index=models.Index(ShortId("entity_id"), models.F("id").desc(), name="audit_of_id_end"),
        ),
        migrations.RemoveIndex(model_name="auditevent", name="audit_of_short_id"),
    ]
