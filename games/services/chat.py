"""Talking at a table: say something, mute somebody, note what was read.

A message never waits for a move nor makes one wait: it is inserted first, the table's row is touched last, only to raise the
version, and no deadline, seat or ply is written with it.
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts import sanctions
from accounts.models import User
from games import chat, chat_text, clocktime, live
from games.errors import BadTable, Closed, Forbidden, NotFound
from games.models import ChatMessage, ChatMute, Seat, Table
from games.services.doors import door


def _table_of(code: str, user: User) -> Table:
    """The table where the user sits; NotFound for everybody else, as for a table that is not there. No lock."""
    table = Table.objects.filter(code=code, seats__user=user, seats__abandoned_at=None).first()
    if table is None:
        raise NotFound("no_table")
    return table


def say(code: str, *, user: User, text: str, request: UUID) -> ChatMessage:
    """Say something at the table where one sits; the same click (`request`) twice is one message.

    Raises NotFound 404 for whoever does not sit there, Forbidden 403 for whom the staff has silenced, Closed 409 a day after
    the end, BadTable 422 for no text, too much text, or a click that was another message.
    """
    message = _say(code, user, _cleaned(text), request)
    # After the commit: a seat's row is never locked before its table's.
    read_up_to(message.table_id, user, message.pk)
    return message


def _cleaned(text: str) -> str:
    try:
        return chat_text.clean(text)
    except chat_text.BadText as refused:
        if refused.code == "long":
            raise BadTable("long", _("A message has at most 500 characters.")) from None
        raise BadTable("empty", _("Write something first.")) from None


@door
def _say(code: str, user: User, text: str, request: UUID) -> ChatMessage:
    table = _table_of(code, user)
    now = clocktime.now()
    if not chat.may_write(table, now):
        raise Closed("silent", _("This match has been over for a day: its chat is closed."))
    if sanctions.active(user.pk) & {"mute", "suspended"}:
        raise Forbidden("silenced", _("The staff has silenced you for now. Your page of measures tells why."))
    earlier = ChatMessage.objects.filter(table=table, user=user, request=request).first()
    if earlier is not None:
        if earlier.text != text:
            raise BadTable("request_reused")
        return earlier
    message = ChatMessage.objects.create(
        table=table, user=user, text=text, request=request, insulting=chat_text.offends(text), at=now
    )
    Table.objects.filter(pk=table.pk).update(version=F("version") + 1)
    table.refresh_from_db(fields=["version"])
    live.announce(table)
    return message


@door
def hide(message_id: int, *, hidden: bool) -> bool:
    """The staff hides a message, or shows it again; the table's pages follow. Returns whether anything changed."""
    message = ChatMessage.objects.select_related("table").get(pk=message_id)
    rows = ChatMessage.objects.filter(pk=message_id, hidden_at__isnull=hidden)
    if not rows.update(hidden_at=clocktime.now() if hidden else None):
        return False
    Table.objects.filter(pk=message.table_id).update(version=F("version") + 1)
    message.table.refresh_from_db(fields=["version"])
    live.announce(message.table)
    return True


def mute(code: str, *, reader: User, muted_id: int, on: bool) -> None:
    """Fold (or no longer fold) for `reader` what somebody writes at this table. Raises NotFound where he does not sit, and
    for somebody who neither sits nor has written there."""
    table = _table_of(code, reader)
    if not on:
        ChatMute.objects.filter(table=table, reader=reader, muted=muted_id).delete()
        return
    here = Seat.objects.filter(table=table, user=muted_id).exists()
    if muted_id == reader.pk or not (here or ChatMessage.objects.filter(table=table, user=muted_id).exists()):
        raise NotFound("nobody")
    ChatMute.objects.bulk_create([ChatMute(table=table, reader=reader, muted_id=muted_id)], ignore_conflicts=True)


def read_up_to(table_id: int, user: User, message_id: int) -> None:
    """Note that the user has seen the messages up to this one."""
    Seat.objects.filter(table=table_id, user=user, chat_seen__lt=message_id).update(chat_seen=message_id)


def claim_guest(guest: User, user: User) -> None:
    """A guest has signed up: what he said is the account's."""
    ChatMessage.objects.filter(user=guest).update(user=user)
    ChatMute.objects.filter(reader=guest).delete()
    for mute_of_guest in ChatMute.objects.filter(muted=guest):
        ChatMute.objects.bulk_create(
            [ChatMute(table_id=mute_of_guest.table_id, reader_id=mute_of_guest.reader_id, muted=user)], ignore_conflicts=True
        )


def erase(user: User) -> None:
    """Remove the words of somebody who leaves the site; that something was said there stays."""
    ChatMessage.objects.filter(user=user).update(text="", insulting=False, hidden_at=clocktime.now())
    ChatMute.objects.filter(reader=user).delete()
