from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("doctors", "0019_drop_public_change_triggers"),
    ]

    operations = [
        migrations.DeleteModel(name="PublicChange"),
    ]
