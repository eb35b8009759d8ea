"""People, what staff may do, and sessions."""

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
from accounts.staff_permissions import Rights, delete_group, save_group, set_rights
from accounts.text.phone_numbers import format_phone
from adminpanel.admin.base import ReadOnly, SureForm, TrailForHistory, acting, counted, happened, may, staying
from appointments.scheduling.account_closure import end_account, preview_effects, set_account_status
from config.api.access_log import shown
from config.api.errors import DomainError

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")
OURS = ("accounts", "doctors", "appointments")


def grantable() -> QuerySet[Permission]:
    """Return the permissions that mean something here: to look at a table, and those that acts ask for."""
    acts = [code for model in apps.get_models() for code, _ in model._meta.permissions]
    return (
        Permission.objects.filter(
            Q(codename__startswith="view_", content_type__app_label__in=OURS)
            | Q(codename="view_group")
            | Q(codename__in=acts)
        )
        .select_related("content_type")
        .order_by("name")
    )


def is_key(sent: object) -> bool:
    """Return whether this can be the key of a row at all; databases are not asked for anything else."""
    key = str(sent)
    # Looked at for its length first: Python refuses to read numbers of thousands of digits.
    return key.isascii() and key.isdecimal() and len(key) <= 10 and int(key) < 2**31


class RowsField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]  # of one model
    """Rows by their keys; what is none is refused."""

    def clean(self, value: Any) -> Any:
        for sent in value or ():
            if not is_key(sent):
                raise forms.ValidationError(
                    self.error_messages["invalid_pk_value"], code="invalid_pk_value", params={"pk": repr(sent)[:50]}
                )
        return super().clean(value)


class PermissionField(RowsField):
    """Permissions by their names alone; which table they belong to stands in the name."""

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
    """Groups to be found by their names; what was sent that is none is refused by the field, and not looked for."""

    def optgroups(self, name: str, value: Sequence[str], attrs: dict[str, Any] | None = None) -> Any:
        return super().optgroups(name, [*filter(is_key, value)], attrs)


