"""Staff who would use the panel for themselves: looking twice, acting on their own match, many small grants. And what others
write about somebody who is gone, or never was."""

from __future__ import annotations

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Permission
from django.utils import timezone

from accounts import departures, guests, registration, sanctions, wallet
from accounts.models import Appeal, User
from games.models import Seat, TableEvent
from games.services import chat, tables
from staff.models import Case, Pending, Report, StaffLog
from tests import playing

pytestmark = pytest.mark.django_db


@pytest.fixture
def seer(with_role):
    user = with_role("Sibylle", "administrateur")
    user.user_permissions.add(Permission.objects.get(codename="see_hidden"))
    return user


def test_a_form_shows_hidden_cards_once(seer, act, alice, bob):
    table, click = playing.open_for(alice, bob), uuid4()
    assert act(seer, "look", table, seat=0, request=click).status_code == 200
    for seat in (0, 1):
        assert act(seer, "look", table, seat=seat, request=click).status_code == 409
    assert TableEvent.objects.filter(table=table, event=["looked"]).count() == 1
    assert act(seer, "look", table, seat=1).status_code == 200
    assert TableEvent.objects.filter(table=table, event=["looked"]).count() == StaffLog.objects.count() == 2


def test_a_form_downloads_one_list_once(boss, client_of):
    client, form = client_of(boss), {"reason": "because I must", "request": str(uuid4())}
    assert client.post("/admin/act/export/?list=accounts.user", form)["Content-Type"].startswith("text/csv")
    assert client.post("/admin/act/export/?list=games.chatmessage", form).status_code == 409
    assert StaffLog.objects.count() == 1


def test_a_filter_that_is_none_is_no_list(boss, client_of):
    address = "/admin/act/export/?list=games.table&competitive__exact=zz"
    assert client_of(boss).get(address).status_code == 404
    assert client_of(boss).post(address, {"reason": "because I must", "request": str(uuid4())}).status_code == 404


def test_nobody_acts_on_his_own_match(with_role, act, client_of, alice):
    player = with_role("Juliette", "administrateur")
    table = playing.open_for(player, alice)
    playing.play_one(table)
    before = playing.Table.objects.values("version", "status").get(pk=table.pk)
    theirs = Seat.objects.get(table=table, user=alice).number
    for name, data in {"rewind": {"ply": 0}, "extend": {"hours": 24}, "hand-seat": {"seat": theirs}, "cancel": {}}.items():
        assert act(player, name, table, **data).status_code == 409, name
    assert playing.Table.objects.values("version", "status").get(pk=table.pk) == before
    assert "/act/cancel/" not in client_of(player).get(f"/admin/games/table/{table.pk}/change/").content.decode()
    other = playing.open_for(alice, with_role("Paulette", "animateur"))
    assert act(player, "extend", table, other, hours=24).status_code == 200, "the other one is done"
    assert [row.target_id for row in StaffLog.objects.all()] == [other.pk]


def test_nobody_declares_his_own_match_void_nor_confirms_it(with_role, boss, act, alice):
    player = with_role("Juliette", "administrateur")
    table = playing.play_out(playing.open_for(player, alice, competitive=True, stake=50))
    assert act(player, "void", table).status_code == 409
    assert act(boss, "void", table).status_code == 303
    assert act(player, "confirm", Pending.objects.get()).status_code == 409
    assert act(with_role("Paulette", "administrateur"), "confirm", Pending.objects.get()).status_code == 303


def test_many_small_grants_are_a_large_one(boss, with_role, act, alice, bob):
    before = wallet.balance(alice.pk).free
    assert act(boss, "grant", alice, amount=600).status_code == 303
    assert act(boss, "grant", alice, amount=400).status_code == 303
    assert act(with_role("Paulette", "administrateur"), "grant", alice, amount=1).status_code == 303
    assert wallet.balance(alice.pk).free == before + 1000
    assert Pending.objects.get().data == {"amount": 1}
    assert act(boss, "grant", bob, amount=1000).status_code == 303
    assert Pending.objects.count() == 1


def test_nothing_is_done_to_somebody_who_is_gone(boss, act, alice):
    departures.complete(departures.ask(alice))
    for name, data in {"grant": {"amount": 5}, "rename": {"pseudonym": "Alicia"}, "role": {"role": "moderateur"}}.items():
        assert act(boss, name, alice, **data).status_code == 409, name
    assert not User.objects.get(pk=alice.pk).is_staff


def test_words_and_names_in_reports_and_measures_go_with_the_person(client_of, alice, bob, modo):
    table = playing.open_for(alice, bob)
    message = chat.say(table.code, user=alice, text="Canary one", request=uuid4())
    chat.say(table.code, user=bob, text="An answer", request=uuid4())
    about = {"kind": "insult", "text": "Canary two", "ply": 0}
    address = f"/report/?table={table.code}"
    assert client_of(bob).post(f"{address}&message={message.pk}", {**about, "whom": alice.pk, "text": "rude"}).status_code == 303
    assert client_of(alice).post(address, {**about, "whom": bob.pk}).status_code == 303
    measure = sanctions.impose(alice, kind="mute", ground="insult", by=modo, words={"fr": "Canary three, Alice"})
    sanctions.appeal(alice, measure.pk, "Canary four")
    assert departures.complete(departures.ask(alice))
    kept = [json.dumps([row.text, row.context]) for row in Report.objects.all()]
    assert len(kept) == 2 and "rude" in "".join(kept) and "Bob" in "".join(kept)
    kept += [str(row.words) for row in [measure.__class__.objects.get()]] + [row.text for row in Appeal.objects.all()]
    assert not [text for text in kept if "Canary" in text or "Alice" in text]
    case = Case.objects.get(suspect=alice)
    assert "rude" in client_of(modo).get(f"/admin/staff/case/{case.pk}/change/").content.decode()


@pytest.mark.parametrize("proved", [True, False])
def test_a_report_does_not_keep_a_false_sign_up_alive(proved, alice, client_of):
    squatter = User.objects.create_user(username="Squat", email="victim@example.org", password="quatre-cartes-5")
    EmailAddress.objects.create(user=squatter, email="victim@example.org", verified=False, primary=True)
    form = {"whom": squatter.pk, "kind": "spam", "ply": 0}
    assert client_of(alice).post(f"/report/?person={squatter.pk}", form).status_code == 303
    if proved:
        registration.drop_unconfirmed(["victim@example.org"])
    else:
        assert registration.purge_unconfirmed(timezone.now() + timedelta(days=8)) == 1
    row = User.objects.get(pk=squatter.pk)
    assert not row.is_active and not row.email and row.username != "Squat" and not row.has_usable_password()
    assert not EmailAddress.objects.filter(email="victim@example.org").exists()


def test_an_empty_report_is_refused(alice, bob, client_of):
    assert client_of(alice).post(f"/report/?person={bob.pk}").status_code == 422


def test_an_empty_name_of_a_key_breaks_no_page(boss, alice, bob, client_of):
    table = playing.open_for(alice, bob)
    for page in ("change", "delete", "history"):
        answer = client_of(boss).get(f"/admin/games/table/{table.pk}/{page}/?_to_field=")
        assert answer.status_code in {200, 403}, page


def test_a_barred_person_does_not_come_to_a_waiting_table_as_a_guest(guest, alice, modo):
    table = tables.open_table(user=guest, game="cinq", options=playing.OPTIONS, seats=3, pace=86400)
    sanctions.impose(alice, kind="no_tables", ground="leaving", by=modo)
    guests.claim(guest.pk, alice)
    assert not Seat.objects.filter(table=table).exists()
