"""People, their sessions, the audit trail and the outbox."""

from datetime import date, datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.db import models, transaction
from django.db.models.functions import Now
from django.dispatch import Signal
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from uuid_utils.compat import uuid7

from accounts.addresses import canonical_email
from accounts.message_models import NoticeSettings, ResetRequest  # noqa: F401 - where Django looks for models
from accounts.second_step_models import (  # noqa: F401 - as above
    AuthenticatorApp,
    Passkey,
    RecoveryCode,
    SpentTicket,
)
from accounts.stored_files import StrayFile  # noqa: F401 - as above
from config.errors import register_constraint


def new_id() -> UUID:
    """Make a UUIDv7 (RFC 9562): unguessable enough to name, and rising with time, so that indexes stay tight."""
    return uuid7()


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


# Several people's names have been changed at once; a single one's is told by `post_save`.
people_renamed = Signal()


class UserQuerySet(models.QuerySet["User"]):
    def locked(self) -> "UserQuerySet":
        """Lock these until the transaction ends; rows that only name them need not wait (decision 102)."""
        return self.select_for_update(no_key=True)

    def present(self) -> "UserQuerySet":
        """Leave out the accounts that have ended."""
        return self.filter(ended_at=None)

    def active(self) -> "UserQuerySet":
        """Keep those who may sign in."""
        return self.present().filter(status=AccountStatus.ACTIVE)

    def update(self, **fields: Any) -> int:
        """Update, and tell who keeps names elsewhere, as saving does."""
        if "name" not in fields:
            return super().update(**fields)
        with transaction.atomic(using=self.db):
            number = super().update(**fields)
            people_renamed.send(sender=self.model)
        return number


class UserManager(BaseUserManager["User"]):
    def get_queryset(self) -> UserQuerySet:
        return UserQuerySet(self.model, using=self._db)

    def locked(self) -> UserQuerySet:
        """Lock people; see the set's own."""
        return self.get_queryset().locked()

    def present(self) -> UserQuerySet:
        """Leave out the accounts that have ended."""
        return self.get_queryset().present()

    def active(self) -> UserQuerySet:
        """Keep those who may sign in."""
        return self.get_queryset().active()

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=canonical_email(username or ""))

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create a person with a hashed password; without one nobody can sign in to the account."""
        user = self.model(email=email, **fields)
        user.set_password(password)
        user.save(using=self._db, force_insert=True)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        """Create an admin who may do everything on the staff site."""
        fields = {"role": Role.ADMIN, "is_staff": True, "is_superuser": True, **fields}
        return self.create_user(email, password, **fields)


def picture_address(picture: str) -> str | None:
    """Answer the path of a portrait under our own media address, or None where there is none."""
    return f"{settings.MEDIA_URL}{picture}" if picture else None


class User(AbstractBaseUser, PermissionsMixin):
    """A person: patient, doctor or admin. The id is the person's `_id` everywhere."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    # Always canonical, so that spellings which differ in case or Unicode form are one account.
    email = models.EmailField(max_length=254)
    name = models.CharField(max_length=120)
    phone = models.CharField(max_length=32, blank=True)
    gender = models.CharField(max_length=8, choices=Gender.choices, default=Gender.OTHER)
    date_of_birth = models.DateField(null=True, blank=True)
    role = models.CharField(max_length=8, choices=Role.choices)
    status = models.CharField(max_length=8, choices=AccountStatus.choices, default=AccountStatus.ACTIVE)
    # What messages are written in; empty: whatever the site speaks (`accounts/languages.py`).
    language = models.CharField(max_length=8, blank=True)
    # The storage's name of the re-encoded portrait; empty where there is none.
    picture = models.CharField(max_length=120, blank=True)
    created_at = models.DateTimeField(default=timezone.now, db_default=Now(), editable=False)
    agreed_to_privacy_at = models.DateTimeField(null=True, blank=True)
    # A new address waits here until the link mailed to it is opened.
    pending_email = models.EmailField(max_length=254, blank=True)
    # When a link mailed to the address in use was opened; null: nobody knows yet that its mailbox is theirs.
    email_confirmed_at = models.DateTimeField(null=True, blank=True)
    # Since when the password alone does not let them in; null: it does. See `accounts/second_step.py`.
    second_step_at = models.DateTimeField(null=True, blank=True)
    # When the account was closed or deleted. Its address is free again; the record stays.
    ended_at = models.DateTimeField(null=True, blank=True)
    is_staff = models.BooleanField(default=False)

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
            # The orders of the list of users, whole and narrowed; the id breaks ties within the index.
            models.Index(fields=["-created_at", "-id"], name="user_created"),
            models.Index(fields=["role", "-created_at", "-id"], name="user_role_created"),
            models.Index(fields=["name", "id"], name="user_name"),
            # Partial, since SQLite would begin the directory's searches at all whose account stands and is active.
            models.Index(
                fields=["-created_at", "-id"], condition=models.Q(status="inactive"), name="user_stopped_created"
            ),
            models.Index(
                fields=["-created_at", "-id"], condition=models.Q(ended_at__isnull=False), name="user_ended_created"
            ),
            # The exact totals can be counted in it, without the table.
            models.Index(fields=["role", "status", "id"], condition=models.Q(ended_at=None), name="user_totals"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.role})"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.email = canonical_email(self.email)
        super().save(*args, **kwargs)

    @property
    def is_active(self) -> bool:  # type: ignore[override]  # Django's flag, told by our two fields
        """Tell whether this person may sign in."""
        return self.status == AccountStatus.ACTIVE and self.ended_at is None

    def session_ground(self) -> str:
        """Answer what this person's sessions stand on; nothing can be learnt from it."""
        return salted_hmac("accounts.session", f"{self.role}\0{self.password}").hexdigest()[:32]

    @property
    def profile_picture(self) -> str | None:
        """Answer the portrait's path under our own media address, or None."""
        return picture_address(self.picture)

    def age_on(self, day: date) -> int | None:
        """Answer the age in whole years on `day`; never negative, None without a birth date."""
        born = self.date_of_birth
        if born is None:
            return None
        return max(0, day.year - born.year - ((day.month, day.day) < (born.month, born.day)))


