"""Admin classes of users, groups, sessions and factors."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.apps import apps
from django.contrib import admin, messages
from django.contrib.admin.widgets import AutocompleteSelectMultiple, FilteredSelectMultiple
from django.contrib.auth.models import Group, Permission
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone

from accounts.models import (
    AccountStatus,
    AuthenticatorApp,
    CalendarFeed,
    NoticeSettings,
    Passkey,
    PatientDetails,
    RecoveryCode,
    ResetRequest,
    Role,
    Session,
    SpentTicket,
    User,
)
from accounts.staff_permissions import StaffPermissions, delete_group, save_group, set_staff_permissions
from accounts.text.phone_numbers import format_phone
from adminpanel.admin.base import (
    AuditedAdmin,
    ConfirmForm,
    ReadOnlyAdmin,
    describe_remaining,
    format_count,
    get_staff_user,
    has_permission,
    is_set_filter,
)
from appointments.scheduling.account_closure import end_account, preview_effects, set_account_status
from config.api.access_log import add_subjects
from config.api.errors import DomainError

RIGHTS_FIELDS = ("is_staff", "is_superuser", "groups", "user_permissions")
PRODUCT_APPS = ("accounts", "doctors", "appointments", "adminpanel")


def get_grantable_permissions() -> QuerySet[Permission]:
    """Return the permissions that the staff site uses: to view tables, and for actions."""
    acts = [code for model in apps.get_models() for code, _ in model._meta.permissions]
    return (
        Permission.objects.filter(
            Q(codename__startswith="view_", content_type__app_label__in=PRODUCT_APPS)
            | Q(codename="view_group")
            | Q(codename__in=acts)
        )
        .select_related("content_type")
        .order_by("name")
    )


def is_valid_key(value: object) -> bool:
    """Return whether a value can be a primary key, so that the database can be queried for it."""
    key = str(value)
    # The length comes first, since Python rejects numbers of thousands of digits.
    return key.isascii() and key.isdecimal() and len(key) <= 10 and int(key) < 2**31


class RowsField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]  # of one model
    """A choice of rows that rejects invalid primary keys."""

    def clean(self, value: Any) -> Any:
        for key in value or ():
            if not is_valid_key(key):
                raise forms.ValidationError(
                    self.error_messages["invalid_pk_value"], code="invalid_pk_value", params={"pk": repr(key)[:50]}
                )
        return super().clean(value)


class PermissionField(RowsField):
    """Permissions, labeled with their name only."""

    def label_from_instance(self, obj: Any) -> str:
        return str(obj.name)


class PatientDetailsInline(admin.StackedInline):  # type: ignore[type-arg]  # of one model
    """A patient's address; the blood group is for doctors."""

    model = PatientDetails
    fields = readonly_fields = ("street", "city", "state", "zip_code", "country")
    can_delete = False
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class GroupsWidget(AutocompleteSelectMultiple):
    """Autocomplete for groups that doesn't query for invalid primary keys; the field rejects them."""

    def optgroups(self, name: str, value: Sequence[str], attrs: dict[str, Any] | None = None) -> Any:
        return super().optgroups(name, [*filter(is_valid_key, value)], attrs)


