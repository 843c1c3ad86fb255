"""Who asks, in which language and time zone: `request.player`, and the answer for people who ask too often."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers

from accounts import access, guests, sanctions, sessions, social_views
from accounts.limits import TooOften
from accounts.models import User

GetResponse = Callable[[HttpRequest], HttpResponse]


class PlayerMiddleware:
    """Sets `request.player`: the logged-in user, else the session's guest, else None. Comes after authentication."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Find the player, end a session that is too old, note the visit."""
        request.player = self._player(request)  # type: ignore[attr-defined]
        if request.player is not None:  # type: ignore[attr-defined]
            sessions.touch(request, request.player)  # type: ignore[attr-defined]
        sessions.lend_headers(request)
        response = self.get_response(request)
        sessions.strip_headers(request)
        return response

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """Send staff without a second factor to its enrolment, whoever was just shut out to the page that tells why, and whoever
        has asked to be deleted to the page of that."""
        if request.shut_out:  # type: ignore[attr-defined]
            return HttpResponseRedirect(reverse("sanctions"), status=303)
        if access.must_enrol(request):
            return HttpResponseRedirect(reverse("mfa_activate_totp"))
        if access.is_leaving(request):
            return HttpResponseRedirect(reverse("departure"))
        try:
            social_views.count(request)
        except TooOften as refusal:
            return too_often(request, refusal)
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer 429, with the time to wait, where a limit was hit; say kindly that a provider of accounts failed."""
        return too_often(request, exception) if isinstance(exception, TooOften) else social_views.failed(request, exception)

    def _player(self, request: HttpRequest) -> User | None:
        player = self._named(request)
        request.shut_out = player is not None and sanctions.suspended(player)  # type: ignore[attr-defined]
        if player is None or not sanctions.suspended(player):
            return player
        logout(request)
        request.session[sanctions.SESSION_KEY] = player.pk
        return None

    def _named(self, request: HttpRequest) -> User | None:
        user = request.user
        if user.is_authenticated:
            if not sessions.expired(request.session, user):
                return user
            logout(request)
        return guests.of(request.session)


class LanguageMiddleware:
    """Activates language and time zone of the player. Comes after PlayerMiddleware, instead of Django's LocaleMiddleware."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Activate both for the request; they are set anew for each, so nothing is carried over."""
        language = language_of(request)
        translation.activate(language)
        request.LANGUAGE_CODE = language
        timezone.activate(timezone_of(request.player))  # type: ignore[attr-defined]
        response = self.get_response(request)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        response.headers.setdefault("Content-Language", translation.get_language() or language)
        return response


def language_of(request: HttpRequest) -> str:
    """The player's language, else the cookie's, else the browser's, else French."""
    player = request.player  # type: ignore[attr-defined]
    if player is not None and player.language in dict(settings.LANGUAGES):
        return str(player.language)
    return translation.get_language_from_request(request)


def timezone_of(player: User | None) -> zoneinfo.ZoneInfo:
    """The time zone a person has chosen, else the site's (Paris)."""
    try:
        return zoneinfo.ZoneInfo(player.timezone) if player is not None and player.timezone else _site_zone()
    except (zoneinfo.ZoneInfoNotFoundError, ValueError):
        return _site_zone()


def _site_zone() -> zoneinfo.ZoneInfo:
    return zoneinfo.ZoneInfo(settings.TIME_ZONE)


def too_often(request: HttpRequest, refusal: TooOften) -> HttpResponse:
    """The 429 page."""
    minutes = -(-refusal.retry_after // 60)
    response = render(request, "429.html", {"retry_after": refusal.retry_after, "minutes": minutes}, status=429)
    response.headers["Retry-After"] = str(refusal.retry_after)
    response.headers["Cache-Control"] = "no-store"
    return response
