"""Pages of accounts beside allauth's: own settings, language, confirmation, unsubscribing, and the mails of a debug site."""

from __future__ import annotations

import email
import email.policy
import time
from typing import Any

from allauth.account.internal.decorators import login_not_required
from allauth.account.models import EmailAddress
from allauth.account.views import ConfirmEmailView
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.mfa.utils import decrypt
from allauth.usersessions.adapter import get_adapter as get_sessions_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core import signing
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts import confirmation, guests, limits, notices
from accounts.forms import AvatarForm, NameForm, PreferencesForm
from accounts.models import User

SHOWN_MAILS = 50
TOTP_PERIOD = 30  # seconds


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """The settings of the person or guest; a POST saves how he reads and plays."""
    return _settings(request, PreferencesForm)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def choose_avatar(request: HttpRequest) -> HttpResponse:
    """The avatar: a colour and a figure."""
    return _settings(request, AvatarForm)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def choose_name(request: HttpRequest) -> HttpResponse:
    """Another pseudonym."""
    return _settings(request, NameForm)


def _settings(request: HttpRequest, posted: type[NameForm | AvatarForm | PreferencesForm]) -> HttpResponse:
    """The page of all settings; the form that was posted is saved, or shown again with its errors (422)."""
    player = request.player  # type: ignore[attr-defined]
    if player is None:
        return redirect_to_login(reverse("settings"))
    # A copy of the row for each: a refused name must not appear in the header of the page that refuses it.
    forms: dict[str, Any] = {}
    for name, kind in {"name": NameForm, "avatar": AvatarForm, "preferences": PreferencesForm}.items():
        data = request.POST if request.method == "POST" and kind is posted else None
        forms[name] = kind(data, user=User.objects.get(pk=player.pk))
    form = next(form for form in forms.values() if isinstance(form, posted))
    if form.is_bound and form.is_valid():
        try:
            form.save()
        except ValidationError as error:
            form.add_error("username", error)
        else:
            with translation.override(form.cleaned_data.get("language") or translation.get_language()):
                messages.success(request, _("Your settings are saved."))
            return HttpResponseRedirect(reverse("settings"), status=303)
    return render(request, "accounts/settings.html", forms, status=422 if form.errors else 200)


@login_required
@require_POST
def end_session(request: HttpRequest, pk: int) -> HttpResponse:
    """End one other session of one's own, after the password (or the second factor) again. 404 for anybody else's."""
    assert request.user.pk is not None
    session = get_object_or_404(
        UserSession.objects.exclude(session_key=request.session.session_key), pk=pk, user_id=request.user.pk
    )
    get_sessions_adapter().end_sessions([session])
    messages.success(request, _("That session is over."))
    return HttpResponseRedirect(reverse("usersessions_list"), status=303)


@require_POST
def set_language(request: HttpRequest) -> HttpResponse:
    """Switch the language: in the profile of whoever has one, and in the browser."""
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        return HttpResponse(status=422)
    player = request.player  # type: ignore[attr-defined]
    if player is not None:
        User.objects.filter(pk=player.pk).update(language=language)
    response = HttpResponseRedirect(_following(request), status=303)
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        samesite="Lax",
    )
    return response


def _following(request: HttpRequest) -> str:
    """The page of this site that a form says to go to, else the home page."""
    following = request.POST.get("next", "")
    return following if following.startswith("/") and url_has_allowed_host_and_scheme(following, allowed_hosts=None) else "/"


@require_POST
def decline_account(request: HttpRequest) -> HttpResponse:
    """A guest says no to an account: he is not asked again."""
    player = request.player  # type: ignore[attr-defined]
    if player is not None:
        guests.decline(player)
    return HttpResponseRedirect(_following(request), status=303)


@csrf_exempt
@never_cache
@login_not_required
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the mails, without login. GET shows a button; POST acts (mail programs post here by RFC 8058, without a cookie)."""
    user = notices.unsubscribing(token)
    if user is None:
        raise Http404
    if request.method == "POST":
        User.objects.filter(pk=user.pk).update(email_turns=False)
    return render(request, "accounts/unsubscribe.html", {"done": request.method == "POST"})


class ConfirmEmail(ConfirmEmailView):
    """The page of a mailed confirmation link. Only its button acts: mail scanners open links, and may open them twice."""

    def get(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show the button, or what became of the link. Unlike allauth's, it leaves whoever is logged in alone."""
        try:
            self.object = self.get_object()
        except Http404:
            self.object = None
        return self.render_to_response(self.get_context_data(), status=200 if self.object else 404)

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Confirm, once; a second time say so."""
        try:
            return super().post(*args, **kwargs)
        except Http404:
            self.object = None
            return self.render_to_response(self.get_context_data(), status=404)

    def get_redirect_url(self) -> str:
        """Where to go from here: the adapter knows, also the page the person was on the way to."""
        from allauth.account.adapter import get_adapter

        return get_adapter().get_email_verification_redirect_url(self.object.email_address)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """allauth's context, and whether the address of a link that does nothing is confirmed already."""
        context = super().get_context_data(**kwargs)
        context["already"] = self.object is None and self._confirmed_before()
        return context

    def _confirmed_before(self) -> bool:
        try:
            pk = signing.loads(self.kwargs["key"], salt=settings.ACCOUNT_SALT)
        except signing.BadSignature:
            return False
        return EmailAddress.objects.filter(pk=pk, verified=True).exists()


@never_cache
@login_not_required
@require_POST
def confirm_by_code(request: HttpRequest) -> HttpResponse:
    """Confirm an address by the code of the mail, in the browser that asked; where none was sent every code is wrong."""
    limits.check("confirm_code", request.session.session_key or limits.by_address(request))
    key = confirmation.take(request, request.POST.get("code", ""))
    if not key:
        messages.error(request, _("This code is not right, or it is too old. Look for the newest mail."))
        return HttpResponseRedirect(reverse("account_email_verification_sent"))
    answer: HttpResponse = ConfirmEmail.as_view()(request, key=key)
    return answer


@never_cache
@require_GET
def dev_mails(request: HttpRequest) -> HttpResponse:
    """The mails this site would have sent, newest first. A debug site's only."""
    if not settings.DEBUG:
        raise Http404
    files = sorted(settings.MAIL_FOLDER.glob("*.eml"), key=lambda p: p.name, reverse=True)[:SHOWN_MAILS]
    mails = []
    for path in files:
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        body = message.get_body(("plain",))
        text = body.get_content() if body else ""
        mails.append({"to": message["To"], "subject": message["Subject"], "date": message["Date"], "text": text})
    return render(request, "accounts/dev_mails.html", {"mails": mails, "totp": _demo_code(), "demo_admin": settings.DEMO_ADMIN})


def _demo_code() -> str | None:
    """The code that the demo administrator's authenticator app would show now."""
    row = Authenticator.objects.filter(user__username=settings.DEMO_ADMIN, type=Authenticator.Type.TOTP).first()
    return format_hotp_value(hotp_value(decrypt(row.data["secret"]), int(time.time()) // TOTP_PERIOD)) if row else None
