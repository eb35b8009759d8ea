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

# Django's admin takes any other for a GET.
METHODS = ["GET", "HEAD", "POST"]
LONGEST_NEXT = 2000
UNPRINTABLE = re.compile(r"[\x00-\x20\x7f-\x9f]")


class StaffSignInForm(forms.Form):
    """Who signs in to the staff site."""

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
    """The second step: a code of the app, a recovery code, or what the browser signed with a passkey."""

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
        """Return what was sent; six digits are the app's, anything else is meant as a recovery code."""
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
    """Django's admin for those who are staff, and for nobody else."""

    index_title = "All data"
    login_form = StaffSignInForm  # type: ignore[assignment]  # ours asks the same sign-in as the API

    @property
    def site_header(self) -> str:  # type: ignore[override]  # an attribute in Django
        return f"{settings.SITE_NAME} staff"

    site_title = site_header  # type: ignore[assignment]  # as above

    def has_permission(self, request: HttpRequest) -> bool:
        return is_staff(request.user)

    def admin_view(self, view: Any, cacheable: bool = False) -> Callable[..., HttpResponse]:  # type: ignore[override]  # the stubs name a type variable of their own
        """Wrap every page but the sign-in: a user who must set up a second step first sees nothing else."""
        page: Callable[..., HttpResponse] = super().admin_view(view, cacheable)

        @require_http_methods(METHODS)
        def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if isinstance(request.user, User) and second_step.is_setup_required(request.user) and view != self.logout:
                context = {"title": "One step first", "site_header": self.site_header, "site_title": self.site_title}
                return TemplateResponse(request, "staff/second_step_due.html", context, status=403)
            return page(request, *args, **kwargs)

        return update_wrapper(asked, page)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]  # a plain redirect serves
        """Lead to the profile, where a new password ends the other sessions."""
        return HttpResponseRedirect("/profile")

    password_change_done = password_change  # type: ignore[assignment]  # nothing of Django's own is left here

    def autocomplete_view(self, request: HttpRequest) -> HttpResponse:
        """Suggest what a form of this site searches, and nothing else.

        Django suggests the rows behind any relation of any table, which would list people without a record of it.
        """
        asked = request.GET.get("app_label"), request.GET.get("model_name"), request.GET.get("field_name")
        for model, table in self._registry.items():
            for name in table.get_autocomplete_fields(request):
                if asked == (model._meta.app_label, model._meta.model_name, name):
                    return super().autocomplete_view(request)
        raise PermissionDenied

    @method_decorator([never_cache, require_http_methods(METHODS)])
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Ask who is there; a right answer opens a session and goes on to where the person wanted to go."""
        if request.method == "GET" and self.has_permission(request):
            return HttpResponseRedirect(self.next_of(request))
        form: forms.Form = StaffSignInForm(request.POST or None)
        status, more, retry_after = 200, {}, None
        if request.method == "POST":
            if "ticket" in request.POST:
                form = StaffSecondStepForm(request.POST)
            status = 400
            if form.is_valid():
                try:
                    done = self.take(request, form)
                except DomainError as refused:
                    status, form, more = refused.status, *self.refusal(request, form, refused)
                    retry_after = refused.retry_after
                else:
                    if isinstance(done, str):
                        response = HttpResponseRedirect(self.next_of(request))
                        set_cookie(response, done)
                        return response
                    status, form, more = 200, *self.second_step(done)
        context = {
            **self.each_context(request),
            "title": "One more step" if isinstance(form, StaffSecondStepForm) else "Sign in",
            "subtitle": None,
            "app_path": request.get_full_path(),
            "username": "",
            "form": form,
            "next": self.next_of(request),
            **more,
            **(extra_context or {}),
        }
        request.current_app = self.name
        page = TemplateResponse(request, "admin/login.html", context, status=status)
        if retry_after is not None:
            page["Retry-After"] = str(retry_after)
        return page

    def take(self, request: HttpRequest, form: forms.Form) -> str | SecondStepRequired:
        """Take what was sent in either step; return the token, or what the second step needs."""
        if isinstance(form, StaffSecondStepForm):
            return staff_second_step(request, form.cleaned_data["ticket"], form.sent())
        return staff_sign_in(request, form.cleaned_data["username"], form.cleaned_data["password"])

    def second_step(self, due: SecondStepRequired) -> tuple[forms.Form, dict[str, Any]]:
        """Make the form of the second step, and what its passkey button needs."""
        form = StaffSecondStepForm(initial={"ticket": due.ticket})
        asked = (
            passkeys.build_authentication_options(due.user, due.ticket) if second_step.PASSKEY in due.methods else None
        )
        return form, {"passkey_options": json.dumps(asked) if asked else ""}

    def refusal(
        self, request: HttpRequest, form: forms.Form, refused: DomainError
    ) -> tuple[forms.Form, dict[str, Any]]:
        """Make the form that says why: the same one, or the first one where the second step has run out."""
        if refused.code == "second_step_failed":
            # A ticket that ended in this very moment leads back to the first step.
            with contextlib.suppress(DomainError):
                again, more = self.second_step(repeat_second_step(form.cleaned_data["ticket"], timezone.now()))
                return again, {**more, "refused": refused.message}
        again = StaffSignInForm() if isinstance(form, StaffSecondStepForm) else form
        return again, {"refused": refused.message, "set_up_first": refused.code == "second_step_required"}

    @method_decorator(never_cache)
    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]  # a plain redirect serves
        """End the session; only a form of ours can ask for it."""
        response = HttpResponseRedirect(reverse("admin:login"))
        if request.method == "POST":
            sign_out_staff(request, response)
        return response

    def next_of(self, request: HttpRequest) -> str:
        """Return where to go after signing in: a page of this site, and nowhere else."""
        wanted = request.POST.get("next") or request.GET.get("next") or ""
        start = reverse("admin:index")
        safe = url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()})
        return wanted if safe and stays_below(wanted, start) else start


def stays_below(address: str, start: str) -> bool:
    """Return whether an address is below `start` however a browser or proxy resolves it (WHATWG URL, 4.4).

    Dot segments, backslashes, empty segments and what browsers drop are refused, percent-encoded as often as may be.
    """
    if len(address) > LONGEST_NEXT or UNPRINTABLE.search(address):
        return False
    path = re.split("[?#]", address, maxsplit=1)[0]
    while (plain := unquote(path)) != path:
        path = plain
    segments = path.removeprefix("/").split("/")
    # The last one is empty where the path ends with a slash.
    is_plain = "\\" not in path and not UNPRINTABLE.search(path) and not {".", ".."} & {*segments}
    return is_plain and "" not in segments[:-1] and address.startswith(start)