class RightsForm(forms.ModelForm):  # type: ignore[type-arg]  # of one model
    """What an admin may do on the staff site."""

    user_permissions = PermissionField(
        Permission.objects.none(), required=False, label="Permissions",
        widget=FilteredSelectMultiple("permissions", is_stacked=False),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "user_permissions" in self.fields:
            self.fields["user_permissions"].queryset = grantable()  # type: ignore[attr-defined]  # the field above


@admin.register(User)
class UserAdmin(ReadOnly):
    """Everybody who has, or had, an account. Superusers give admins their rights; nothing else is edited by hand."""

    shows = ("user", "pk", "pk")
    entity = "user"
    form = RightsForm
    list_display = ("name", "email", "role", "status", "created_at", "is_staff", "ended_at")
    list_display_links = ("name",)
    list_filter = ("role", "status", "is_staff", happened("ended_at", "ended"))
    search_fields = ("name", "email")
    folded_fields = ("search_text",)
    search_help_text = "Name, email address or id"
    ordering = ("-created_at", "-id")
    sortable_by = ("name", "created_at")
    actions = ("stop", "start", "end")
    autocomplete_fields = ("groups",)
    inlines = (PatientDetailsInline,)
    about = (
        *("name", "email", "phone_number", "gender", "date_of_birth", "role", "status", "created_at", "last_login"),
        *("language", "agreed_to_privacy_at", "pending_email", "ended_at"),
    )

    @admin.display(description="Phone")
    def phone_number(self, person: User) -> str:
        return format_phone(person.phone)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return obj is not None and acting(request).is_superuser and obj.role == Role.ADMIN and obj.is_active

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "groups":
            kwargs |= {"widget": GroupsWidget(db_field, self.admin_site), "form_class": RowsField}
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        rights = RIGHTS if self.has_change_permission(request, obj) else ("is_staff", "is_superuser", "given")
        shown = [(None, {"fields": self.about})]
        return [*shown, ("Staff site", {"fields": rights})] if obj and obj.role == Role.ADMIN else shown

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return self.about if self.has_change_permission(request, obj) else (*self.about, *RIGHTS, "given")

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return self.inlines if obj and obj.role == Role.PATIENT else ()

    @admin.display(description="Groups and permissions")
    def given(self, person: User) -> str:
        """Return the names of what a person was given."""
        names = [*person.groups.values_list("name", flat=True)]
        return ", ".join([*names, *person.user_permissions.values_list("name", flat=True)]) or "-"

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except DomainError as refused:
            self.message_user(request, refused.message, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Take the road that writes the trail; `form` holds nothing but rights."""
        chosen = form.cleaned_data
        rights = Rights(
            is_staff=chosen["is_staff"],
            is_superuser=chosen["is_superuser"],
            groups=frozenset(one.pk for one in chosen["groups"]),
            permissions=frozenset(one.pk for one in chosen["user_permissions"]),
        )
        set_rights(obj, rights, by=acting(request))

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save nothing more: the rights are written."""

    # --- Acts ---------------------------------------------------------------------------------

    def acts_on(self, request: HttpRequest, one: User) -> list[tuple[str, str]]:
        fitting = set() if one.ended_at else {"end", "stop" if one.status == AccountStatus.ACTIVE else "start"}
        return [act for act in super().acts_on(request, one) if act[0] in fitting]

    def has_stop_permission(self, request: HttpRequest) -> bool:
        """Return whether this member of staff may stop accounts and let them go on."""
        return may(request, "accounts.stop_user")

    def has_end_permission(self, request: HttpRequest) -> bool:
        """Return whether this member of staff may delete accounts."""
        return may(request, "accounts.end_user")

    @admin.action(description="Deactivate", permissions=["stop"])
    def stop(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Show which appointments would be left without one side, ask, then stop the accounts at once."""
        now = timezone.now()

        if self.too_many(request, people):
            return None
        if not SureForm(request.POST).is_valid():
            words = "Signed out everywhere right away, until activated again. Each of them gets an email."
            return self.ask_first(
                request, people, action="stop", title="Deactivate these accounts?", verb="Deactivate",
                form=SureForm(), told=lambda person: staying(preview_effects(person, now)), words=words,
            )  # fmt: skip
        # Those who were stopped before are no part of what can be undone.
        active = [person for person in people if person.status == AccountStatus.ACTIVE]
        stopped = self.do_each(
            request,
            active,
            lambda person: set_account_status(person.pk, AccountStatus.INACTIVE, by=acting(request), now=now),
            "deactivated",
        )
        self.offer_undo(request, stopped, "start", "Activate again")
        return None

    @admin.action(description="Activate", permissions=["stop"])
    def start(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Ask, then let the accounts go on."""
        if self.too_many(request, people):
            return None
        if not SureForm(request.POST).is_valid():
            return self.ask_first(
                request, people, action="start", title="Activate these accounts?", verb="Activate", form=SureForm(),
                told=lambda _: ["May sign in again"], words="Each of them gets an email.",
            )  # fmt: skip
        now = timezone.now()
        self.do_each(
            request,
            people,
            lambda person: set_account_status(person.pk, AccountStatus.ACTIVE, by=acting(request), now=now),
            "activated",
        )
        return None

    @admin.action(description="Delete", permissions=["end"])
    def end(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Show which appointments would be cancelled, ask, then end the accounts."""
        now = timezone.now()

        def told(person: User) -> list[str]:
            effects = preview_effects(person, now, ending=True)
            words = f"{counted(effects.upcoming, 'appointment')} ahead will be cancelled, and "
            words += f"{counted(effects.messages, 'person', 'people')} told"
            shown("appointment", ((appointment.pk, appointment.patient_id) for appointment in effects.appointments))
            return [words, *(str(appointment) for appointment in effects.appointments)]

        if self.too_many(request, people):
            return None
        if not SureForm(request.POST).is_valid():
            words = "This can't be undone. Past appointments and records stay, under the names they were booked with."
            return self.ask_first(
                request, people, action="end", title="Delete these accounts?", verb="Delete",
                form=SureForm(), told=told, words=words,
            )  # fmt: skip
        self.do_each(request, people, lambda person: end_account(person.pk, by=acting(request), now=now), "deleted")
        return None


class GroupForm(forms.ModelForm):  # type: ignore[type-arg]  # of one model
    """A group's name and what it gives."""

    permissions = PermissionField(
        Permission.objects.none(), required=False,
        widget=FilteredSelectMultiple("permissions", is_stacked=False),
    )  # fmt: skip

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "permissions" in self.fields:
            self.fields["permissions"].queryset = grantable()  # type: ignore[attr-defined]  # the field above


# Django registers one of its own, which writes past the trail.
admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(TrailForHistory):
    """Sets of permissions, made by superusers and given to staff."""

    without_personal_data = "Permissions of nobody in particular."
    entity = "group"
    form = GroupForm
    found_by_id: ClassVar[tuple[str, ...]] = ()
    list_display = ("name",)
    search_fields = ("name",)
    ordering = ("name",)
    sortable_by = ("name",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return acting(request).is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return acting(request).is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return acting(request).is_superuser

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("name", "permissions" if self.has_change_permission(request, obj) else "given")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return () if self.has_change_permission(request, obj) else ("name", "given")

    @admin.display(description="Permissions")
    def given(self, group: Group) -> str:
        """Return the names of what a group gives."""
        return ", ".join(group.permissions.values_list("name", flat=True)) or "-"

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Take the road that writes the trail."""
        save_group(obj, form.cleaned_data["permissions"], by=acting(request))

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save nothing more: the permissions are written."""

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        delete_group(obj, by=acting(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for group in queryset:
            delete_group(group, by=acting(request))


@admin.register(Session)
class SessionAdmin(ReadOnly):
    """Who is signed in, and was. What a token is signed with stands in no table."""

    shows = ("user", "user_id", "user_id")
    list_display = ("user", "created_at", "last_seen_at", "ended_at", "ended_because")
    list_select_related = ("user",)
    list_filter = (happened("ended_at", "ended"),)
    search_fields = ("user__email__exact",)
    search_help_text = "The person's whole email address or id"
    found_by_id = ("pk", "user")
    # Ids rise with time.
    ordering = ("-id",)
    fields = (
        *("user", "created_at", "last_seen_at", "expires_at", "ended_at", "ended_because"),
        *("ip_address", "user_agent"),
    )


@admin.register(ResetRequest)
class ResetRequestAdmin(ReadOnly):
    """Typed addresses that were not looked up yet; a row that stays here long says that the delivery is not running."""

    without_personal_data = "An address as typed, which may be nobody's."
    list_display = ("email", "kind", "created_at", "due_at")
    search_fields = ("email__exact",)
    search_help_text = "The whole email address that was typed"
    found_by_id: ClassVar[tuple[str, ...]] = ()
    ordering = ("-id",)


@admin.register(NoticeSettings)
class NoticeSettingsAdmin(ReadOnly):
    """What people chose to be told and when."""

    shows = ("user", "user_id", "user_id")
    list_display = ("user", "reminders", "channels", "quiet_from", "quiet_until", "time_zone")
    list_select_related = ("user",)
    search_fields = ("user__email__exact",)
    search_help_text = "The person's whole email address or id"
    ordering = ("-pk",)


class OfPerson(ReadOnly):
    """What belongs to one person and is found by them."""

    shows = ("user", "user_id", "user_id")
    list_select_related = ("user",)
    search_fields = ("user__email__exact",)
    search_help_text = "The person's whole email address or id"
    found_by_id: ClassVar[tuple[str, ...]] = ("user",)
    ordering = ("-pk",)


@admin.register(AuthenticatorApp)
class AuthenticatorAppAdmin(OfPerson):
    """Who signs in with an authenticator app. Its secret is shown nowhere."""

    list_display = fields = ("user", "started_at", "turned_on_at")


@admin.register(RecoveryCode)
class RecoveryCodeAdmin(OfPerson):
    """Which recovery codes are left and which were used. The codes themselves are kept nowhere."""

    list_display = fields = ("user", "made_at", "used_at")


@admin.register(Passkey)
class PasskeyAdmin(OfPerson):
    """Who signs in with passkeys, and when they did last."""

    entity = "passkey"
    list_display = fields = ("user", "name", "created_at", "last_used_at")
    found_by_id = ("pk", "user")


@admin.register(SpentTicket)
class SpentTicketAdmin(ReadOnly):
    """Tickets of sign-ins that have done their work; the housekeeping deletes them once they would have ended."""

    without_personal_data = "Digests."
    list_display = fields = ("digest", "ends_at")
    found_by_id: ClassVar[tuple[str, ...]] = ()
    search_fields = ("digest__exact",)
    ordering = ("-ends_at",)


@admin.register(CalendarFeed)
class CalendarFeedAdmin(ReadOnly):
    """Who has a private calendar address. The address itself is kept nowhere."""

    shows = ("user", "user_id", "user_id")
    list_display = fields = ("user", "created_at")
    list_select_related = ("user",)
    search_fields = ("user__email__exact",)
    search_help_text = "The person's whole email address or id"
    ordering = ("-pk",)
