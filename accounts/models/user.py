"""People: patients, doctors and admins."""

from datetime import date
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models, transaction
from django.db.models.functions import Cast, Now
from django.dispatch import Signal
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models.identifiers import new_id
from accounts.text.email_addresses import canonical_email
from accounts.text.postal_addresses import join_address
from accounts.text.substring_search import FoldedTextField, ShortId, fold_missing_rows, fold_person
from config.api.errors import register_constraint
from config.countries import default_country


class Role(models.TextChoices):
    PATIENT = "patient"
    DOCTOR = "doctor"
    ADMIN = "admin"


class Gender(models.TextChoices):
    MALE = "male"
    FEMALE = "female"
    OTHER = "other"


class AccountStatus(models.TextChoices):
    ACTIVE = "active"
    INACTIVE = "inactive"


class BloodGroup(models.TextChoices):
    A_POSITIVE = "A+"
    A_NEGATIVE = "A-"
    B_POSITIVE = "B+"
    B_NEGATIVE = "B-"
    AB_POSITIVE = "AB+"
    AB_NEGATIVE = "AB-"
    O_POSITIVE = "O+"
    O_NEGATIVE = "O-"


# Sent after a bulk update of names; `post_save` covers single users.
people_renamed = Signal()


# The fields in `search_text`.
SEARCHED_FIELDS = {"name", "email", "ended_at"}


class UserQuerySet(models.QuerySet["User"]):
    def locked(self) -> "UserQuerySet":
        """Lock the rows until the transaction ends, without blocking foreign keys to them (ADR 0102)."""
        return self.select_for_update(no_key=True)

    def present(self) -> "UserQuerySet":
        """Return the accounts that are not closed."""
        return self.filter(ended_at=None)

    def active(self) -> "UserQuerySet":
        """Return the users who may sign in."""
        return self.present().filter(status=AccountStatus.ACTIVE)

    def update(self, **fields: Any) -> int:
        """Update rows and their `search_text`, as `save` does."""
        if not SEARCHED_FIELDS & set(fields):
            return super().update(**fields)
        with transaction.atomic(using=self.db):
            number = super().update(**fields, search_text=None)
            fold_missing_rows(self.model)
            if "name" in fields:
                people_renamed.send(sender=self.model)
        return number


class UserManager(BaseUserManager["User"]):
    def get_queryset(self) -> UserQuerySet:
        return UserQuerySet(self.model, using=self._db)

    def locked(self) -> UserQuerySet:
        return self.get_queryset().locked()

    def present(self) -> UserQuerySet:
        return self.get_queryset().present()

    def active(self) -> UserQuerySet:
        return self.get_queryset().active()

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=canonical_email(username or ""))

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a user with a hashed password; without one, nobody can sign in to the account."""
        user = self.model(email=email, **fields)
        user.set_password(password)
        user.save(using=self._db, force_insert=True)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create an admin who may do everything on the staff site."""
        fields = {"role": Role.ADMIN, "is_staff": True, "is_superuser": True, **fields}
        return self.create_user(email, password, **fields)


def build_picture_path(picture: str) -> str | None:
    """Return the URL path of a stored portrait, or None without one."""
    return f"{settings.MEDIA_URL}{picture}" if picture else None


