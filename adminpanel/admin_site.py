"""The staff site: Django's admin behind our own sign-in."""

import contextlib
import json
import re
from collections.abc import Callable
from functools import update_wrapper
from typing import Any
from urllib.parse import unquote

from django import forms
from django.conf import settings
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.auth import passkeys
from accounts.auth.login import SecondStep, SecondStepRequired, repeat_second_step
from accounts.auth.staff_login import is_staff, set_cookie, sign_out_staff, staff_second_step, staff_sign_in
from accounts.credentials import mfa_status as second_step
from accounts.models import User
from config.api.errors import DomainError

# Django's admin treats any other as GET.
ALLOWED_METHODS = ["GET", "HEAD", "POST"]
MAX_NEXT_LENGTH = 2000
UNPRINTABLE = re.compile(r"[\x00-\x20\x7f-\x9f]")


class StaffSignInForm(forms.Form):
    """The sign-in form of the staff site."""

    username = forms.CharField(
        label="Email address",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True}),
    )
    password = forms.CharField(
        label="Password",
        max_length=128,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class StaffSecondStepForm(forms.Form):
    """The second step: an app code, a recovery code, or a passkey."""

    ticket = forms.CharField(max_length=600, widget=forms.HiddenInput)
    code = forms.CharField(
        label="Code of your app, or a recovery code",
        max_length=40,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autofocus": True, "spellcheck": "false"}),
    )
    # Filled by static/staff/passkey.js.
    passkey = forms.CharField(max_length=32 * 1024, required=False, widget=forms.HiddenInput)

    def sent(self) -> SecondStep:
        """Return the factor that was sent: digits as an app code, anything else as a recovery code."""
        code = "".join(self.cleaned_data["code"].split())
        if self.cleaned_data["passkey"]:
            try:
                passkey = json.loads(self.cleaned_data["passkey"])
            except (ValueError, RecursionError):
                passkey = None
            return SecondStep(passkey=passkey if isinstance(passkey, dict) else {})
        is_of_app = not code or (code.isdecimal() and len(code) <= 8)
        return SecondStep(code=code) if is_of_app else SecondStep(recovery_code=code)


class StaffSite(AdminSite):
    """Django's admin site, for staff users only."""

    index_title = "All data"
    login_form = StaffSignInForm  # type: ignore[assignment]  # ours asks the same sign-in as the API

    @property
    def site_header(self) -> str:  # type: ignore[override]  # an attribute in Django
        return f"{settings.SITE_NAME} staff"

    site_title = site_header

    def has_permission(self, request: HttpRequest) -> bool:
        return is_staff(request.user)

    def admin_view(self, view: Any, cacheable: bool = False) -> Callable[..., HttpResponse]:  # type: ignore[override]  # the stubs name a type variable of their own
        """Wrap every page except sign-in: users who must set up a second step see nothing else."""
        page: Callable[..., HttpResponse] = super().admin_view(view, cacheable)

        @require_http_methods(ALLOWED_METHODS)
        def requested(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if isinstance(request.user, User) and second_step.is_setup_required(request.user) and view != self.logout:
                context = {"title": "One step first", "site_header": self.site_header, "site_title": self.site_title}
                return TemplateResponse(request, "staff/second_step_due.html", context, status=403)
            return page(request, *args, **kwargs)

        return update_wrapper(requested, page)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]  # a plain redirect serves
        """Redirect to the profile, where passwords are changed."""
        return HttpResponseRedirect("/profile")

    password_change_done = password_change  # type: ignore[assignment]  # nothing of Django's own is left here

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        """Return suggestions for the autocomplete fields of this site only.

        Django would serve any relation of any table, which would list people without recording the access.
        """
        requested = request.GET.get("app_label"), request.GET.get("model_name"), request.GET.get("field_name")
        for model, table in self._registry.items():
            for name in table.get_autocomplete_fields(request):
                if requested == (model._meta.app_label, model._meta.model_name, name):
                    return super().autocomplete_view(request)
        raise PermissionDenied

    @method_decorator([never_cache, require_http_methods(ALLOWED_METHODS)])
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the sign-in form; on success, open a session and redirect to the requested page."""
        if request.method == "GET" and self.has_permission(request):
            return HttpResponseRedirect(self.get_next_url(request))
        form: forms.Form = StaffSignInForm(request.POST or None)
        status, more, retry_after = 200, {}, None
        if request.method == "POST":
            if "ticket" in request.POST:
                form = StaffSecondStepForm(request.POST)
            status = 400
            if form.is_valid():
                try:
                    done = self.submit(request, form)
                except DomainError as error:
                    status, form, more = error.status, *self.build_rejection(request, form, error)
                    retry_after = error.retry_after
                else:
                    if isinstance(done, str):
                        response = HttpResponseRedirect(self.get_next_url(request))
                        set_cookie(response, done)
                        return response
                    status, form, more = 200, *self.build_second_step(done)
        context = {
            **self.each_context(request),
            "title": "One more step" if isinstance(form, StaffSecondStepForm) else "Sign in",
            "subtitle": None,
            "app_path": request.get_full_path(),
            "username": "",
            "form": form,
            "next": self.get_next_url(request),
            **more,
            **(extra_context or {}),
        }
        request.current_app = self.name
        page = TemplateResponse(request, "admin/login.html", context, status=status)
        if retry_after is not None:
            page["Retry-After"] = str(retry_after)
        return page

    def submit(self, request: HttpRequest, form: forms.Form) -> str | SecondStepRequired:
        """Submit either step; return the token or the required second step."""
        if isinstance(form, StaffSecondStepForm):
            return staff_second_step(request, form.cleaned_data["ticket"], form.sent())
        return staff_sign_in(request, form.cleaned_data["username"], form.cleaned_data["password"])

    def build_second_step(self, due: SecondStepRequired) -> tuple[forms.Form, dict[str, Any]]:
        """Return the form of the second step, and the passkey options for its template."""
        form = StaffSecondStepForm(initial={"ticket": due.ticket})
        requested = (
            passkeys.build_authentication_options(due.user, due.ticket) if second_step.PASSKEY in due.methods else None
        )
        return form, {"passkey_options": json.dumps(requested) if requested else ""}

    def build_rejection(
        self, request: HttpRequest, form: forms.Form, error: DomainError
    ) -> tuple[forms.Form, dict[str, Any]]:
        """Return the form with the error: the same one, or the first one if the second step has expired."""
        if error.code == "second_step_failed":
            # An expired ticket leads back to the first step.
            with contextlib.suppress(DomainError):
                new_form, more = self.build_second_step(repeat_second_step(form.cleaned_data["ticket"], timezone.now()))
                return new_form, {**more, "error": error.message}
        new_form = StaffSignInForm() if isinstance(form, StaffSecondStepForm) else form
        return new_form, {"error": error.message, "set_up_first": error.code == "second_step_required"}

    @method_decorator(never_cache)
    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]  # a plain redirect serves
        """End the session; requires a POST with CSRF token."""
        response = HttpResponseRedirect(reverse("admin:login"))
        if request.method == "POST":
            sign_out_staff(request, response)
        return response

    def get_next_url(self, request: HttpRequest) -> str:
        """Return the page to open after sign-in, on the staff site only."""
        next_url = request.POST.get("next") or request.GET.get("next") or ""
        start = reverse("admin:index")
        safe = url_has_allowed_host_and_scheme(next_url, allowed_hosts={request.get_host()})
        return next_url if safe and is_below(next_url, start) else start


def is_below(address: str, start: str) -> bool:
    """Return whether an address is below `start` however a browser or proxy resolves it (WHATWG URL, 4.4).

    Dot segments, backslashes, empty segments and what browsers drop are rejected, even if percent-encoded repeatedly.
    """
    if len(address) > MAX_NEXT_LENGTH or UNPRINTABLE.search(address):
        return False
    path = re.split("[?#]", address, maxsplit=1)[0]
    while (plain := unquote(path)) != path:
        path = plain
    segments = path.removeprefix("/").split("/")
    # The last one is empty where the path ends with a slash.
    is_plain = "\\" not in path and not UNPRINTABLE.search(path) and not {".", ".."} & {*segments}
    return is_plain and "" not in segments[:-1] and address.startswith(start)
