from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("appointments", "0021_folded_name_indexes"),
    ]

    operations = [
        migrations.AddField(
            model_name="appointment",
            name="cancel_reply",
            field=models.CharField(blank=True, db_default="", default="", max_length=500),
        ),
    ]
