"""The legal pages: who runs the site, what it keeps of people, how one behaves. Long texts, hence a template a language."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

PAGES = ("notice", "privacy", "conduct")


@require_safe
def legal(request: HttpRequest, page: str) -> HttpResponse:
    """One of PAGES in the reader's language; 404 for any other."""
    if page not in PAGES:
        raise Http404(page)
    context = {
        "operator": settings.OPERATOR_NAME,
        "address": settings.OPERATOR_ADDRESS,
        "email": settings.OPERATOR_EMAIL,
        "hosting": settings.HOSTING,
        "site": settings.SITE_URL,
    }
    return render(request, f"legal/{(get_language() or settings.LANGUAGE_CODE)[:2]}/{page}.html", context)
