"""Keep by which channels each kind of notices is wanted, where only "not by mail" was kept."""

from typing import Any

from django.db import migrations, models


def to_channels(apps: Any, schema_editor: Any) -> None:
    settings = apps.get_model("accounts", "NoticeSettings")
    for chosen in settings.objects.exclude(off=[]).iterator():
        chosen.channels = {kind: [] for kind in chosen.off}
        chosen.save(update_fields=["channels"])


def to_off(apps: Any, schema_editor: Any) -> None:
    settings = apps.get_model("accounts", "NoticeSettings")
    for chosen in settings.objects.exclude(channels={}).iterator():
        chosen.off = sorted(kind for kind, channels in chosen.channels.items() if "email" not in channels)
        chosen.save(update_fields=["off"])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0008_links_and_settings"),
    ]

    operations = [
        migrations.AddField(
            "user", "language", models.CharField(blank=True, default="", max_length=8), preserve_default=False
        ),
        migrations.AddField("noticesettings", "channels", models.JSONField(blank=True, default=dict)),
        migrations.RunPython(to_channels, to_off),
        migrations.RemoveField("noticesettings", "off"),
        migrations.RemoveIndex("notice", "notice_of_state"),
        migrations.AddIndex("notice", models.Index(fields=["state", "channel", "due_at", "id"], name="notice_due")),
    ]
