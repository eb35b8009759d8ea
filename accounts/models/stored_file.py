"""Stored files that no row references."""

from django.db import models


class StrayFile(models.Model):
    """A stored file that no row references, or not yet."""

    id = models.BigAutoField(primary_key=True)
    # A key of the setting STORAGES.
    storage = models.CharField(max_length=24)
    name = models.CharField(max_length=255)
    # When it will be deleted.
    due_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["storage", "name"], name="a_file_strays_once"),)

    def __str__(self) -> str:
        return f"{self.storage}: {self.name}"
