from django.db import migrations

POSTGRESQL_FUNCTIONS = (
    "public_times_changed",
    "public_profiles_came_or_went",
    "public_profile_changed",
    "public_person_changed",
)


def drop_triggers(apps, schema_editor):
    with schema_editor.connection.cursor() as cursor:
        if schema_editor.connection.vendor == "postgresql":
            for function in POSTGRESQL_FUNCTIONS:
                # With the triggers that call it.
                cursor.execute(f"DROP FUNCTION IF EXISTS {function}() CASCADE")
            return
        cursor.execute(r"SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'public\_%' ESCAPE '\'")
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP TRIGGER {name}")


class Migration(migrations.Migration):
    dependencies = [
        ("doctors", "0018_held_times"),
    ]

    operations = [
        migrations.RunPython(drop_triggers, migrations.RunPython.noop),
    ]
