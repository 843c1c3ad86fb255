"""Talking at a table: who may, what is kept of a text, what is masked, and that no move waits for it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import departures, guests, sanctions, ties
from games import chat as reading
from games import chat_text, clocktime
from games.errors import BadTable, Closed, Forbidden, NotFound
from games.exports import own_messages
from games.models import ChatMessage, ChatMute, Seat, Table
from games.services import abandon, chat, tables
from tests.playing import open_for

pytestmark = pytest.mark.django_db


def say(table: Table, user: Any, text: str = "Bonjour") -> ChatMessage:
    return chat.say(table.code, user=user, text=text, request=uuid4())


def read(table: Table, user: Any) -> reading.Chat:
    return reading.read(Table.objects.get(pk=table.pk), Seat.objects.get(table=table, user=user), user)


def texts(table: Table, user: Any) -> list[str]:
    return [line.text for line in read(table, user).lines]


# --- What is kept of a text -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Bien   joué !\n\tVraiment\u2028oui ", "Bien joué ! Vraiment oui"),
        ("e\u0301te\u0301", "été"),
        ("abc\u202edef\u2066\u200b\u200fghi\ufeff\u00ad", "abcdefghi"),
        ("a\u0000\u0007\x1b[31mb\x7f", "a[31mb"),
        ("Z" + "\u0351" * 40 + "o", "Z" + "\u0351" * 3 + "o"),
        ("x\U000e0041\ue000\u3164\u2800y", "x y"),
        ("👨\u200d👩\u200d👧 et ❤️", "👨\u200d👩\u200d👧 et ❤️"),
        ("a\u200db", "ab"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("♥ 7 de coupes", "♥ 7 de coupes"),
        ("x" * 500, "x" * 500),
    ],
)
def test_what_is_kept(typed, kept):
    assert chat_text.clean(typed) == kept


@pytest.mark.parametrize(
    ("typed", "code"),
    [("", "empty"), (" \n\u2003", "empty"), ("\u200b\u202e\u3164", "empty"), ("\u0301\u0302", "empty"), ("x" * 501, "long")],
)
def test_what_is_no_message(typed, code):
    with pytest.raises(chat_text.BadText) as refused:
        chat_text.clean(typed)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "harmless",
    [
        "Condom (Gers)", "il habite à Montcuq", "concombre", "salopette", "amputer", "les députés", "Cocu", "Conard",
        "un pique-nique", "en retard", "con queso", "Essex, Scunthorpe", "la dispute", "une réputation", "computer", "12 000",
        "a b c d", "pétale", "Bravo !", "je passe **", "c'est à toi", "5 de copas", "n t", "tu es sûre ?",
    ],
)  # fmt: skip
def test_harmless_words_pass(harmless):
    assert chat_text.mask(harmless) == harmless


@pytest.mark.parametrize(
    "insult",
    [
        "pute", "PUTES", "c0nnard", "c0nn4rd$", "connnnard", "sal0pe", "sa1ope", "enculé", "p u t e", "c.o.n.n.a.r.d", "p*te",
        "c***ard", "gilipollas", "maricón", "sale-pute", "рute", "_pute_", "fdp", "asshole", "bâtards", "pu\u200bte",
    ],
)  # fmt: skip
def test_insults_are_masked(insult):
    masked = chat_text.mask(f"Espèce de {chat_text.clean(insult)}, va !")
    assert "•" in masked
    assert masked.startswith("Espèce de ")
    assert masked.endswith(", va !")


# --- Who may --------------------------------------------------------------------------------------------------------


def test_people_at_the_table_talk(alice, bob):
    table = open_for(alice, bob)
    say(table, alice, "  À toi\u202e ")
    say(table, bob, "Merci")
    assert texts(table, alice) == texts(table, bob) == ["À toi", "Merci"]


def test_others_do_not(alice, bob, carla, guest):
    table = open_for(alice, bob)
    for who in (carla, guest):
        with pytest.raises(NotFound):
            say(table, who)
        with pytest.raises(NotFound):
            chat.mute(table.code, reader=who, muted_id=alice.pk, on=True)
    assert not ChatMessage.objects.exists()


def test_whoever_left_neither_reads_nor_writes(alice, bob, carla):
    waiting = tables.open_table(user=alice, game="cinq", options={}, seats=3, pace=86400)
    tables.sit(waiting.code, user=bob)
    say(waiting, bob)
    tables.leave(waiting.code, user=bob)
    with pytest.raises(NotFound):
        say(waiting, bob)
    running = open_for(alice, bob, carla)
    say(running, bob)
    abandon.abandon(running.code, user=bob)
    with pytest.raises(NotFound):
        say(running, bob)
    assert not reading.may_read(Seat.objects.get(table=running, user=bob), bob)
    assert texts(running, alice) == ["Bonjour"]


def test_a_guest_talks_where_he_sits_and_takes_it_along(alice, guest, bob):
    table = open_for(alice, guest)
    say(table, guest, "Moi")
    chat.mute(table.code, reader=alice, muted_id=guest.pk, on=True)
    assert guests.claim(guest.pk, bob)
    assert ChatMessage.objects.get().user == bob
    assert read(table, alice).lines[0].folded == "muted"


def test_the_same_click_is_one_message(alice, bob):
    table, click = open_for(alice, bob), uuid4()
    first = chat.say(table.code, user=alice, text="Un", request=click)
    version = Table.objects.get(pk=table.pk).version
    assert chat.say(table.code, user=alice, text=" Un ", request=click).pk == first.pk
    assert Table.objects.get(pk=table.pk).version == version
    with pytest.raises(BadTable):
        chat.say(table.code, user=alice, text="Deux", request=click)
    chat.say(table.code, user=bob, text="Un", request=click)
    assert ChatMessage.objects.count() == 2


def test_a_day_after_the_end_it_is_silent(alice, bob):
    table = open_for(alice, bob)
    Table.objects.filter(pk=table.pk).update(ended_at=clocktime.now() - timedelta(hours=23), status="finished")
    say(table, alice)
    Table.objects.filter(pk=table.pk).update(ended_at=clocktime.now() - timedelta(hours=25))
    with pytest.raises(Closed):
        say(table, alice)
    assert texts(table, bob) == ["Bonjour"]


def test_whom_the_staff_has_silenced_says_nothing(alice, bob, carla):
    table = open_for(alice, bob)
    measure = sanctions.impose(bob, kind="mute", ground="insult", by=carla)
    with pytest.raises(Forbidden):
        say(table, bob)
    say(table, alice)
    assert texts(table, bob) == ["Bonjour"], "he still reads"
    sanctions.lift(measure, by=carla)
    say(table, bob)


# --- What a message touches -----------------------------------------------------------------------------------------


def test_a_message_raises_the_version_and_nothing_else(alice, bob):
    table = open_for(alice, bob)
    ours = ("chat_seen", "id")
    before = [{k: v for k, v in row.items() if k not in ours} for row in Seat.objects.filter(table=table).order_by("pk").values()]
    say(table, alice)
    after = [{k: v for k, v in row.items() if k not in ours} for row in Seat.objects.filter(table=table).order_by("pk").values()]
    fresh = Table.objects.get(pk=table.pk)
    assert after == before
    assert (fresh.version, fresh.plies, fresh.status) == (table.version + 1, table.plies, table.status)


def test_the_table_is_touched_last_and_never_locked(alice, bob):
    table = open_for(alice, bob)
    with CaptureQueriesContext(connection) as seen:
        say(table, alice)
    words = [query["sql"] for query in seen if "games_" in query["sql"]]
    assert not any("FOR UPDATE" in sql or "FOR NO KEY UPDATE" in sql for sql in words)
    inserted = next(i for i, sql in enumerate(words) if sql.startswith('INSERT INTO "games_chatmessage"'))
    touched = next(i for i, sql in enumerate(words) if sql.startswith('UPDATE "games_table"'))
    read_mark = next(i for i, sql in enumerate(words) if sql.startswith('UPDATE "games_seat"'))
    assert inserted < touched < read_mark
    assert len(words) <= 7


# --- As each reader wants it ----------------------------------------------------------------------------------------


def test_muting_folds_for_one_reader_at_one_table(alice, bob, carla):
    table, other = open_for(alice, bob, carla), open_for(alice, bob)
    for place in (table, other):
        say(place, bob, "Ha")
    chat.mute(table.code, reader=alice, muted_id=bob.pk, on=True)
    chat.mute(table.code, reader=alice, muted_id=bob.pk, on=True)
    say(table, bob, "Encore")
    assert [line.folded for line in read(table, alice).lines] == ["muted", "muted"]
    assert [line.folded for line in read(table, carla).lines] == ["", ""]
    assert [line.folded for line in read(other, alice).lines] == [""]
    assert read(table, alice).unread == 0
    chat.mute(table.code, reader=alice, muted_id=bob.pk, on=False)
    assert [line.folded for line in read(table, alice).lines] == ["", ""]


def test_one_mutes_people_of_the_table_only(alice, bob, carla):
    table = open_for(alice, bob)
    for who in (alice.pk, carla.pk, 10**12):
        with pytest.raises(NotFound):
            chat.mute(table.code, reader=alice, muted_id=who, on=True)
    assert not ChatMute.objects.exists()


def test_blocking_folds_old_and_new_for_whoever_blocked(alice, bob):
    table = open_for(alice, bob)
    say(table, bob, "Avant")
    ties.block(alice, bob)
    say(table, bob, "Après")
    say(table, alice, "Moi")
    assert [(line.text, line.folded) for line in read(table, alice).lines] == [
        ("Avant", "blocked"),
        ("Après", "blocked"),
        ("Moi", ""),
    ]
    assert [line.folded for line in read(table, bob).lines] == ["", "", ""], "he is not told"


def test_insults_are_masked_for_readers_and_flagged_never_dropped(alice, bob):
    table = open_for(alice, bob)
    message = say(table, bob, "Pute !")
    assert message.insulting
    assert texts(table, alice) == ["P••• !"]
    assert texts(table, bob) == ["Pute !"], "one sees what one wrote"
    alice.sees_insults = True
    assert texts(table, alice) == ["Pute !"]
    assert not say(table, bob, "Condom (Gers)").insulting


def test_unread_counts_from_the_last_look(alice, bob):
    table = open_for(alice, bob)
    first = say(table, bob)
    say(table, bob)
    assert (read(table, alice).unread, read(table, bob).unread) == (2, 0)
    chat.read_up_to(table.pk, alice, first.pk)
    assert read(table, alice).unread == 1
    chat.read_up_to(table.pk, alice, first.pk - 1)
    assert read(table, alice).unread == 1, "a look back does not make anything new"
    say(table, alice)
    assert read(table, alice).unread == 0, "whoever answers has read"


def test_the_last_thirty_are_shown(alice, bob):
    table = open_for(alice, bob)
    for number in range(32):
        say(table, bob, str(number))
    shown = read(table, alice)
    assert [line.text for line in shown.lines] == [str(number) for number in range(2, 32)]
    assert shown.more
    assert shown.unread == 30


# --- Leaving the site -----------------------------------------------------------------------------------------------


def test_words_go_with_their_writer(alice, bob):
    table = open_for(alice, bob)
    say(table, bob, "Mon adresse est rue X")
    ties.block(bob, alice)
    archive = dict(own_messages(bob))
    assert "rue X" in archive["messages.json"]
    assert "rue X" not in dict(own_messages(alice))["messages.json"]
    departures.erase(bob)
    assert [(line.text, line.hidden) for line in read(table, alice).lines] == [("", True)]
    assert ties.hidden_from(alice.pk) == frozenset()
