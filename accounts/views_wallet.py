"""The page of one's own tokens: what there is, and every movement, newest first."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import wallet


@never_cache
@login_required
@require_safe
def tokens(request: HttpRequest) -> HttpResponse:
    """Free, held and staked tokens, and a page of the movements below `?before=`; 422 for what is no number."""
    text = request.GET.get("before", "")
    good = text.isascii() and text.isdigit() and len(text) < 19
    assert request.user.pk is not None
    user_id: int = request.user.pk
    have = wallet.balance(user_id)
    rows, older = wallet.history(user_id, int(text) if good else None)
    context = {
        "have": have,
        "total": have.free + have.held + have.at_stake,
        "rows": rows,
        "older": older,
        "welcome": wallet.WELCOME,
        "refill_to": wallet.REFILL_TO,
    }
    return render(request, "accounts/wallet.html", context, status=200 if good or not text else 422)
