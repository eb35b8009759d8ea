"""A doctor's profile and calendar: the rules of availability and what is taken."""

import hashlib
from datetime import date, datetime
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import connections, models, transaction
from django.db.models.functions import Lower, Now, Replace, Upper
from django.utils import timezone

from accounts.models import AccountStatus, User, new_id
from config.errors import register_constraint
from doctors.folded import FOLDED, folded_columns
from doctors.free_times import Interval, working_hours_of


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

WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class Span(NamedTuple):
    """From when to when, as `HH:MM`."""

    start: str
    end: str


class Week(NamedTuple):
    """The specification's working days and hours: names of days, and from the first start to the last end of all."""

    days: tuple[str, ...]
    hours: Span | None


@lru_cache(maxsize=1024)
def week_of(weekly: tuple[tuple[int, tuple[Interval, ...]], ...]) -> Week:
    """Answer what weekly hours come to; many doctors have the same."""
    days, span = working_hours_of(dict(weekly))
    return Week(tuple(WEEKDAYS[day] for day in days), Span(clock(span[0]), clock(span[1])) if span else None)


def minute_of(text: str) -> int:
    """Answer the minute of the day of `HH:MM`."""
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def clock(minute: int) -> str:
    """Write a minute of the day as `HH:MM`."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


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
FOLD_BATCH = 500


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
        """Fold what is not folded, or only that doctor, in portions; answers how many doctors."""
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
            batch = list(rows[:FOLD_BATCH])
            if not batch:
                return done
            values = [
                (*folded_columns(*texts).values(), key.get_db_prep_value(pk, connections[self.db]))
                for pk, *texts in batch
            ]
            with connections[self.db].cursor() as cursor:
                cursor.executemany(statement, values)
            done += len(batch)
            if len(batch) < FOLD_BATCH:
                return done
            waiting = waiting.filter(pk__gt=batch[-1][0])


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
    hospital_phone = models.CharField(max_length=32, blank=True)

    approval = models.CharField(max_length=8, choices=Approval.choices, default=Approval.PENDING)
    approved_at = models.DateTimeField(null=True, blank=True)
    approval_reason = models.CharField(max_length=500, blank=True)

    rating_average = models.DecimalField(max_digits=3, decimal_places=2, default=0)
    rating_count = models.PositiveIntegerField(default=0)

    time_zone = models.CharField(max_length=64, default=settings.DEFAULT_TIME_ZONE)
    visit_minutes = models.PositiveSmallIntegerField(default=60)
    buffer_minutes = models.PositiveSmallIntegerField(default=0)
    min_notice_minutes = models.PositiveIntegerField(default=0)
    max_days_ahead = models.PositiveSmallIntegerField(default=settings.MAX_DAYS_AHEAD)
    instant_confirmation = models.BooleanField(default=False)
    # The next free time, kept beside the rules so that the directory can be ordered by it: its start, its date at
    # the clinic, and the moment at which it must be looked for again, since it can no longer be booked.
    next_free_at = models.DateTimeField(null=True, blank=True)
    next_free_date = models.DateField(null=True, blank=True)
    next_free_until = models.DateTimeField(null=True, blank=True)

    # What the directory is searched by. Only the first four are written by us (`doctors/folded.py`); triggers keep
    # them from telling of another name, and put `is_listed` (`doctors/search_index.py`).
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
            models.CheckConstraint(condition=models.Q(visit_minutes__range=(5, 240)), name="doctor_visit_minutes"),
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
            # Seldom any: what the housekeeping makes anew.
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
            folded = folded_columns(self.user.name, self.specialization, self.hospital_city)
            for name, value in folded.items():
                setattr(self, name, value)
            if written is not None:
                kwargs["update_fields"] = {*written, *folded}
        super().save(*args, **kwargs)

    @property
    def is_approved(self) -> bool:
        """Tell the specification's `isApproved`."""
        return self.approval == Approval.APPROVED

    @property
    def week(self) -> Week:
        """Tell working days and hours, from the weekly hours."""
        weekly: dict[int, list[Interval]] = {}
        for row in self.weekly_hours.all():
            weekly.setdefault(row.weekday, []).append((row.start_minute, row.end_minute))
        return week_of(tuple((day, tuple(sorted(spans))) for day, spans in weekly.items()))

    @property
    def is_bookable(self) -> bool:
        """Tell whether patients can find and book this doctor."""
        return self.is_approved and self.user.is_active and not self.license_has_expired(timezone.now())

    def license_has_expired(self, now: datetime) -> bool:
        """Tell whether the licence has run out, judged by the UTC date as the directory does."""
        return self.license_expires_on is not None and self.license_expires_on < now.date()


