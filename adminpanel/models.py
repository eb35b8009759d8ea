"""What the operator publishes about the site."""

from typing import ClassVar

from django.core.validators import MaxLengthValidator, RegexValidator
from django.db import models

MAX_TEXT_LENGTH = 100_000


class SiteText(models.Model):
    """A text that staff write and everybody may read, in one language; a text of one kind may be in several."""

    class Kind(models.TextChoices):
        IMPRINT = "imprint", "Imprint"
        TERMS = "terms", "Terms of use"
        # In place of the text that comes with the pages.
        PRIVACY = "privacy", "Privacy policy"

    kind = models.CharField(max_length=16, choices=Kind.choices)
    language = models.CharField(
        max_length=12,
        default="en",
        validators=[RegexValidator(r"^[a-z]{2,3}(-[A-Z]{2})?\Z", "Enter a language code like en, de or pt-BR.")],
    )
    text = models.TextField(validators=[MaxLengthValidator(MAX_TEXT_LENGTH)])
    updated_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["kind", "language"]
        # For staff who are no superusers.
        permissions = [("edit_sitetext", "Can edit imprint, terms of use and privacy policy")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["kind", "language"], name="one_site_text_per_language"),
            models.CheckConstraint(condition=~models.Q(text=""), name="site_text_not_empty"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.language})"
