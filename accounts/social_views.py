"""Pages of accounts of other sites beside allauth's: proving who one is by a provider, and answers to what goes wrong there."""

from __future__ import annotations

import logging

import requests
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.base import ProviderException
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

from accounts import limits
from accounts.social import refused

log = logging.getLogger(__name__)

ROADS = ("_login", "_callback")
# What a provider's odd answer, or none, raises inside allauth; none of it may become a 500.
FAULTS = (
    AttributeError,
    requests.RequestException,
    RedisError,  # allauth remembers some providers' tokens in the cache
    OAuth2Error,
    ProviderException,
    ImproperlyConfigured,
    IntegrityError,
    KeyError,
    TypeError,
    ValueError,
)


@never_cache
@login_required
@require_safe
def prove(request: HttpRequest) -> HttpResponse:
    """Who has no password proves by a linked account of another site that it is he, before a sensitive change."""
    linked = list(SocialAccount.objects.filter(user_id=request.user.pk).values_list("provider", flat=True))
    return render(request, "socialaccount/prove.html", {"linked": linked, "following": request.GET.get("next", "")})


def on_road(request: HttpRequest) -> bool:
    """Whether the request is for a login or callback page of a provider."""
    match = request.resolver_match
    module = getattr(match.func, "__module__", "") if match is not None else ""
    return match is not None and module.startswith("allauth.socialaccount.providers.") and str(match.url_name).endswith(ROADS)


def count(request: HttpRequest) -> None:
    """Count a trip to a provider, each of which costs requests of ours; raises limits.TooOften."""
    if request.method == "POST" and on_road(request):
        limits.check("social", limits.by_address(request))


def failed(request: HttpRequest, exception: Exception) -> HttpResponse | None:
    """The kind page for an exception on the road to a provider; None for every other one."""
    if not isinstance(exception, FAULTS) or not on_road(request):
        return None
    log.warning("provider trouble at %s: %s", request.resolver_match, type(exception).__name__)
    return refused(request, None, cancelled=False)


def closed(request: HttpRequest) -> HttpResponse:
    """A door of allauth's that the site does not use: logging in by a token from a provider's script."""
    raise Http404