register_constraint("license_taken", "one_approved_doctor_per_license", field="licenseNumber")


class CaseState(models.TextChoices):
    OPEN = "open"
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    # No application: an approval that staff took back.
    REVOKED = "revoked"


# What staff look at before a doctor is listed, in the order of the case page.
CHECKLIST = ("identity", "license", "register", "specialization")


class Verification(models.Model):
    """One application of a doctor to be listed: what was claimed, the evidence, and what staff decided.

    Kept for ever: the licence is copied as it was claimed, so that a later change of the profile rewrites nothing.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    doctor = models.ForeignKey(DoctorProfile, on_delete=models.PROTECT, related_name="verifications")
    submitted_at = models.DateTimeField()
    # Rises with each change of the open case, so that nobody decides about evidence that was not in view.
    revision = models.PositiveIntegerField(default=1)
    message = models.TextField(max_length=2000, blank=True, help_text="In the doctor's own words.")
    specialization = models.CharField(max_length=32)
    license_number = models.CharField("licence number", max_length=64)
    license_authority = models.CharField("licence authority", max_length=120, blank=True)
    license_region = models.CharField("licence region", max_length=100, blank=True)
    license_expires_on = models.DateField("licence expires on", null=True, blank=True)
    # The evidence; all empty where none was sent.
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
    # {"identity": true, …}: what was looked at; see CHECKLIST.
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
        """Answer what the evidence is called, its type and its size in bytes, or None."""
        if not self.document_stored_as:
            return None
        return {"name": self.document_name, "content_type": self.document_type, "size": self.document_size}


class WeeklyHours(models.Model):
    """One interval of a weekday in which visits start and end, in minutes of the clinic's local day."""

    doctor = models.ForeignKey(DoctorProfile, on_delete=models.CASCADE, related_name="weekly_hours")
    weekday = models.PositiveSmallIntegerField(help_text="0 is Monday.")
    start_minute = models.PositiveSmallIntegerField()
    end_minute = models.PositiveSmallIntegerField()

    class Meta:
        ordering: ClassVar[list[str]] = ["doctor", "weekday", "start_minute"]
        verbose_name_plural = "weekly hours"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["doctor", "weekday", "start_minute"], name="one_interval_per_start"),
            models.CheckConstraint(
                condition=models.Q(weekday__lte=6, end_minute__lte=1440, end_minute__gt=models.F("start_minute")),
                name="weekly_hours_in_a_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{WEEKDAYS[self.weekday]} {self.start_minute}-{self.end_minute}"


class DayOverride(models.Model):
    """A date whose hours replace the weekday's; without hours it is a day off."""

    doctor = models.ForeignKey(DoctorProfile, on_delete=models.CASCADE, related_name="overrides")
    date = models.DateField()
    # [[start minute, end minute], …]; replaced as a whole, never queried inside.
    hours = models.JSONField(default=list, blank=True)
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["doctor", "date"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["doctor", "date"], name="one_override_per_day"),
        ]

    def __str__(self) -> str:
        return f"{self.date} {self.hours}"


class BlockedTime(models.Model):
    """A stretch of one date in which no visit is offered."""

    doctor = models.ForeignKey(DoctorProfile, on_delete=models.CASCADE, related_name="blocked_times")
    date = models.DateField()
    start_minute = models.PositiveSmallIntegerField()
    end_minute = models.PositiveSmallIntegerField()
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["doctor", "date", "start_minute"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(end_minute__lte=1440, end_minute__gt=models.F("start_minute")),
                name="blocked_time_in_a_day",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.date} {self.start_minute}-{self.end_minute}"


class ClaimQuerySet(models.QuerySet["Claim"]):
    def standing(self, now: datetime) -> "ClaimQuerySet":
        """Leave out the claims that have run out."""
        return self.filter(models.Q(expires_at=None) | models.Q(expires_at__gt=now))

    def holds_of(self, patient: User | None, secret: str = "") -> "ClaimQuerySet":
        """Keep the holds of a signed-in patient, and the one that a secret stands for.

        Whoever goes on to take time asks for the `standing` ones: one that has run out is anybody's to sweep away, and
        two who each had theirs in hand would wait for each other.
        """
        own = models.Q(pk=None)
        if patient is not None:
            own |= models.Q(patient=patient)
        if secret:
            own |= models.Q(secret_hash=hashed(secret))
        # Every hold runs out; said in so many words, it leads into the index of secrets.
        return self.filter(own, kind="hold", expires_at__isnull=False)

    def locked_in_order(self) -> "ClaimQuerySet":
        """Lock these until the transaction ends, the earliest first, as everybody who locks several does."""
        return self.order_by("starts_at", "pk").select_for_update(no_key=True)


