"""A doctor's profile and the rules of their calendar."""

from datetime import date, datetime
from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import connections, models, transaction
from django.db.models.functions import Lower, Replace, Upper
from django.utils import timezone

from accounts.models import AccountStatus, User
from config.api.errors import register_constraint
from config.countries import default_country
from doctors.models.schedule import WeeklyHours
from doctors.search_text import FOLDED, folded_columns
from doctors.slot_engine import Interval, expand_working_hours, summarize_working_hours
from doctors.weekly_hours import Span, Week, list_hours_by_day, summarize_week


class Specialization(models.TextChoices):
    CARDIOLOGY = "Cardiology"
    DERMATOLOGY = "Dermatology"
    ENDOCRINOLOGY = "Endocrinology"
    GASTROENTEROLOGY = "Gastroenterology"
    GENERAL_MEDICINE = "General Medicine"
    GYNECOLOGY = "Gynecology"
    NEUROLOGY = "Neurology"
    ONCOLOGY = "Oncology"
    OPHTHALMOLOGY = "Ophthalmology"
    ORTHOPEDICS = "Orthopedics"
    PEDIATRICS = "Pediatrics"
    PSYCHIATRY = "Psychiatry"
    PULMONOLOGY = "Pulmonology"
    RADIOLOGY = "Radiology"
    SURGERY = "Surgery"
    UROLOGY = "Urology"
    OTHER = "Other"


# The specification's shorter list for the search's filter, in its order.
FILTER_SPECIALIZATIONS = [
    "General Medicine",
    "Cardiology",
    "Dermatology",
    "Neurology",
    "Orthopedics",
    "Pediatrics",
    "Psychiatry",
    "Gynecology",
    "Ophthalmology",
    "Gastroenterology",
]


class Approval(models.TextChoices):
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    REVOKED = "revoked"


def license_key(number: str) -> Upper:
    """Spell a licence number in one way, in the database: capitals, without spaces, hyphens, full stops and slashes."""
    spelled: Any = models.F(number)
    for mark in " -./":
        spelled = Replace(spelled, models.Value(mark), models.Value(""))
    return Upper(spelled)


def listed(day: date, prefix: str = "") -> models.Q:
    """Say who can be found and booked on a date of UTC's: verified, active, with a licence that has not run out.

    `prefix` is the way to the doctor's profile, like `doctor__`.
    """
    unlimited = models.Q(**{f"{prefix}license_expires_on": None})
    return (unlimited | models.Q(**{f"{prefix}license_expires_on__gte": day})) & models.Q(
        **{
            f"{prefix}approval": Approval.APPROVED,
            f"{prefix}user__status": AccountStatus.ACTIVE,
            f"{prefix}user__ended_at": None,
        }
    )


# What the folded columns are made of, besides the name.
SEARCHED = {"specialization", "hospital_city"}
FOLD_BATCH_SIZE = 500


class DoctorQuerySet(models.QuerySet["DoctorProfile"]):
    def approved(self) -> "DoctorQuerySet":
        """Keep the doctors whom patients can find and book."""
        return self.filter(listed(timezone.now().date()))

    def on_cards(self) -> "DoctorQuerySet":
        """Bring along what a doctor's card shows: the person and the weekly hours, in two statements for any number."""
        hours = models.Prefetch("weekly_hours", queryset=WeeklyHours.objects.order_by("weekday", "start_minute"))
        return self.select_related("user").prefetch_related(hours)

    def update(self, **fields: Any) -> int:
        """Update, and keep up what is searched."""
        if not SEARCHED & set(fields):
            return super().update(**fields)
        with transaction.atomic(using=self.db):
            number = super().update(**fields)
            self.model.objects.using(self.db).fold_anew()
        return number

    def bulk_create(self, *args: Any, **kwargs: Any) -> list["DoctorProfile"]:
        """Create, and keep up what is searched."""
        with transaction.atomic(using=self.db):
            made = super().bulk_create(*args, **kwargs)
            self.model.objects.using(self.db).fold_anew()
        return made

    def fold_anew(self, pk: UUID | None = None) -> int:
        """Fold what is not folded, or only that doctor, in portions; return how many doctors."""
        waiting = self.filter(folded_by=None).order_by("pk")
        if pk is not None:
            waiting = waiting.filter(pk=pk)
        statement = (
            f"UPDATE doctors_doctorprofile SET {', '.join(f'{name} = %s' for name in FOLDED)}"  # noqa: S608 - our columns
            " WHERE user_id = %s AND folded_by IS NULL"
        )
        key, done = self.model._meta.pk, 0
        while True:
            rows = waiting.values_list("pk", "user__name", "specialization", "hospital_city")
            batch = list(rows[:FOLD_BATCH_SIZE])
            if not batch:
                return done
            values = [
                (*folded_columns(*texts).values(), key.get_db_prep_value(pk, connections[self.db]))
                for pk, *texts in batch
            ]
            with connections[self.db].cursor() as cursor:
                cursor.executemany(statement, values)
            done += len(batch)
            if len(batch) < FOLD_BATCH_SIZE:
                return done
            waiting = waiting.filter(pk__gt=batch[-1][0])


