"""The page of somebody's own measures, open to him also while he is shut out, and his appeal."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import limits, sanctions
from accounts.models import Sanction, User


@never_cache
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """Every measure against the visitor, newest first."""
    return _page(request, sanctions.shown_to(request))


def _page(request: HttpRequest, user: User | None, error: str = "", text: str = "", status: int = 200) -> HttpResponse:
    rows = Sanction.objects.filter(user=user).select_related("appeal").order_by("-pk")[:50] if user else []
    ids = set(sanctions.in_force(user.pk).values_list("pk", flat=True)) if user else set()
    context = {"sanctions": rows, "in_force": ids, "whose": user, "error": error, "text": text, "longest": sanctions.TEXT_LENGTH}
    return render(request, "accounts/sanctions.html", context, status=status)


@never_cache
@require_POST
def appeal(request: HttpRequest, sanction_id: int) -> HttpResponse:
    """File the appeal against one measure. 404 for somebody else's, 409 for a second one, 422 without a text."""
    user = sanctions.shown_to(request)
    if user is None or not Sanction.objects.filter(pk=sanction_id, user=user).exists():
        raise Http404
    limits.check("appeal", f"user:{user.pk}")
    text = request.POST.get("text", "")
    try:
        sanctions.appeal(user, sanction_id, text)
    except sanctions.Refused as refused:
        return _page(request, user, refused.message, text, 422 if refused.code == "empty" else 409)
    return HttpResponseRedirect(reverse("sanctions"), status=303)