class Claim(models.Model):
    """Taken time: a live or completed visit, a hold or a proposal owns one row here.

    The database refuses two claims that overlap for one doctor ([starts_at, busy_until)) or for one patient
    ([starts_at, ends_at)); see `doctors/overlap.py`. Knows nothing of appointments, which point at it.
    """

    class Kind(models.TextChoices):
        VISIT = "visit"
        HOLD = "hold"
        PROPOSAL = "proposal"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=8, choices=Kind.choices)
    doctor = models.ForeignKey(DoctorProfile, on_delete=models.CASCADE, related_name="claims")
    # Nobody, while a signed-out visitor holds a time.
    patient = models.ForeignKey(User, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    busy_until = models.DateTimeField(help_text="The end, with the doctor's buffer.")
    expires_at = models.DateTimeField(null=True, blank=True)
    # The claim that this one may overlap: a proposal keeps a new time for a visit that still has its old one.
    moves = models.UUIDField(null=True, blank=True)
    # Of a hold: the hash of the secret that stands for its holder, and the network that asked for it.
    secret_hash = models.CharField(max_length=64, blank=True)
    network = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = ClaimQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["starts_at"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(ends_at__gt=models.F("starts_at"), busy_until__gte=models.F("ends_at")),
                name="claim_forwards",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["doctor", "starts_at", "busy_until"], name="claim_of_doctor"),
            models.Index(fields=["patient", "starts_at", "ends_at"], name="claim_of_patient"),
            models.Index(fields=["expires_at"], condition=models.Q(expires_at__isnull=False), name="claim_expiring"),
            models.Index(fields=["secret_hash"], condition=models.Q(expires_at__isnull=False), name="hold_of_secret"),
            models.Index(
                fields=["network", "expires_at"],
                condition=models.Q(expires_at__isnull=False),
                name="holds_of_network",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.starts_at:%Y-%m-%d %H:%M}"


def hashed(secret: str) -> str:
    """Hash a hold's secret, as the database keeps it."""
    return hashlib.sha256(secret.encode()).hexdigest()


class OfferedTime(models.Model):
    """What the listed doctors of one specialization in one city offered on a date, and what visits took of it.

    Counted by the housekeeping once the date is over everywhere, since hours that change later would tell otherwise.
    """

    date = models.DateField()
    specialization = models.CharField(max_length=32)
    city = models.CharField(max_length=100, blank=True)
    offered_minutes = models.PositiveBigIntegerField()
    used_minutes = models.PositiveBigIntegerField()

    class Meta:
        ordering: ClassVar[list[str]] = ["date", "specialization", "city"]
        verbose_name_plural = "offered time"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["date", "specialization", "city"], name="one_count_of_offered_time"),
        ]

    def __str__(self) -> str:
        return f"{self.date} {self.specialization} {self.city}"


class MissedSearch(models.Model):
    """How often somebody looked for a free time on a date and found none; no word of who or what else."""

    date = models.DateField(help_text="UTC's.")
    specialization = models.CharField(max_length=32, blank=True)
    city = models.CharField(max_length=100, blank=True)
    times = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar[list[str]] = ["date", "specialization", "city"]
        verbose_name_plural = "missed searches"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["date", "specialization", "city"], name="one_count_of_missed_searches"),
        ]

    def __str__(self) -> str:
        return f"{self.date} {self.specialization} {self.city}"


class PublicChange(models.Model):
    """That something which the public answers show has changed; see `doctors/freshness.py`. Triggers write it.

    Says nothing of who or what, and is kept for minutes.
    """

    # The doctor whose times changed, or `freshness.LISTING`; no foreign key, since it outlives a doctor who is deleted.
    topic = models.UUIDField()
    # Random, so that no sum of other rows is ever the same.
    mark = models.BigIntegerField()
    made_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        indexes: ClassVar[list[models.Index]] = [
            # With the mark, so that the index alone answers.
            models.Index(fields=["topic", "mark"], name="change_of_topic"),
        ]

    def __str__(self) -> str:
        return f"{self.topic} at {self.made_at:%Y-%m-%d %H:%M:%S}"