register_constraint("email_taken", "one_account_per_email", "accounts_user.email", field="email")


class PatientDetails(models.Model):
    """What only a patient has: a home address and a blood group."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="patient_details")
    street = models.CharField(max_length=200, blank=True)
    city = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=100, blank=True)
    zip_code = models.CharField(max_length=20, blank=True)
    blood_group = models.CharField(max_length=3, choices=BloodGroup.choices, blank=True)

    class Meta:
        verbose_name_plural = "patient details"

    def __str__(self) -> str:
        return str(self.user)

    @property
    def address_line(self) -> str:
        """Answer the address on one line."""
        return ", ".join(part for part in (self.street, self.city, self.state, self.zip_code) if part)


# Two machines' clocks never agree to the second; as much as a token's moments are allowed too.
CLOCKS_DIFFER = timedelta(seconds=settings.SIMPLE_JWT["LEEWAY"])


class SessionQuerySet(models.QuerySet["Session"]):
    def open(self, now: datetime) -> "SessionQuerySet":
        """Keep the sessions that have neither been ended nor outlived their absolute limit."""
        return self.filter(ended_at=None, expires_at__gt=now)


class Session(models.Model):
    """The authority behind a token: while this row is open, and its user active, the token works."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="sessions")
    created_at = models.DateTimeField(default=timezone.now)
    last_seen_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_because = models.CharField(max_length=24, blank=True)
    # A keyed digest of the password and role that it was opened under: once either changes, by any road, it is over.
    bound_to = models.CharField(max_length=32, editable=False)
    ip_address = models.CharField(max_length=45, blank=True)
    user_agent = models.CharField(max_length=200, blank=True)

    objects = SessionQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["-last_seen_at"]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["user", "ended_at", "expires_at"], name="session_of_user"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} since {self.created_at:%Y-%m-%d %H:%M}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.bound_to = self.bound_to or self.user.session_ground()
        super().save(*args, **kwargs)

    def is_living(self, now: datetime) -> bool:
        """Tell whether this session may still act.

        It is open, not idle for too long, its person active and of the same password and role as when it was opened.
        One that was used in the future is over: a clock that was set back would let it live for longer than it may.
        """
        idle = timedelta(minutes=settings.SESSION_IDLE_MINUTES[self.user.role])
        return (
            self.ended_at is None
            and now < self.expires_at
            and self.last_seen_at - CLOCKS_DIFFER <= now < self.last_seen_at + idle
            and self.user.is_active
            and constant_time_compare(self.bound_to, self.user.session_ground())
        )


class AuditEvent(models.Model):
    """Who did what to what, when and from where; columns after FHIR R4's AuditEvent. Holds no personal text."""

    class Action(models.TextChoices):
        CREATE = "C"
        READ = "R"
        UPDATE = "U"
        DELETE = "D"
        EXECUTE = "E"

    class Outcome(models.TextChoices):
        SUCCESS = "0"
        MINOR_FAILURE = "4"
        SERIOUS_FAILURE = "8"

    id = models.BigAutoField(primary_key=True)
    recorded_at = models.DateTimeField(default=timezone.now)
    # What happened, in the product's words: `appointment.booked`.
    event = models.CharField(max_length=48)
    action = models.CharField(max_length=1, choices=Action.choices)
    outcome = models.CharField(max_length=1, choices=Outcome.choices, default=Outcome.SUCCESS)
    agent_id = models.UUIDField(null=True, blank=True)
    agent_role = models.CharField(max_length=8, blank=True)
    source_address = models.CharField(max_length=45, blank=True)
    entity_type = models.CharField(max_length=24, blank=True)
    entity_id = models.CharField(max_length=36, blank=True)
    request_id = models.CharField(max_length=32, blank=True)
    # Codes and ids only: what stands here can't be erased later.
    detail = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        indexes: ClassVar[list[models.Index]] = [
            # The thing first: staff ask for one by its id alone.
            models.Index(fields=["entity_id", "entity_type", "-id"], name="audit_of_entity"),
            models.Index(fields=["agent_id", "-id"], name="audit_of_agent"),
            models.Index(fields=["event", "-id"], name="audit_of_event"),
            models.Index(fields=["request_id", "-id"], name="audit_of_request"),
            models.Index(fields=["outcome", "-id"], name="audit_of_outcome"),
            models.Index(fields=["-recorded_at", "-id"], name="audit_recorded"),
        ]

    def __str__(self) -> str:
        return f"{self.event} {self.entity_type} {self.entity_id}"


