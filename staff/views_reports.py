"""Reporting somebody: the form, from a table, a message or a profile; and the page of one's own reports."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games import chat, live, registry, selectors
from games.errors import NotFound
from games.models import ChatMessage, Seat, Table
from staff import reports
from staff.models import Report

PLIES_OFFERED = 30
_CODE = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class ReportForm(forms.Form):
    """Whom, about which move, what and why; `whom` and `ply` only where there is a choice."""

    whom = forms.TypedChoiceField(label=gettext_lazy("Whom"), coerce=int)
    ply = forms.TypedChoiceField(label=gettext_lazy("About which move"), coerce=int, required=False)
    kind = forms.ChoiceField(label=gettext_lazy("What is it about?"), choices=Report.Kind.choices)
    text = forms.CharField(
        label=gettext_lazy("What happened"),
        required=False,
        max_length=reports.TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=gettext_lazy("Only the staff reads it, together with what everybody could see at the table."),
    )


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest) -> HttpResponse:
    """`?table=CODE&ply=N` or `?person=ID`. 404 for what the reader may not know of, 422 for a form that lacks something."""
    player: User | None = request.player  # type: ignore[attr-defined]
    if player is None:
        return redirect_to_login(request.get_full_path())
    table = _table(request)
    message = _message(request, player, table)
    people = (
        [seat for seat in reports.suspects(table, player) if message is None or seat.user_id == message.user_id] if table else []
    )
    form = _form(request, player, table, people)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        ply = int(data["ply"] or 0)
        context = reports.context_of(table, ply) if table and table.started_at else {}
        if message is not None:
            context["messages"] = reports.messages_until(message)
        suspect = User.objects.get(pk=data["whom"])
        code = table.code if table else ""
        reports.file(
            player,
            suspect,
            kind=data["kind"],
            text=data["text"],
            table=code,
            ply=ply,
            message=message.pk if message else 0,
            context=context,
        )
        messages.success(request, _("Thank you. The staff will look at it, and you will read the outcome here."))
        return HttpResponseRedirect(reverse("reports"), status=303)
    context = {"form": form, "table": table, "message": message, "whom": people[0].user if len(people) == 1 else None}
    return render(request, "staff/report.html", context, status=422 if form.errors else 200)


def _table(request: HttpRequest) -> Table | None:
    """The table that the address names, if this reader may know of it. Raises Http404."""
    code = request.GET.get("table", "")
    if not code:
        return None
    try:
        glimpse, _me = live.look(request, code if set(code) <= set(_CODE) and len(code) == 10 else "")
    except NotFound as refused:
        raise Http404(refused.code) from refused
    return glimpse.table


def _message(request: HttpRequest, player: User, table: Table | None) -> ChatMessage | None:
    """Somebody else's message that the address names, if this reader may read the chat of its table. Raises Http404."""
    text = request.GET.get("message", "")
    if not text:
        return None
    if table is None or not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Http404
    if not chat.may_read(selectors.seat_of(table, player), player):
        raise Http404
    rows = ChatMessage.objects.filter(pk=int(text), table=table, hidden_at__isnull=True).exclude(user=player)
    message = rows.select_related("user", "table").first()
    if message is None:
        raise Http404
    return message


def _form(request: HttpRequest, player: User, table: Table | None, people: list[Seat]) -> ReportForm:
    form = ReportForm(
        request.POST if request.method == "POST" else None,
        # Only what the address says: an empty value here would hide the one choice of a field below.
        initial={name: request.GET[name] for name in ("whom", "ply") if name in request.GET},
    )
    if table is None:
        person = _person(request.GET.get("person", ""), player)
        form.fields["whom"].choices = [(person.pk, person.display_name)]  # type: ignore[attr-defined]
        form.fields["ply"].choices = [(0, "")]  # type: ignore[attr-defined]
    else:
        if not people:
            raise Http404("nobody")
        form.fields["whom"].choices = [(seat.user_id, selectors.seat_name(seat)) for seat in people]  # type: ignore[attr-defined]
        form.fields["ply"].choices = [(0, _("none in particular")), *_plies(table)]  # type: ignore[attr-defined]
    for name in ("whom", "ply"):
        field: Any = form.fields[name]
        if len(field.choices) == 1:
            form.initial[name] = field.choices[0][0]
            field.widget = forms.HiddenInput()
    return form


def _person(text: str, player: User) -> User:
    """Somebody else, by the number of his profile. Raises Http404."""
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise Http404
    person = User.objects.filter(pk=int(text)).exclude(pk=player.pk).first()
    if person is None:
        raise Http404
    return person


def _plies(table: Table) -> list[tuple[int, str]]:
    """The last moves of a table as everybody reads them, newest first."""
    if table.started_at is None:
        return []
    rows = live.sentences(table, selectors.seats(table), PLIES_OFFERED)
    said: dict[int, str] = {}
    for row in rows:
        if row["seat"] is not None:
            said.setdefault(row["ply"], row["sentence"])
    return [(ply, f"{ply} – {said[ply]}") for ply in sorted(said, reverse=True)]


@never_cache
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The reader's own reports, newest first, with what became of them."""
    player: User | None = request.player  # type: ignore[attr-defined]
    if player is None:
        return redirect_to_login(request.get_full_path())
    rows = Report.objects.filter(reporter=player).select_related("case__suspect").order_by("-pk")[:50]
    return render(request, "staff/reports.html", {"reports": rows})


def sentences(report_row: Report) -> list[str]:
    """The kept public facts of a report in the reader's language."""
    context = report_row.context
    if not context.get("rows"):
        return []
    display = registry.get(context["game"]).display
    found = [(ply, display.sentence(event, context["names"])) for ply, _seat, _by, event in context["rows"]]
    return [f"{ply}. {sentence}" for ply, sentence in found if sentence]
