"""Stored files that no row names."""

from django.db import models


class StrayFile(models.Model):
    """A stored file that no row names, or not yet."""

    id = models.BigAutoField(primary_key=True)
    # A key of the setting STORAGES.
    storage = models.CharField(max_length=24)
    name = models.CharField(max_length=255)
    # From then on it is to be deleted.
    due_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["storage", "name"], name="a_file_strays_once"),)

    def __str__(self) -> str:
        return f"{self.storage}: {self.name}"