class StaffPermissionsForm(forms.ModelForm):  # type: ignore[type-arg]  # of one model
    """The permissions of an admin on the staff site."""

    user_permissions = PermissionField(
        Permission.objects.none(), required=False, label="Permissions",
        widget=FilteredSelectMultiple("permissions", is_stacked=False),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "user_permissions" in self.fields:
            self.fields["user_permissions"].queryset = get_grantable_permissions()  # type: ignore[attr-defined]  # the field above


@admin.register(User)
class UserAdmin(ReadOnlyAdmin):
    """Users, closed accounts included. Only the rights of admins can be edited, by superusers."""

    subject_fields = ("user", "pk", "pk")
    entity = "user"
    form = StaffPermissionsForm
    list_display = ("name", "email", "role", "status", "created_at", "is_staff", "ended_at")
    list_display_links = ("name",)
    list_filter = ("role", "status", "is_staff", is_set_filter("ended_at", "ended"))
    search_fields = ("name", "email")
    folded_fields = ("search_text",)
    search_help_text = "Name, email address or id"
    ordering = ("-created_at", "-id")
    sortable_by = ("name", "created_at")
    actions = ("stop", "start", "end")
    autocomplete_fields = ("groups",)
    inlines = (PatientDetailsInline,)
    profile_fields = (
        *("name", "email", "phone_number", "gender", "date_of_birth", "role", "status", "created_at", "last_login"),
        *("language", "agreed_to_privacy_at", "pending_email", "ended_at"),
    )

    @admin.display(description="Phone")
    def phone_number(self, user: User) -> str:
        return format_phone(user.phone)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return obj is not None and get_staff_user(request).is_superuser and obj.role == Role.ADMIN and obj.is_active

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "groups":
            kwargs |= {"widget": GroupsWidget(db_field, self.admin_site), "form_class": RowsField}
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        rights = RIGHTS_FIELDS if self.has_change_permission(request, obj) else ("is_staff", "is_superuser", "granted")
        shown = [(None, {"fields": self.profile_fields})]
        return [*shown, ("Staff site", {"fields": rights})] if obj and obj.role == Role.ADMIN else shown

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return (
            self.profile_fields
            if self.has_change_permission(request, obj)
            else (*self.profile_fields, *RIGHTS_FIELDS, "granted")
        )

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return self.inlines if obj and obj.role == Role.PATIENT else ()

    @admin.display(description="Groups and permissions")
    def granted(self, user: User) -> str:
        """Return the names of a user's groups and permissions."""
        names = [*user.groups.values_list("name", flat=True)]
        return ", ".join([*names, *user.user_permissions.values_list("name", flat=True)]) or "-"

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except DomainError as error:
            self.message_user(request, error.message, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save the rights by the service that writes the audit event."""
        chosen = form.cleaned_data
        rights = StaffPermissions(
            is_staff=chosen["is_staff"],
            is_superuser=chosen["is_superuser"],
            groups=frozenset(one.pk for one in chosen["groups"]),
            permissions=frozenset(one.pk for one in chosen["user_permissions"]),
        )
        set_staff_permissions(obj, rights, actor=get_staff_user(request))

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Do nothing: `save_model` has saved all rights."""

    # --- Acts ---------------------------------------------------------------------------------

    def get_row_actions(self, request: HttpRequest, one: User) -> list[tuple[str, str]]:
        applicable = set() if one.ended_at else {"end", "stop" if one.status == AccountStatus.ACTIVE else "start"}
        return [act for act in super().get_row_actions(request, one) if act[0] in applicable]

    def has_stop_permission(self, request: HttpRequest) -> bool:
        """Return whether staff may deactivate and activate accounts."""
        return has_permission(request, "accounts.stop_user")

    def has_end_permission(self, request: HttpRequest) -> bool:
        """Return whether staff may delete accounts."""
        return has_permission(request, "accounts.end_user")

    @admin.action(description="Deactivate", permissions=["stop"])
    def stop(self, request: HttpRequest, users: QuerySet[User]) -> HttpResponse | None:
        """Deactivate accounts after a confirmation that shows their upcoming appointments."""
        now = timezone.now()

        if self.reject_too_many(request, users):
            return None
        if not ConfirmForm(request.POST).is_valid():
            words = "Signed out everywhere right away, until activated again. Each of them gets an email."
            return self.render_confirmation(
                request, users, action="stop", title="Deactivate these accounts?", verb="Deactivate",
                form=ConfirmForm(), words=words,
                describe=lambda user: describe_remaining(preview_effects(user, now)),
            )  # fmt: skip
        # Accounts that were inactive before are not part of the undo.
        active = [user for user in users if user.status == AccountStatus.ACTIVE]
        stopped = self.apply_to_each(
            request,
            active,
            lambda user: set_account_status(user.pk, AccountStatus.INACTIVE, actor=get_staff_user(request), now=now),
            "deactivated",
        )
        self.offer_undo(request, stopped, "start", "Activate again")
        return None

    @admin.action(description="Activate", permissions=["stop"])
    def start(self, request: HttpRequest, users: QuerySet[User]) -> HttpResponse | None:
        """Activate accounts after a confirmation."""
        if self.reject_too_many(request, users):
            return None
        if not ConfirmForm(request.POST).is_valid():
            return self.render_confirmation(
                request, users, action="start", title="Activate these accounts?", verb="Activate", form=ConfirmForm(),
                describe=lambda _: ["May sign in again"], words="Each of them gets an email.",
            )  # fmt: skip
        now = timezone.now()
        self.apply_to_each(
            request,
            users,
            lambda user: set_account_status(user.pk, AccountStatus.ACTIVE, actor=get_staff_user(request), now=now),
            "activated",
        )
        return None

    @admin.action(description="Delete", permissions=["end"])
    def end(self, request: HttpRequest, users: QuerySet[User]) -> HttpResponse | None:
        """Close accounts after a confirmation that shows the appointments to be cancelled."""
        now = timezone.now()

        def describe(user: User) -> list[str]:
            effects = preview_effects(user, now, ending=True)
            words = f"{format_count(effects.upcoming, 'appointment')} ahead will be cancelled, and "
            words += f"{format_count(effects.messages, 'person', 'people')} told"
            add_subjects(
                "appointment", ((appointment.pk, appointment.patient_id) for appointment in effects.appointments)
            )
            return [words, *(str(appointment) for appointment in effects.appointments)]

        if self.reject_too_many(request, users):
            return None
        if not ConfirmForm(request.POST).is_valid():
            words = "This can't be undone. Past appointments and records stay, under the names they were booked with."
            return self.render_confirmation(
                request, users, action="end", title="Delete these accounts?", verb="Delete",
                form=ConfirmForm(), describe=describe, words=words,
            )  # fmt: skip
        self.apply_to_each(
            request, users, lambda user: end_account(user.pk, actor=get_staff_user(request), now=now), "deleted"
        )
        return None


class GroupForm(forms.ModelForm):  # type: ignore[type-arg]  # of one model
    """A group's name and permissions."""

    permissions = PermissionField(
        Permission.objects.none(), required=False,
        widget=FilteredSelectMultiple("permissions", is_stacked=False),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "permissions" in self.fields:
            self.fields["permissions"].queryset = get_grantable_permissions()  # type: ignore[attr-defined]  # the field above


# Django's own admin of groups writes no audit events.
admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(AuditedAdmin):
    """Groups of permissions, which superusers create and grant."""

    no_personal_data_reason = "Permissions of nobody in particular."
    entity = "group"
    form = GroupForm
    id_search_fields: ClassVar[tuple[str, ...]] = ()
    list_display = ("name",)
    search_fields = ("name",)
    ordering = ("name",)
    sortable_by = ("name",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return get_staff_user(request).is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return get_staff_user(request).is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return get_staff_user(request).is_superuser

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("name", "permissions" if self.has_change_permission(request, obj) else "granted")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return () if self.has_change_permission(request, obj) else ("name", "granted")

    @admin.display(description="Permissions")
    def granted(self, group: Group) -> str:
        """Return the names of a group's permissions."""
        return ", ".join(group.permissions.values_list("name", flat=True)) or "-"

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save the group by the service that writes the audit event."""
        save_group(obj, form.cleaned_data["permissions"], actor=get_staff_user(request))

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Do nothing: `save_model` has saved the permissions."""

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        delete_group(obj, actor=get_staff_user(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for group in queryset:
            delete_group(group, actor=get_staff_user(request))


@admin.register(Session)
class SessionAdmin(ReadOnlyAdmin):
    """Sessions, without anything secret."""

    subject_fields = ("user", "user_id", "user_id")
    list_display = ("user", "created_at", "last_seen_at", "ended_at", "ended_because")
    list_select_related = ("user",)
    list_filter = (is_set_filter("ended_at", "ended"),)
    search_fields = ("user__email__exact",)
    search_help_text = "The person's whole email address or id"
    id_search_fields = ("pk", "user")
    # Ids increase with time.
    ordering = ("-id",)
    fields = (
        *("user", "created_at", "last_seen_at", "expires_at", "ended_at", "ended_because"),
        *("ip_address", "user_agent"),
    )


@admin.register(ResetRequest)
class ResetRequestAdmin(ReadOnlyAdmin):
    """Pending password resets; old rows indicate that the delivery is not running."""

    no_personal_data_reason = "An address as typed, which may be nobody's."
    list_display = ("email", "kind", "created_at", "due_at")
    search_fields = ("email__exact",)
    search_help_text = "The whole email address that was typed"
    id_search_fields: ClassVar[tuple[str, ...]] = ()
    ordering = ("-id",)


@admin.register(NoticeSettings)
class NoticeSettingsAdmin(ReadOnlyAdmin):
    """Notification preferences."""

    subject_fields = ("user", "user_id", "user_id")
    list_display = ("user", "reminders", "channels", "quiet_from", "quiet_until", "time_zone")
    list_select_related = ("user",)
    search_fields = ("user__email__exact",)
    search_help_text = "The person's whole email address or id"
    ordering = ("-pk",)


class UserRelatedAdmin(ReadOnlyAdmin):
    """Base admin of rows that belong to a user."""

    subject_fields = ("user", "user_id", "user_id")
    list_select_related = ("user",)
    search_fields = ("user__email__exact",)
    search_help_text = "The person's whole email address or id"
    id_search_fields: ClassVar[tuple[str, ...]] = ("user",)
    ordering = ("-pk",)


@admin.register(AuthenticatorApp)
class AuthenticatorAppAdmin(UserRelatedAdmin):
    """Authenticator apps, without their secrets."""

    list_display = fields = ("user", "started_at", "turned_on_at")


@admin.register(RecoveryCode)
class RecoveryCodeAdmin(UserRelatedAdmin):
    """Used and unused recovery codes, of which only hashes are stored."""

    list_display = fields = ("user", "made_at", "used_at")


@admin.register(Passkey)
class PasskeyAdmin(UserRelatedAdmin):
    """Passkeys."""

    entity = "passkey"
    list_display = fields = ("user", "name", "created_at", "last_used_at")
    id_search_fields = ("pk", "user")


@admin.register(SpentTicket)
class SpentTicketAdmin(ReadOnlyAdmin):
    """Used tickets; housekeeping deletes them when they would have expired."""

    no_personal_data_reason = "Digests."
    list_display = fields = ("digest", "ends_at")
    id_search_fields: ClassVar[tuple[str, ...]] = ()
    search_fields = ("digest__exact",)
    ordering = ("-ends_at",)


@admin.register(CalendarFeed)
class CalendarFeedAdmin(ReadOnlyAdmin):
    """Calendar feeds, of which only hashes are stored."""

    subject_fields = ("user", "user_id", "user_id")
    list_display = fields = ("user", "created_at")
    list_select_related = ("user",)
    search_fields = ("user__email__exact",)
    search_help_text = "The person's whole email address or id"
    ordering = ("-pk",)