class AuditSeal(models.Model):
    """One sealed batch of the audit trail; see `accounts/audit_seal.py`. The rows stay where they are."""

    id = models.BigAutoField(primary_key=True)
    first_event = models.BigIntegerField()
    last_event = models.BigIntegerField(unique=True)
    # For each row 8 bytes of id and 16 of its SHA-256.
    digests = models.BinaryField()
    previous_hash = models.CharField(max_length=64, unique=True)
    hash = models.CharField(max_length=64, unique=True)
    sealed_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return f"{self.first_event} to {self.last_event}"


class NoticeQuerySet(models.QuerySet["Notice"]):
    def due(self, now: datetime) -> "NoticeQuerySet":
        """Keep those whose turn has come and that no worker is busy with."""
        free = models.Q(lease_until=None) | models.Q(lease_until__lte=now)
        # No lease is as long: a clock that has been put right since wrote it.
        free |= models.Q(lease_until__gt=now + timedelta(minutes=20))
        return self.filter(free, state=Notice.State.WAITING, due_at__lte=now)


class Notice(models.Model):
    """A message to a person, written in the transaction of the change it tells of: the table is the outbox.

    Holds ids and codes, no words: those are made when it is sent or shown (`accounts/messages.py`).
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        # Refused for good, or tried for days: staff see it.
        FAILED = "failed"
        # It no longer helped anybody.
        DROPPED = "dropped"
        # Another notice's message holds what this one had to tell.
        MERGED = "merged"

    id = models.BigAutoField(primary_key=True)
    created_at = models.DateTimeField(default=timezone.now)
    event = models.CharField(max_length=48)
    subject_type = models.CharField(max_length=24)
    subject_id = models.CharField(max_length=36)
    # The subject's version that the notice tells of, so that one change is told once.
    version = models.PositiveIntegerField(default=1)
    recipient = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    channel = models.CharField(max_length=12, default="email")
    # Where it goes when not to the person's own address; emptied once it is sent.
    address = models.EmailField(max_length=254, blank=True)
    # Ids and codes that the message needs besides its subject.
    detail = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    due_at = models.DateTimeField(default=timezone.now)
    attempts = models.PositiveSmallIntegerField(default=0)
    # Until when a worker has it in hand; once that is over, another one may take it.
    lease_until = models.DateTimeField(null=True, blank=True)
    # The same at every try, so that a mailbox knows a repetition for what it is.
    message_id = models.CharField(max_length=200, blank=True)
    # Why the last try came to nothing: a code, never a server's own words.
    error = models.CharField(max_length=32, blank=True)
    delivered_at = models.DateTimeField(null=True, blank=True)
    merged_into = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    # When the person saw it in the page.
    read_at = models.DateTimeField(null=True, blank=True)

    objects = NoticeQuerySet.as_manager()

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        # For staff who are no superusers.
        permissions = [("send_again_notice", "Can have a failed message tried again")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["event", "subject_type", "subject_id", "version", "recipient", "channel"],
                name="one_notice_per_change",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            # Whole, not for the waiting alone: SQLite takes no partial index for a value that comes as a parameter.
            models.Index(fields=["state", "channel", "due_at", "id"], name="notice_due"),
            models.Index(fields=["recipient", "-id"], name="notice_of_person"),
            models.Index(fields=["recipient", "read_at", "-id"], name="notice_unread"),
            # Whether something later is told of the same thing; the thing first, as it has few notices.
            models.Index(fields=["subject_id", "recipient", "version"], name="notice_of_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.event} to {self.recipient_id}"


class CalendarFeed(models.Model):
    """The private address under which a person's calendar reads their visits. Only a fingerprint of it is kept."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True, related_name="+")
    secret_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.user_id} since {self.created_at:%Y-%m-%d}"


class Heartbeat(models.Model):
    """When a background worker last did its round, and which process has the turn."""

    name = models.CharField(max_length=24, primary_key=True)
    beat_at = models.DateTimeField(null=True, blank=True)
    holder = models.CharField(max_length=64, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} at {self.beat_at}"