# Four weeks; a clinic that wants to hear earlier can choose "never".
MAX_CANCEL_CUTOFF_HOURS = 28 * 24


def default_cancel_cutoff() -> int:
    """Return the cancellation cutoff of doctors who have not chosen one, in hours."""
    return int(settings.DEFAULT_CANCEL_CUTOFF_HOURS)


# By the names of the indexes that give them; the key ends each.
ORDERS = {
    "found_experience": ["-experience"],
    "found_fee": ["consultation_fee"],
    "found_rating": ["-rating_average", "-rating_count"],
    "found_name": ["name_key"],
}
LOOKED_AT = ["search_text", "city_key", "specialization", "license_expires_on"]


class DoctorProfile(models.Model):
    """What only a doctor has. The primary key is the user's id."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="+")
    specialization = models.CharField(max_length=32, choices=Specialization.choices)
    experience = models.PositiveSmallIntegerField(help_text="Years.", validators=[MaxValueValidator(80)])
    license_number = models.CharField("licence number", max_length=64)
    # Who gave the licence, for where and until when; staff look at it, nobody else does.
    license_authority = models.CharField("licence authority", max_length=120, blank=True)
    license_region = models.CharField("licence region", max_length=100, blank=True)
    license_expires_on = models.DateField("licence expires on", null=True, blank=True)
    # How many days before that end the doctor was last warned.
    license_warned_days = models.PositiveSmallIntegerField("licence warned days", null=True, blank=True)
    consultation_fee = models.DecimalField(max_digits=8, decimal_places=2, validators=[MinValueValidator(0)])
    bio = models.TextField(max_length=2000, blank=True)
    hospital_name = models.CharField(max_length=200)
    hospital_street = models.CharField(max_length=200, blank=True)
    hospital_city = models.CharField(max_length=100, blank=True)
    hospital_state = models.CharField(max_length=100, blank=True)
    hospital_zip_code = models.CharField(max_length=20, blank=True)
    # A code of ISO 3166.
    hospital_country = models.CharField(max_length=2, blank=True, default=default_country, db_default="")
    # As `accounts.text.phone_numbers` stores one.
    hospital_phone = models.CharField(max_length=32, blank=True)

    approval = models.CharField(max_length=8, choices=Approval.choices, default=Approval.PENDING)
    approved_at = models.DateTimeField(null=True, blank=True)
    approval_reason = models.CharField(max_length=500, blank=True)

    rating_average = models.DecimalField(max_digits=3, decimal_places=2, default=0)
    rating_count = models.PositiveIntegerField(default=0)

    time_zone = models.CharField(max_length=64, default=settings.DEFAULT_TIME_ZONE)
    appointment_minutes = models.PositiveSmallIntegerField(default=60)
    buffer_minutes = models.PositiveSmallIntegerField(default=0)
    min_notice_minutes = models.PositiveIntegerField(default=0)
    max_days_ahead = models.PositiveSmallIntegerField(default=settings.MAX_DAYS_AHEAD)
    instant_confirmation = models.BooleanField(default=False)
    # Patients can cancel a confirmed appointment up to so many hours before; 0: until the start; null: never.
    cancel_cutoff_hours = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        default=default_cancel_cutoff,
        db_default=24,
        validators=[MaxValueValidator(MAX_CANCEL_CUTOFF_HOURS)],
    )
    # The next free time, kept beside the rules so that the directory can be ordered by it: its start, its date at
    # the clinic, and the moment at which it must be looked for again, since it can no longer be booked.
    next_free_at = models.DateTimeField(null=True, blank=True)
    next_free_date = models.DateField(null=True, blank=True)
    next_free_until = models.DateTimeField(null=True, blank=True)

    # What the directory is searched by. Only the first four are written by us (`doctors/search_text.py`); triggers keep
    # them from telling of another name, and put `is_listed` (`doctors/directory/search_index.py`).
    search_text = models.TextField(default="", db_default="", editable=False)
    name_key = models.BinaryField(null=True, editable=False)
    city_key = models.CharField(max_length=64, default="", db_default="", editable=False)
    # The name, specialization and city that these were made of, and by which version of the folding; null: not yet.
    folded_of = models.TextField(default="", db_default="", editable=False)
    folded_by = models.PositiveSmallIntegerField(null=True, editable=False)
    # Approved, and the account active: what `listed` asks for besides the licence's end, in one place for the indexes.
    is_listed = models.BooleanField(default=False, db_default=False, editable=False)

    objects = DoctorQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-experience", "pk"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(approval__in=Approval.values), name="doctor_approval_known"),
            models.CheckConstraint(condition=models.Q(consultation_fee__gte=0), name="doctor_fee_not_negative"),
            models.CheckConstraint(
                condition=models.Q(appointment_minutes__range=(5, 240)), name="doctor_appointment_minutes"
            ),
            # One licence, one listed doctor; however the number is spaced and the authority spelled.
            models.UniqueConstraint(
                license_key("license_number"),
                Lower("license_authority"),
                Lower("license_region"),
                condition=models.Q(approval="approved"),
                name="one_approved_doctor_per_license",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # The orders of the directory, each with all that a search looks at, so that neither engine reads the table
            # for what it passes by. Partial, since SQLite's planner passes over an index whose first column is a flag.
            *(
                models.Index(fields=[*order, "user", *LOOKED_AT], condition=models.Q(is_listed=True), name=name)
                for name, order in ORDERS.items()
            ),
            # With the moment it ends, so that times that have passed are skipped within the index.
            models.Index(
                fields=["next_free_at", "user", "next_free_until", "next_free_date", *LOOKED_AT],
                condition=models.Q(is_listed=True),
                name="found_next_free",
            ),
            models.Index(
                fields=["next_free_date", "next_free_until", "user"],
                condition=models.Q(is_listed=True),
                name="found_date",
            ),
            models.Index(
                fields=["specialization", "-experience", "user", "license_expires_on"],
                condition=models.Q(is_listed=True),
                name="found_specialization",
            ),
            # Seldom any: what the housekeeping refolds.
            models.Index(fields=["user"], condition=models.Q(folded_by=None), name="not_folded"),
            models.Index(
                fields=["license_expires_on"],
                condition=models.Q(approval="approved", license_expires_on__isnull=False),
                name="licenses_ending",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} · {self.specialization}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        written = kwargs.get("update_fields")
        if written is None or SEARCHED & set(written):
            folded = self.fold_search_columns()
            if written is not None:
                kwargs["update_fields"] = {*written, *folded}
        super().save(*args, **kwargs)

    def fold_search_columns(self) -> dict[str, Any]:
        """Set and return the columns by which the directory finds and sorts this doctor."""
        folded = folded_columns(self.user.name, self.specialization, self.hospital_city)
        for name, value in folded.items():
            setattr(self, name, value)
        return folded

    @property
    def is_approved(self) -> bool:
        """Return the specification's `isApproved`."""
        return self.approval == Approval.APPROVED

    @property
    def weekly(self) -> dict[int, tuple[Interval, ...]]:
        """The weekly hours as intervals by weekday."""
        weekly: dict[int, list[Interval]] = {}
        for row in self.weekly_hours.all():
            weekly.setdefault(row.weekday, []).append((row.start_minute, row.end_minute))
        return {day: tuple(sorted(spans)) for day, spans in weekly.items()}

    @property
    def week(self) -> Week:
        """The specification's working days and hours, from the weekly hours."""
        return summarize_week(tuple(self.weekly.items()))

    @property
    def hours_of_days(self) -> dict[str, list[Span]]:
        """The hours of each weekday by its name."""
        return list_hours_by_day(self.weekly)

    @property
    def has_uniform_hours(self) -> bool:
        """Return whether working days and hours say everything, so that writing them back loses no finer hours."""
        weekly = {day: spans for day, spans in self.weekly.items() if spans}
        days, span = summarize_working_hours(weekly)
        if span is None:
            return True
        return span[1] <= 24 * 60 and expand_working_hours(days, *span) == weekly

    @property
    def is_bookable(self) -> bool:
        """Return whether patients can find and book this doctor."""
        return self.is_approved and self.user.is_active and not self.license_has_expired(timezone.now())

    def license_has_expired(self, now: datetime) -> bool:
        """Return whether the licence has run out, judged by the UTC date as the directory does."""
        return self.license_expires_on is not None and self.license_expires_on < now.date()


register_constraint("license_taken", "one_approved_doctor_per_license", field="licenseNumber")