class User(AbstractBaseUser, PermissionsMixin):
    """A patient, doctor or admin. The id is the user's `_id` in the API."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # Canonical, so that spellings with another case or Unicode form are the same account.
    email = models.EmailField(max_length=254)
    name = models.CharField(max_length=120)
    # See `accounts/text/phone_numbers.py`.
    phone = models.CharField(max_length=32, blank=True)
    gender = models.CharField(max_length=8, choices=Gender.choices, default=Gender.OTHER)
    date_of_birth = models.DateField(null=True, blank=True)
    role = models.CharField(max_length=8, choices=Role.choices)
    status = models.CharField(max_length=8, choices=AccountStatus.choices, default=AccountStatus.ACTIVE)
    # The language of messages; empty for the site's (`accounts/notifications/languages.py`).
    language = models.CharField(max_length=8, blank=True)
    # The storage name of the portrait, if there is one.
    picture = models.CharField(max_length=120, blank=True)
    created_at = models.DateTimeField(default=timezone.now, db_default=Now(), editable=False)
    agreed_to_privacy_at = models.DateTimeField(null=True, blank=True)
    # A new address, until it is confirmed by an emailed link.
    pending_email = models.EmailField(max_length=254, blank=True)
    # When the current address was confirmed by an emailed link.
    email_confirmed_at = models.DateTimeField(null=True, blank=True)
    # When the second step was enabled; see `accounts/credentials/mfa_status.py`.
    second_step_at = models.DateTimeField(null=True, blank=True)
    # When the account was closed. Its address is free again; the row stays.
    ended_at = models.DateTimeField(null=True, blank=True)
    is_staff = models.BooleanField(default=False)
    # See `accounts/text/substring_search.py`.
    search_text = FoldedTextField()

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        ordering: ClassVar[list[str]] = ["-created_at", "id"]
        # For staff who are no superusers.
        permissions = [
            ("stop_user", "Can deactivate and activate an account"),
            ("end_user", "Can delete an account"),
        ]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["email"], name="one_account_per_email"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="user_role_known"),
            models.CheckConstraint(condition=models.Q(status__in=AccountStatus.values), name="user_status_known"),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # The orderings of the list of users, with and without filters; the id breaks ties within the index.
            models.Index(fields=["-created_at", "-id"], name="user_created"),
            models.Index(fields=["role", "-created_at", "-id"], name="user_role_created"),
            models.Index(fields=["name", "id"], name="user_name"),
            # Partial, or SQLite would begin searches of the directory with all active users.
            models.Index(
                fields=["-created_at", "-id"], condition=models.Q(status="inactive"), name="user_stopped_created"
            ),
            models.Index(
                fields=["-created_at", "-id"], condition=models.Q(ended_at__isnull=False), name="user_ended_created"
            ),
            # Exact totals are counted in it, without reading the table.
            models.Index(fields=["role", "status", "id"], condition=models.Q(ended_at=None), name="user_totals"),
            # Usually empty: the rows that housekeeping folds.
            models.Index(fields=["id"], condition=models.Q(search_text=None), name="user_not_folded"),
            # The audit log shows and finds users without a name by the end of their id.
            models.Index(ShortId(Cast("id", models.CharField())), name="user_short_id"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.role})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.email = canonical_email(self.email)
        if (changed := kwargs.get("update_fields")) and SEARCHED_FIELDS & set(changed):
            kwargs["update_fields"] = {*changed, "search_text"}
        super().save(*args, **kwargs)

    def folded_text(self) -> str:
        """Return the value of `search_text`, without the address of a closed account."""
        return fold_person(self.name, "" if self.ended_at else self.email)

    @property
    def is_active(self) -> bool:  # type: ignore[override]  # Django's flag, from our two fields
        return self.status == AccountStatus.ACTIVE and self.ended_at is None

    def compute_session_digest(self) -> str:
        """Return a digest that changes with the password and role."""
        return salted_hmac("accounts.session", f"{self.role}\0{self.password}").hexdigest()[:32]

    @property
    def profile_picture(self) -> str | None:
        return build_picture_path(self.picture)

    def age_on(self, day: date) -> int | None:
        """Return the age in whole years on `day`; never negative, None without a birth date."""
        born = self.date_of_birth
        if born is None:
            return None
        return max(0, day.year - born.year - ((day.month, day.day) < (born.month, born.day)))


register_constraint("email_taken", "one_account_per_email", "accounts_user.email", field="email")


class PatientDetails(models.Model):
    """The home address and blood group of a patient."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="patient_details")
    street = models.CharField(max_length=200, blank=True)
    city = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=100, blank=True)
    zip_code = models.CharField(max_length=20, blank=True)
    # A code of ISO 3166.
    country = models.CharField(max_length=2, blank=True, default=default_country, db_default="")
    blood_group = models.CharField(max_length=3, choices=BloodGroup.choices, blank=True)

    class Meta:
        verbose_name_plural = "patient details"

    def __str__(self) -> str:
        return str(self.user)

    @property
    def address_line(self) -> str:
        """Return the address on one line."""
        return join_address(self.street, self.city, self.state, self.zip_code)
