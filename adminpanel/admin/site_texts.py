"""Imprint, terms of use and privacy policy."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from adminpanel.admin.base import AuditedAdmin, clean_reason_text, get_staff_user, has_permission
from adminpanel.models import SiteText
from adminpanel.operations.site_texts import delete_site_text, save_site_text

TEXT_HELP = (
    "An empty line begins a paragraph. A line that begins with “# ” is a heading, one with “## ” a heading below it,"
    " and lines that begin with “- ” are a list. Addresses that begin with https:// become links."
)


class SiteTextForm(forms.ModelForm):  # type: ignore[type-arg]  # of one model
    """A text without control characters."""

    class Meta:
        help_texts: ClassVar[dict[str, str]] = {
            "kind": "A privacy policy replaces the one that comes with the site.",
            "language": "The language in which it is written, like en, de or pt-BR.",
            "text": TEXT_HELP,
        }
        widgets: ClassVar[dict[str, forms.Widget]] = {"text": forms.Textarea(attrs={"rows": 30, "cols": 100})}

    def clean_text(self) -> str:
        return clean_reason_text(self.cleaned_data["text"])


@admin.register(SiteText)
class SiteTextAdmin(AuditedAdmin):
    """The texts at `/imprint`, `/terms` and `/privacy`."""

    no_personal_data_reason = "Texts that everybody may read."
    entity = "site_text"
    form = SiteTextForm
    id_search_fields: ClassVar[tuple[str, ...]] = ()
    fields = ("kind", "language", "text")
    list_display = ("kind", "language", "updated_at")
    search_fields = ("kind", "language")
    search_help_text = "The kind of text or its language"
    ordering = ("kind", "language")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return has_permission(request, "adminpanel.edit_sitetext")

    has_change_permission = has_delete_permission = has_add_permission

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if form.changed_data:
            save_site_text(obj, actor=get_staff_user(request), now=timezone.now())

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        delete_site_text(obj, actor=get_staff_user(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for site_text in queryset:
            delete_site_text(site_text, actor=get_staff_user(request))
