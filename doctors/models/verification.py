"""Verification of a doctor's license by staff."""

from typing import Any, ClassVar

from django.db import models

from accounts.models import User
from accounts.models.identifiers import new_id
from doctors.models.profile import DoctorProfile


class CaseState(models.TextChoices):
    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    # Not an application: staff revoked an approval.
    REVOKED = "revoked"


# What staff check before a doctor is listed, in the order of the case page.
CHECKLIST = ("identity", "license", "register", "specialization")


class Verification(models.Model):
    """One application of a doctor to be listed: the claimed license, the evidence, and the decision of staff.

    Never deleted; the license is a copy, so that later changes of the profile don't affect it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    doctor = models.ForeignKey(DoctorProfile, on_delete=models.PROTECT, related_name="verifications")
    submitted_at = models.DateTimeField()
    # Increases with each change of the open case, so that staff can't decide about evidence that they have not seen.
    revision = models.PositiveIntegerField(default=1)
    message = models.TextField(max_length=2000, blank=True, help_text="In the doctor's own words.")
    specialization = models.CharField(max_length=32)
    license_number = models.CharField(max_length=64)
    license_authority = models.CharField(max_length=120, blank=True)
    license_region = models.CharField(max_length=100, blank=True)
    license_expires_on = models.DateField(null=True, blank=True)
    # The evidence; all empty without one.
    document_name = models.CharField(max_length=120, blank=True)
    document_type = models.CharField(max_length=32, blank=True)
    document_size = models.PositiveIntegerField(default=0, help_text="Bytes.")
    document_sha256 = models.CharField(max_length=64, blank=True)
    document_stored_as = models.CharField(max_length=120, blank=True)

    state = models.CharField(max_length=9, choices=CaseState.choices, default=CaseState.OPEN)
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(User, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    reason = models.CharField(max_length=500, blank=True, help_text="The doctor reads it.")
    note = models.TextField(max_length=2000, blank=True, help_text="Staff alone read it.")
    # {"identity": true, …}: what was checked; see CHECKLIST.
    checklist = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-submitted_at", "-id"]
        # For staff who are no superusers.
        permissions = [("decide_verification", "Can approve, reject and revoke doctors")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["doctor"], condition=models.Q(state="open"), name="one_open_case_per_doctor"
            ),
            models.CheckConstraint(condition=models.Q(state__in=CaseState.values), name="case_state_known"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["submitted_at"], condition=models.Q(state="open"), name="cases_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.license_number}, {self.state}"

    @property
    def document(self) -> dict[str, Any] | None:
        """Return name, type and size in bytes of the evidence, or None."""
        if not self.document_stored_as:
            return None
        return {"name": self.document_name, "content_type": self.document_type, "size": self.document_size}
