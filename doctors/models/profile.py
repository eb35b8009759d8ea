"""Doctor profiles."""

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
from doctors.search_text import FOLDED_COLUMNS, build_folded_columns
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
    """Return a canonical license number as SQL: upper case, without spaces, hyphens, periods and slashes."""
    spelled: Any = models.F(number)
    for mark in " -./":
        spelled = Replace(spelled, models.Value(mark), models.Value(""))
    return Upper(spelled)


def listed_on(day: date, prefix: str = "") -> models.Q:
    """Return the condition for doctors who are listed on a UTC date: approved, active, with an unexpired license.

    `prefix` is the path to the doctor's profile, like `doctor__`.
    """
    unlimited = models.Q(**{f"{prefix}license_expires_on": None})
    return (unlimited | models.Q(**{f"{prefix}license_expires_on__gte": day})) & models.Q(
        **{
            f"{prefix}approval": Approval.APPROVED,
            f"{prefix}user__status": AccountStatus.ACTIVE,
            f"{prefix}user__ended_at": None,
        }
    )


# The sources of the folded columns, besides the name.
SEARCHED_FIELDS = {"specialization", "hospital_city"}
FOLD_BATCH_SIZE = 500


class DoctorQuerySet(models.QuerySet["DoctorProfile"]):
    def approved(self) -> "DoctorQuerySet":
        """Return the doctors whom patients can find and book."""
        return self.filter(listed_on(timezone.now().date()))

    def on_cards(self) -> "DoctorQuerySet":
        """Load user and weekly hours, in two queries for any number of doctors."""
        hours = models.Prefetch("weekly_hours", queryset=WeeklyHours.objects.order_by("weekday", "start_minute"))
        return self.select_related("user").prefetch_related(hours)

    def update(self, **fields: Any) -> int:
        """Update rows and their folded columns."""
        if not SEARCHED_FIELDS & set(fields):
            return super().update(**fields)
        with transaction.atomic(using=self.db):
            number = super().update(**fields)
            self.model.objects.using(self.db).fold_outdated()
        return number

    def bulk_create(self, *args: Any, **kwargs: Any) -> list["DoctorProfile"]:
        """Create rows with folded columns."""
        with transaction.atomic(using=self.db):
            made = super().bulk_create(*args, **kwargs)
            self.model.objects.using(self.db).fold_outdated()
        return made

    def fold_outdated(self, pk: UUID | None = None) -> int:
        """Fold the doctors with outdated columns, or only the one with this id, in batches; return how many."""
        waiting = self.filter(folded_by=None).order_by("pk")
        if pk is not None:
            waiting = waiting.filter(pk=pk)
        statement = (
            f"UPDATE doctors_doctorprofile SET {', '.join(f'{name} = %s' for name in FOLDED_COLUMNS)}"  # noqa: S608 - our columns
            " WHERE user_id = %s AND folded_by IS NULL"
        )
        key, done = self.model._meta.pk, 0
        while True:
            rows = waiting.values_list("pk", "user__name", "specialization", "hospital_city")
            batch = list(rows[:FOLD_BATCH_SIZE])
            if not batch:
                return done
            values = [
                (*build_folded_columns(*texts).values(), key.get_db_prep_value(pk, connections[self.db]))
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


# By the name of their index; the primary key is added to each.
ORDERS = {
    "found_experience": ["-experience"],
    "found_fee": ["consultation_fee"],
    "found_rating": ["-rating_average", "-rating_count"],
    "found_name": ["name_key"],
}
COVERED_COLUMNS = ["search_text", "city_key", "specialization", "license_expires_on"]


class DoctorProfile(models.Model):
    """The profile of a doctor. The primary key is the user's id."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="+")
    specialization = models.CharField(max_length=32, choices=Specialization.choices)
    experience = models.PositiveSmallIntegerField(help_text="Years.", validators=[MaxValueValidator(80)])
    license_number = models.CharField(max_length=64)
    # Only staff see these.
    license_authority = models.CharField(max_length=120, blank=True)
    license_region = models.CharField(max_length=100, blank=True)
    license_expires_on = models.DateField(null=True, blank=True)
    # How many days before the expiry the doctor was last warned.
    license_warned_days = models.PositiveSmallIntegerField(null=True, blank=True)
    consultation_fee = models.DecimalField(max_digits=8, decimal_places=2, validators=[MinValueValidator(0)])
    bio = models.TextField(max_length=2000, blank=True)
    hospital_name = models.CharField(max_length=200)
    hospital_street = models.CharField(max_length=200, blank=True)
    hospital_city = models.CharField(max_length=100, blank=True)
    hospital_state = models.CharField(max_length=100, blank=True)
    hospital_zip_code = models.CharField(max_length=20, blank=True)
    # A code of ISO 3166.
    hospital_country = models.CharField(max_length=2, blank=True, default=default_country, db_default="")
    # See `accounts.text.phone_numbers`.
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
    # Patients can cancel a confirmed appointment up to this many hours before; 0: until the start; null: never.
    cancel_cutoff_hours = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        default=default_cancel_cutoff,
        db_default=24,
        validators=[MaxValueValidator(MAX_CANCEL_CUTOFF_HOURS)],
    )
    # The next free time, stored so that the directory can be ordered by it: its start, its local date, and until when
    # it can be booked.
    next_free_at = models.DateTimeField(null=True, blank=True)
    next_free_date = models.DateField(null=True, blank=True)
    next_free_until = models.DateTimeField(null=True, blank=True)

    # The columns by which the directory is searched (`doctors/search_text.py`). Triggers reset them when the name
    # changes, and set `is_listed` (`doctors/directory/search_index.py`).
    search_text = models.TextField(default="", db_default="", editable=False)
    name_key = models.BinaryField(null=True, editable=False)
    city_key = models.CharField(max_length=64, default="", db_default="", editable=False)
    # The name, specialization and city from which these were made, and the version of the folding; null: outdated.
    folded_of = models.TextField(default="", db_default="", editable=False)
    folded_by = models.PositiveSmallIntegerField(null=True, editable=False)
    # Approved, and the account active: what `listed_on` asks for besides the license's end, in one place for the
    # indexes.
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
            # One listed doctor per license, regardless of spacing and case.
            models.UniqueConstraint(
                license_key("license_number"),
                Lower("license_authority"),
                Lower("license_region"),
                condition=models.Q(approval="approved"),
                name="one_approved_doctor_per_license",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # The orderings of the directory, each covering all columns of a search, so that neither engine reads the
            # table for skipped rows. Partial, because SQLite's planner ignores an index that begins with a flag.
            *(
                models.Index(fields=[*order, "user", *COVERED_COLUMNS], condition=models.Q(is_listed=True), name=name)
                for name, order in ORDERS.items()
            ),
            # With its end, so that past times are skipped within the index.
            models.Index(
                fields=["next_free_at", "user", "next_free_until", "next_free_date", *COVERED_COLUMNS],
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
            # Usually empty: the rows that housekeeping folds.
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
        if written is None or SEARCHED_FIELDS & set(written):
            folded = self.fold_search_columns()
            if written is not None:
                kwargs["update_fields"] = {*written, *folded}
        super().save(*args, **kwargs)

    def fold_search_columns(self) -> dict[str, Any]:
        """Set and return the columns by which the directory finds and sorts this doctor."""
        folded = build_folded_columns(self.user.name, self.specialization, self.hospital_city)
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
        """The specification's working days and hours."""
        return summarize_week(tuple(self.weekly.items()))

    @property
    def hours_of_days(self) -> dict[str, list[Span]]:
        """The hours of each weekday by its name."""
        return list_hours_by_day(self.weekly)

    @property
    def has_uniform_hours(self) -> bool:
        """Return whether working days and hours express the weekly hours completely."""
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
        """Return whether the license has expired by the UTC date, as in the directory."""
        return self.license_expires_on is not None and self.license_expires_on < now.date()


register_constraint("license_taken", "one_approved_doctor_per_license", field="licenseNumber")
