"""Pages about one's own data: the archive, and the deletion of the account."""

from __future__ import annotations

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods

from accounts import departures, exports
from accounts.models import User


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def own_data(request: HttpRequest) -> HttpResponse:
    """How the archive stands; POST asks for one. Raises limits.TooOften, the 429 page, within a day of the last one."""
    assert isinstance(request.user, User)
    if request.method == "POST":
        exports.ask(request.user)
        return HttpResponseRedirect(reverse("own_data"))
    latest = exports.latest(request.user)
    return render(request, "accounts/own_data.html", {"export": latest, "ready": exports.ready(latest)})


@never_cache
@login_required
@require_GET
@reauthentication_required
def own_data_download(request: HttpRequest, pk: int) -> HttpResponse:
    """The archive itself, for its owner only, while it is kept."""
    assert isinstance(request.user, User)
    data = exports.content(request.user, pk)
    if data is None:
        raise Http404
    response = HttpResponse(data, content_type="application/zip")
    response.headers["Content-Disposition"] = 'attachment; filename="cinqsite.zip"'
    return response


@never_cache
@login_required
@reauthentication_required
@require_http_methods(["GET", "HEAD", "POST"])
def departure(request: HttpRequest) -> HttpResponse:
    """What deletion means; POST `do=delete` asks for it and signs out, `do=keep` comes back."""
    assert isinstance(request.user, User)
    user = request.user
    if request.method == "POST":
        if request.POST.get("do") == "keep":
            if departures.keep(user):
                messages.success(request, _("Welcome back. Your account stays, and your tables are yours again."))
            return HttpResponseRedirect(reverse("home") if user.leaving_at is None else reverse("departure"))
        if request.POST.get("do") == "delete" and request.POST.get("sure") == "yes":
            row = departures.ask(user)
            logout(request)
            return render(request, "accounts/departure_asked.html", {"due_at": row.due_at})
    status = 422 if request.method == "POST" else 200
    return render(request, "accounts/departure.html", {"departure": departures.pending(user)}, status=status)
