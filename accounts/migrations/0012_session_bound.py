from django.db import migrations, models
from django.utils.crypto import salted_hmac


def bind(apps, schema_editor):
    """Bind what is open to the password and role of now, so that an update signs nobody out."""
    Session = apps.get_model("accounts", "Session")
    for session in Session.objects.filter(ended_at=None).select_related("user").iterator(chunk_size=500):
        ground = salted_hmac("accounts.session", f"{session.user.role}\0{session.user.password}").hexdigest()[:32]
        Session.objects.filter(pk=session.pk).update(bound_to=ground)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0011_stored_files"),
    ]

    operations = [
        migrations.AddField(
            model_name="session",
            name="bound_to",
            field=models.CharField(default="", editable=False, max_length=32),
            preserve_default=False,
        ),
        migrations.RunPython(bind, migrations.RunPython.noop),
    ]
