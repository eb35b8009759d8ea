"""The staff site: Django's admin behind our own sign-in."""

from typing import Any

from django import forms
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache

from accounts.staff_sign_in import is_staff, keep, leave, staff_sign_in
from config.errors import RuleBroken


class StaffSignInForm(forms.Form):
    """Who signs in to the staff site."""

    username = forms.CharField(
        label="E-mail",
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True}),
    )
    password = forms.CharField(
        label="Password",
        max_length=128,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class StaffSite(AdminSite):
    """Django's admin for those who are staff, and for nobody else."""

    site_header = "Wellhour staff"
    site_title = "Wellhour staff"
    index_title = "What is kept"
    login_form = StaffSignInForm  # type: ignore[assignment]  # ours asks the same sign-in as the API

    def has_permission(self, request: HttpRequest) -> bool:
        return is_staff(request.user)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]  # a plain redirect serves
        """Lead to the profile, where a new password ends the other sessions."""
        return HttpResponseRedirect("/profile")

    password_change_done = password_change  # type: ignore[assignment]  # nothing of Django's own is left here

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Ask who is there; a right answer opens a session and goes on to where the person wanted to go."""
        if request.method == "GET" and self.has_permission(request):
            return HttpResponseRedirect(self.next_of(request))
        status, retry_after = 200, None
        form = StaffSignInForm(request.POST or None)
        if request.method == "POST":
            status = 400
            if form.is_valid():
                try:
                    token = staff_sign_in(request, form.cleaned_data["username"], form.cleaned_data["password"])
                except RuleBroken as refused:
                    form.add_error(None, refused.message)
                    status, retry_after = refused.status, refused.retry_after
                else:
                    response = HttpResponseRedirect(self.next_of(request))
                    keep(response, token)
                    return response
        context = {
            **self.each_context(request),
            "title": "Sign in",
            "subtitle": None,
            "app_path": request.get_full_path(),
            "username": "",
            "form": form,
            "next": self.next_of(request),
            **(extra_context or {}),
        }
        request.current_app = self.name
        page = TemplateResponse(request, "admin/login.html", context, status=status)
        if retry_after is not None:
            page["Retry-After"] = str(retry_after)
        return page

    @method_decorator(never_cache)
    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:  # type: ignore[override]  # a plain redirect serves
        """End the session; only a form of ours can ask for it."""
        response = HttpResponseRedirect(reverse("admin:login"))
        if request.method == "POST":
            leave(request, response)
        return response

    def next_of(self, request: HttpRequest) -> str:
        """Answer where to go after signing in: a page of this site, and nowhere else."""
        wanted = request.POST.get("next") or request.GET.get("next") or ""
        start = reverse("admin:index")
        safe = url_has_allowed_host_and_scheme(wanted, allowed_hosts={request.get_host()})
        return wanted if safe and wanted.startswith(start) else start
