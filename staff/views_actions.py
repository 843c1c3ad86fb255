"""The page of an action: what it will do to whom, the reason, then the result for each target."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from accounts.models import User
from staff import registry
from staff.actions import MOST, REFUSALS, Action, Done, ReasonForm, perform

HIGHEST = 2**63


@require_http_methods(["GET", "HEAD", "POST"])
def act(request: HttpRequest, name: str) -> HttpResponseBase:
    """Show the confirmation page (GET) or act (POST) on `?id=…&id=…`. 403 without the permission, 404 for no target,
    422 for a form that lacks something, 409 when nothing could be done."""
    action = registry.ACTIONS.get(name)
    if action is None:
        raise Http404
    actor = request.user
    assert isinstance(actor, User)
    if not action.may(actor):
        raise PermissionDenied
    targets, perceived = _targets(request, action), action.perceived(request)
    try:
        form = _form(request, action, actor, targets)
    except REFUSALS as refused:
        return _page(request, action, targets, None, [Done(targets[0], "refused", refused.message)], 409)
    if request.method != "POST":
        return _page(request, action, targets, form)
    if not form.is_valid():
        return _page(request, action, targets, form, status=422)
    return _act(request, action, actor, targets, form, perceived)


def _targets(request: HttpRequest, action: Action) -> list[Any]:
    """The rows that the address names; [None] for an action without any."""
    if action.model is None:
        return [None]
    ids = [int(text) for text in request.GET.getlist("id") if text.isascii() and text.isdecimal() and int(text) < HIGHEST]
    rows = list(action.model._default_manager.filter(pk__in=ids[:MOST]).order_by("pk"))
    if not rows or (len(rows) > 1 and not action.many):
        raise Http404
    return rows


def _form(request: HttpRequest, action: Action, actor: User, targets: list[Any]) -> forms.Form:
    form = ReasonForm(request.POST if request.method == "POST" else None, initial={"request": uuid.uuid4()})
    own = action.fields(actor, targets)
    form.fields = {**own, **form.fields}
    return form


def _act(
    request: HttpRequest, action: Action, actor: User, targets: list[Any], form: forms.Form, perceived: dict[str, Any]
) -> HttpResponseBase:
    data = {name: value for name, value in form.cleaned_data.items() if name not in {"reason", "request"}}
    data.update(perceived)
    reason, click = form.cleaned_data["reason"], form.cleaned_data["request"]
    done = [perform(action, actor, target, data, reason, click) for target in targets]
    if all(each.how == "refused" for each in done):
        return _page(request, action, targets, form, done, 409)
    if any(each.how == "refused" for each in done):
        return _page(request, action, targets, None, done)
    if not any(each.how == "waiting" for each in done) and (answer := action.answer(request, targets, data)) is not None:
        return answer
    waiting = sum(each.how == "waiting" for each in done)
    if waiting:
        messages.info(request, _("This waits now for a second person to confirm it."))
    else:
        text = ngettext("Done: %(action)s.", "Done for %(number)s: %(action)s.", len(done))
        messages.success(request, text % {"action": action.label, "number": len(done)})
    return HttpResponseRedirect(_back(request, action, targets), status=303)


def _back(request: HttpRequest, action: Action, targets: list[Any]) -> str:
    """Where the person came from: `next`, else the row's page, else the panel's home."""
    following = request.GET.get("next", "")
    if following.startswith("/admin/") and url_has_allowed_host_and_scheme(following, allowed_hosts=None):
        return following
    if action.model is not None and action.model in admin.site._registry and len(targets) == 1:  # noqa: SLF001 - its public face
        meta = action.model._meta
        return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[targets[0].pk])
    return reverse("admin:index")


def _page(
    request: HttpRequest, action: Action, targets: list[Any], form: Any, done: list[Done] | None = None, status: int = 200
) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": action.label,
        "action": action,
        "targets": [action.name_of(target) for target in targets if target is not None],
        "effect": action.effect(targets),
        "form": form,
        "done": done or [],
        "back": _back(request, action, targets),
    }
    return render(request, "staff/act.html", context, status=status)
