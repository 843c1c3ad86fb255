"""Friends and blocked people: their page, and what its buttons do. Each button is a plain form."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import limits, names, ties
from accounts.models import User

Press = Callable[[HttpRequest, int], HttpResponse | None]
HIGHEST = 2**63 - 1


@never_cache
@login_required
@require_safe
def friends(request: HttpRequest) -> HttpResponse:
    """Requests received and sent, friends, blocked people."""
    return _page(request)


def _page(request: HttpRequest, status: int = 200, **more: str) -> HttpResponse:
    context = {"people": ties.people_of(_me(request)), "name_length": names.MAX_LENGTH, **more}
    return render(request, "accounts/friends.html", context, status=status)


def _me(request: HttpRequest) -> User:
    """Who is logged in: guests have no friends and never get here."""
    assert isinstance(request.user, User)
    return request.user


def _button(view: Press) -> Callable[[HttpRequest], HttpResponse]:
    """A POST about one person (`user`, an id): 422 for no id, 404 for nobody; then back to the page it came from."""

    @never_cache
    @login_required
    @require_POST
    @wraps(view)
    def pressed(request: HttpRequest) -> HttpResponse:
        other_id = _id(request)
        if other_id is None:
            return _page(request, 422, error=_("This is nobody."))
        try:
            return view(request, other_id) or _back(request)
        except ties.NobodyThere:
            raise Http404 from None

    return pressed


def _back(request: HttpRequest) -> HttpResponse:
    """303 to the page of our own that the form names, else to the friends."""
    following = request.POST.get("next", "")
    safe = following.startswith("/") and url_has_allowed_host_and_scheme(following, allowed_hosts=None)
    return HttpResponseRedirect(following if safe else reverse("friends"), status=303)


@never_cache
@login_required
@require_POST
def ask(request: HttpRequest) -> HttpResponse:
    """Ask somebody, by pseudonym (`name`) or by id (`user`), to be friends."""
    name, me = request.POST.get("name", ""), _me(request)
    limits.check("friend", me.pk)
    try:
        other = ties.person_named(name) if name else ties.person_of(_id(request) or 0)
        friends_now = ties.ask(me, other)
    except ties.NobodyThere:
        if not name:
            raise Http404 from None
        yours = names.key(names.clean(name)) == me.name_key
        error = _("That is yourself.") if yours else _("Nobody here has this pseudonym.")
        return _page(request, 422, error=error, name=name[: 2 * names.MAX_LENGTH])
    except ties.YouBlocked:
        return _page(request, 409, error=_("You have blocked this person. Unblock first, then ask."))
    said = _("You and %(name)s are friends now.") if friends_now else _("Your request to %(name)s is sent.")
    messages.success(request, said % {"name": other.display_name})
    return _back(request)


def _id(request: HttpRequest) -> int | None:
    """The id that the form names, None for what cannot be one."""
    text = request.POST.get("user", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 20 and int(text) <= HIGHEST else None


@_button
def accept(request: HttpRequest, other_id: int) -> HttpResponse | None:
    """Accept a request."""
    if not ties.accept(_me(request), other_id):
        return _page(request, 409, error=_("This request is no longer there."))
    return None


@_button
def decline(request: HttpRequest, other_id: int) -> None:
    """Refuse a request, silently."""
    ties.decline(_me(request), other_id)


@_button
def withdraw(request: HttpRequest, other_id: int) -> None:
    """Take back one's own request."""
    ties.withdraw(_me(request), other_id)


@_button
def remove(request: HttpRequest, other_id: int) -> None:
    """Stop being friends."""
    ties.remove(_me(request), other_id)


@_button
def block(request: HttpRequest, other_id: int) -> None:
    """Block somebody, silently and at once."""
    me, other = _me(request), ties.person_of(other_id)
    limits.check("block", me.pk)
    ties.block(me, other)
    messages.success(request, _("You have blocked %(name)s.") % {"name": other.display_name})


@_button
def unblock(request: HttpRequest, other_id: int) -> None:
    """Take a block back."""
    ties.unblock(_me(request), other_id)


@never_cache
@require_POST
def masked_words(request: HttpRequest) -> HttpResponse:
    """Whether insults are shown (`show` 1) or masked (0), for whoever plays here, guests too."""
    player, show = request.player, request.POST.get("show")  # type: ignore[attr-defined]
    if show not in {"0", "1"} or player is None:
        return HttpResponse(status=422)
    User.objects.filter(pk=player.pk).update(sees_insults=show == "1")
    return _back(request)
