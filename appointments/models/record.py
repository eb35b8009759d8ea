"""Records of appointments, their drafts and attachments."""

from typing import ClassVar

from django.db import models

from accounts.models import User
from accounts.models.identifiers import new_id
from config.api.errors import register_constraint


class AppointmentRecord(models.Model):
    """One version of the record of an appointment. Versions are never changed.

    `prescription_items` is a list of `{medicine, dose, frequency, days}`, days a whole number or None.
    """

    appointment = models.ForeignKey("appointments.Appointment", on_delete=models.PROTECT, related_name="records")
    version = models.PositiveIntegerField(help_text="1 is the first.")
    written_at = models.DateTimeField()
    written_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    diagnosis = models.TextField(max_length=4000, blank=True)
    notes = models.TextField(max_length=4000, blank=True)
    prescription_notes = models.TextField(max_length=4000, blank=True)
    prescription_items = models.JSONField(default=list, blank=True)
    follow_up_days = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-version"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["appointment", "version"], name="one_record_per_version"),
        ]

    def __str__(self) -> str:
        return f"version {self.version} of {self.appointment_id}"


class RecordDraft(models.Model):
    """The unsaved record of an appointment; deleted when the record is saved."""

    appointment = models.OneToOneField(
        "appointments.Appointment", on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    # With the names in the API.
    content = models.JSONField(default=dict)
    # Increases with each save, so that two windows can't silently overwrite each other.
    revision = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"draft of {self.appointment_id}"


class Attachment(models.Model):
    """A file of an appointment's record. Removed ones are kept, but nobody can download them."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    appointment = models.ForeignKey("appointments.Appointment", on_delete=models.PROTECT, related_name="attachments")
    # The original name, for display only.
    name = models.CharField(max_length=120)
    content_type = models.CharField(max_length=32)
    size = models.PositiveIntegerField(help_text="Bytes.")
    sha256 = models.CharField(max_length=64)
    stored_as = models.CharField(max_length=120)
    added_at = models.DateTimeField()
    added_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["added_at", "id"]

    def __str__(self) -> str:
        # Not its name, which may reveal a diagnosis.
        return f"file of {self.appointment_id}"


# For concurrent requests.
register_constraint("record_changed", "one_record_per_version", "appointments_appointmentrecord.appointment_id")
