"""Reading the chat of a table: for those who sit there, as each of them wants to read it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef

from accounts.models import Block, User
from games import chat_text
from games.chat_text import LENGTH
from games.models import ChatMessage, ChatMute, Seat, Table

__all__ = ["LENGTH", "PAGE", "SHOWN", "TALK_AFTER", "Chat", "Line", "may_read", "may_write", "read"]

SHOWN = 30
"""Messages that stand at the table; the whole chat has a page of its own."""
PAGE = 100
TALK_AFTER = timedelta(days=1)
"""How long after the end of a match people may still talk."""


@dataclass(frozen=True, slots=True)
class Line:
    """One message for one reader. `folded`: "blocked" or "muted" writer, else ""; `text` is masked if he wants it so, and
    empty with `hidden`; `new`: he has not seen it yet."""

    pk: int
    user_id: int
    writer: User
    name: str
    at: datetime
    text: str
    mine: bool
    folded: str
    hidden: bool
    new: bool


@dataclass(frozen=True, slots=True)
class Chat:
    """What a reader sees of a chat, oldest first: `last` is the newest message's id, `more` whether there are older ones."""

    lines: list[Line]
    more: bool

    @property
    def last(self) -> int:
        return self.lines[-1].pk if self.lines else 0

    @property
    def unread(self) -> int:
        """How many of these messages are new to him; what he folds away does not count."""
        return sum(line.new and not line.folded and not line.hidden for line in self.lines)

    @property
    def writers(self) -> list[Line]:
        """One line of each other person who has written, for the buttons that mute."""
        return list({line.user_id: line for line in self.lines if not line.mine}.values())


def may_read(me: Seat | None, reader: User | None) -> bool:
    """Whether somebody may read a table's chat: only whoever sits there himself and has not left the match for good."""
    return me is not None and reader is not None and me.user_id == reader.pk and not me.abandoned


def may_write(table: Table, now: datetime) -> bool:
    """Whether people at the table may still talk: till a day after its end."""
    return table.ended_at is None or now - table.ended_at < TALK_AFTER


def read(table: Table, me: Seat, reader: User, *, limit: int = SHOWN, before: int | None = None) -> Chat:
    """The last messages of the table (before the id `before`) as `reader`, who sits on `me`, sees them. One query."""
    blocked = Block.objects.filter(blocker=reader, blocked=OuterRef("user"))
    muted = ChatMute.objects.filter(table=table, reader=reader, muted=OuterRef("user"))
    rows = ChatMessage.objects.filter(table=table).select_related("user").order_by("-pk")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found: list[Any] = list(rows.annotate(blocked=Exists(blocked), muted=Exists(muted))[: limit + 1])
    return Chat([_line(row, me, reader) for row in reversed(found[:limit])], len(found) > limit)


def _line(row: Any, me: Seat, reader: User) -> Line:
    """`row` is a message with the annotations `blocked` and `muted`."""
    mine = row.user_id == reader.pk
    text = "" if row.hidden_at else row.text
    return Line(
        pk=row.pk,
        user_id=row.user_id,
        writer=row.user,
        name=row.user.display_name,
        at=row.at,
        text=text if mine or reader.sees_insults or not row.insulting else chat_text.mask(text),
        mine=mine,
        folded="" if mine else "blocked" if row.blocked else "muted" if row.muted else "",
        hidden=row.hidden_at is not None,
        new=not mine and row.pk > me.chat_seen,
    )
