"""Actions of the staff: who may, the reason, the effect, the row of the log; the same form twice; many targets at once."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import Group
from django.db import IntegrityError, transaction
from django.urls import reverse

from accounts import sanctions
from accounts.models import Appeal, Sanction, User
from games.models import Seat, Table
from staff import registry, roles
from staff.models import StaffLog
from tests import playing

pytestmark = pytest.mark.django_db

ALLOWED = {
    "moderateur": {"warn", "mute", "bar", "suspend", "lift", "answer-appeal"},
    "animateur": {"extend", "hand-seat", "rewind", "cancel"},
}


def logged(action):
    return list(StaffLog.objects.filter(action=action).order_by("pk"))


# --- who may ------------------------------------------------------------------------------------------------------------


def test_roles_have_exactly_their_permissions(modo, anim, boss):
    for role, user in (("moderateur", modo), ("animateur", anim), ("administrateur", boss)):
        own = {name.removeprefix("staff.") for name in user.get_all_permissions() if name.startswith("staff.")}
        deeds = {name for name in own if not name.startswith("view_")}
        wanted = {deed for each in roles.DEEDS.values() for deed in each} if role == "administrateur" else set(roles.DEEDS[role])
        assert deeds == wanted
        assert not user.has_perm("games.see_hidden")
        assert not {name for name in user.get_all_permissions() if ".delete_" in name or ".change_" in name or ".add_" in name}


def test_a_foreign_permission_in_a_group_does_not_survive_a_migration(modo):
    from django.contrib.auth.models import Permission

    group = Group.objects.get(name="moderateur")
    group.permissions.add(Permission.objects.get(codename="see_hidden"))
    roles.keep()
    assert not group.permissions.filter(codename="see_hidden").exists()


@pytest.mark.parametrize("name", sorted(registry.ACTIONS))
def test_only_the_right_role_opens_an_action(name, modo, anim, boss, alice, user_named, client_of):
    action = registry.ACTIONS[name]
    path = f"/admin/act/{name}/?id=999999"
    for role, user in (("moderateur", modo), ("animateur", anim), ("administrateur", boss)):
        opens = action.may(user)
        assert opens == (role == "administrateur" and name != "look") or user.has_perm(action.permission)
        if name in set().union(*ALLOWED.values()):
            assert opens == (role == "administrateur" or name in ALLOWED[role]), (name, role)
        wanted = (404 if action.model or name == "export" else 200) if opens else 403
        assert client_of(user).get(path).status_code == wanted
        assert client_of(user).post(path, {}).status_code == (422 if wanted == 200 else wanted)
    for nobody in (None, alice, user_named("Denis", is_staff=True, is_superuser=True)):
        response = client_of(nobody).get(path)
        assert response.status_code == 302 and not response["Location"].startswith("/admin/act/")


def test_an_unknown_action_is_not_found(boss, client_of):
    assert client_of(boss).get("/admin/act/nothing/?id=1").status_code == 404


# --- reason, log, repeats -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", ["", "   ", "abc", "x" * 501])
def test_without_a_reason_nothing_happens(reason, anim, act, alice, bob):
    table = playing.open_for(alice, bob)
    before = playing.seat_to_act(table).deadline
    assert act(anim, "extend", table, reason=reason, hours=6).status_code == 422
    assert playing.seat_to_act(table).deadline == before
    assert not StaffLog.objects.exists()


def test_extending_is_done_and_logged(anim, act, alice, bob):
    table = playing.open_for(alice, bob)
    before = playing.seat_to_act(table)
    assert act(anim, "extend", table, hours=6, reason="power cut in Lyon").status_code == 303
    assert (playing.seat_to_act(table).deadline - before.deadline).total_seconds() == 6 * 3600
    (row,) = logged("extend")
    assert (row.actor, row.target_type, row.target_id, row.target_name) == (anim, "table", table.pk, table.code)
    assert row.reason == "power cut in Lyon" and row.after == {"hours": 6, "seats": [before.number]}


def test_the_same_form_twice_acts_once(anim, act, alice, bob):
    table = playing.open_for(alice, bob)
    before, click = playing.seat_to_act(table).deadline, uuid4()
    for _ in range(3):
        assert act(anim, "extend", table, hours=1, request=click).status_code == 303
    assert (playing.seat_to_act(table).deadline - before).total_seconds() == 3600
    assert len(logged("extend")) == 1


def test_many_tables_at_once_each_with_its_row_and_its_refusal(anim, act, alice, bob, client_of):
    tables = [playing.open_for(alice, bob) for _ in range(3)]
    from games.services import oversight

    oversight.call_off(tables[1].code)
    response = act(anim, "extend", *tables, hours=1)
    assert response.status_code == 200
    html = response.content.decode()
    assert all(table.code in html for table in tables)
    assert {row.target_id for row in logged("extend")} == {tables[0].pk, tables[2].pk}
    assert act(anim, "extend", tables[1], hours=1).status_code == 409


def test_the_list_leads_to_the_action(anim, alice, bob, client_of):
    tables = [playing.open_for(alice, bob) for _ in range(2)]
    client = client_of(anim)
    html = client.get(reverse("admin:games_table_changelist")).content.decode()
    assert 'value="extend"' in html and 'value="warn"' not in html
    response = client.post(
        reverse("admin:games_table_changelist"),
        {"action": "extend", "_selected_action": [table.pk for table in tables], "index": "0"},
    )
    assert response.status_code == 303
    page = client.get(response["Location"])
    assert page.status_code == 200 and all(table.code in page.content.decode() for table in tables)
    row = client.get(reverse("admin:games_table_change", args=[tables[0].pk])).content.decode()
    assert "/admin/act/rewind/" not in row and "/admin/act/extend/" in row


def test_a_moderator_is_not_offered_what_he_may_not(modo, alice, bob, client_of):
    table = playing.open_for(alice, bob)
    html = client_of(modo).get(reverse("admin:games_table_changelist")).content.decode()
    assert 'name="action"' not in html
    assert "/admin/act/" not in client_of(modo).get(reverse("admin:games_table_change", args=[table.pk])).content.decode()


# --- tables -------------------------------------------------------------------------------------------------------------


def test_rewind_offers_the_plies_of_this_hand(anim, act, alice, bob, client_of):
    table = playing.open_for(alice, bob)
    for _ in range(3):
        playing.play_one(table)
    table.refresh_from_db()
    html = client_of(anim).get(f"/admin/act/rewind/?id={table.pk}").content.decode()
    assert f'value="{table.plies - 1}"' in html and f'value="{table.plies}"' not in html
    assert act(anim, "rewind", table, ply=table.plies).status_code == 422
    assert act(anim, "rewind", table, ply=1).status_code == 303
    (row,) = logged("rewind")
    assert row.before["plies"] == table.plies and row.after["back_to"] == 1


def test_handing_a_seat_and_cancelling(anim, act, alice, bob):
    table = playing.open_for(alice, bob)
    seat = playing.seat_to_act(table)
    assert act(anim, "hand-seat", table, seat=seat.number).status_code == 303
    assert Seat.objects.get(pk=seat.pk).automatic
    assert act(anim, "hand-seat", table, seat=seat.number).status_code == 422
    assert act(anim, "cancel", table).status_code == 303
    assert Table.objects.get(pk=table.pk).end == "staff"
    assert act(anim, "cancel", table).status_code == 409
    assert [row.before["status"] for row in logged("cancel")] == ["playing"]


# --- people -------------------------------------------------------------------------------------------------------------


def test_graded_measures(modo, act, alice):
    assert act(modo, "warn", alice, ground="spam", words_fr="Pas de publicité.").status_code == 303
    assert sanctions.active(alice.pk) == frozenset()
    assert act(modo, "mute", alice, ground="insult", days=3).status_code == 303
    assert act(modo, "bar", alice, ground="leaving", days=1).status_code == 303
    assert sanctions.active(alice.pk) == {"mute", "no_tables"}
    assert [row.action for row in StaffLog.objects.order_by("pk")] == ["warn", "mute", "bar"]
    assert StaffLog.objects.get(action="bar").before == {"in_force": ["mute"]}


def test_nobody_sanctions_himself_or_as_moderator_the_staff(modo, anim, boss, act):
    assert act(modo, "mute", modo, ground="other", days=1).status_code == 409
    assert act(modo, "mute", anim, ground="other", days=1).status_code == 409
    assert act(boss, "mute", anim, ground="other", days=1).status_code == 303
    assert not Sanction.objects.exclude(user=anim).exists()


def test_the_next_measure_is_longer(modo, act, alice, client_of):
    for _ in range(2):
        act(modo, "mute", alice, ground="insult", days=1)
    html = client_of(modo).get(f"/admin/act/mute/?id={alice.pk}").content.decode()
    assert '<option value="7" selected>' in html


def test_lifting_is_done_once_and_not_for_oneself(modo, boss, act, alice):
    made = sanctions.impose(alice, kind="mute", ground="spam", by=modo)
    assert act(modo, "lift", made).status_code == 303
    assert sanctions.active(alice.pk) == frozenset()
    assert act(modo, "lift", made).status_code == 409
    own = sanctions.impose(modo, kind="mute", ground="spam", by=boss)
    assert act(modo, "lift", own).status_code == 409


def test_an_appeal_is_answered_by_somebody_else(modo, with_role, act, alice):
    made = sanctions.impose(alice, kind="suspended", ground="cheating", by=modo)
    appeal = sanctions.appeal(alice, made.pk, "It was my brother.")
    assert act(modo, "answer-appeal", appeal, granted="yes", answer="fine").status_code == 409
    other = with_role("Odette", "moderateur")
    assert act(other, "answer-appeal", appeal, granted="yes", answer="Believed.").status_code == 303
    assert Appeal.objects.get(pk=appeal.pk).granted is True
    assert User.objects.get(pk=alice.pk).suspended_until is None
    assert act(other, "answer-appeal", appeal, granted="no", answer="no").status_code == 409


def test_roles_are_set_by_administrators_for_others(boss, modo, act, alice, guest):
    assert act(boss, "role", alice, role="animateur").status_code == 303
    alice = User.objects.get(pk=alice.pk)
    assert alice.is_staff and alice.has_perm("staff.announce") and not alice.has_perm("staff.sanction")
    assert act(boss, "role", alice, role="").status_code == 303
    alice = User.objects.get(pk=alice.pk)
    assert not alice.is_staff and not alice.get_all_permissions()
    assert act(boss, "role", boss, role="").status_code == 409
    assert act(boss, "role", guest, role="animateur").status_code == 409
    assert act(modo, "role", alice, role="administrateur").status_code == 403


# --- the log ------------------------------------------------------------------------------------------------------------


def test_no_route_changes_or_deletes_the_log(boss, chef, act, alice, client_of):
    act(boss, "warn", alice, ground="spam")
    (row,) = logged("warn")
    for user in (boss, chef):
        client = client_of(user)
        page = reverse("admin:staff_stafflog_change", args=[row.pk])
        assert client.get(page).status_code == 200
        for path in (page, page.replace("change", "delete"), reverse("admin:staff_stafflog_add")):
            assert client.post(path, {"reason": "forged"}).status_code == 403
        client.post(
            reverse("admin:staff_stafflog_changelist"),
            {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes", "index": "0"},
        )
    assert StaffLog.objects.get().reason == row.reason
    for change in (lambda: StaffLog.objects.update(reason="forged"), StaffLog.objects.all().delete):
        with pytest.raises(IntegrityError), transaction.atomic():
            change()


def test_readers_see_the_log_of_their_own_role(modo, anim, boss, act, alice, bob, client_of):
    table = playing.open_for(alice, bob)
    act(anim, "extend", table, hours=1, reason="a storm at sea")
    act(modo, "warn", alice, ground="spam", reason="sells carpets")
    path = reverse("admin:staff_stafflog_changelist")
    seen = {user.username: client_of(user).get(path).content.decode() for user in (modo, anim, boss)}
    assert "sells carpets" in seen["Modeste"] and "a storm at sea" not in seen["Modeste"]
    assert "a storm at sea" in seen["Anicet"] and "sells carpets" not in seen["Anicet"]
    assert "sells carpets" in seen["Adela"] and "a storm at sea" in seen["Adela"]
    row = logged("warn")[0]
    assert client_of(anim).get(reverse("admin:staff_stafflog_change", args=[row.pk])).status_code == 302


def test_the_log_is_found_by_target_and_actor(boss, anim, act, alice, bob, client_of):
    table = playing.open_for(alice, bob)
    act(anim, "extend", table, hours=1, reason="a storm at sea")
    act(boss, "warn", bob, ground="spam", reason="sells carpets")
    client, path = client_of(boss), reverse("admin:staff_stafflog_changelist")
    assert "a storm at sea" in client.get(f"{path}?q={table.code}").content.decode()
    assert "sells carpets" not in client.get(f"{path}?q={table.code}").content.decode()
    assert "sells carpets" in client.get(f"{path}?q=Bob").content.decode()
    assert "a storm at sea" in client.get(f"{path}?q=Anicet").content.decode()


def test_a_pseudonym_is_taken_away(modo, boss, act, alice, guest):
    assert act(modo, "rename", alice, pseudonym="Violette").status_code == 303
    assert User.objects.get(pk=alice.pk).username == "Violette"
    assert logged("rename")[0].before == {"pseudonym": "Alice"}
    for bad in ("admin", "x", "Modeste", "=1+1"):
        assert act(boss, "rename", alice, pseudonym=bad).status_code == 409
    assert act(modo, "rename", modo, pseudonym="Nouveau").status_code == 409
    assert act(modo, "rename", guest, pseudonym="Nouveau").status_code == 409


def test_a_message_is_hidden_and_shown_again(modo, anim, act, alice, bob, client_of):
    from games.services import chat

    table = playing.open_for(alice, bob)
    message = chat.say(table.code, user=bob, text="You are a clown.", request=uuid4())
    assert act(anim, "hide-message", message).status_code == 403
    assert act(modo, "hide-message", message).status_code == 303
    assert "clown" not in client_of(alice).get(f"/t/{table.code}/").content.decode()
    assert act(modo, "hide-message", message).status_code == 409
    assert act(modo, "show-message", message).status_code == 303
    assert "clown" in client_of(alice).get(f"/t/{table.code}/").content.decode()


def test_a_message_is_reported_with_those_before_it(alice, bob, carla, modo, client_of):
    from games.services import chat
    from staff.models import Report

    table = playing.open_for(alice, bob)
    for number in range(8):
        message = chat.say(table.code, user=bob, text=f"word {number}", request=uuid4())
    path = f"/report/?table={table.code}&message={message.pk}"
    assert "word 7" in client_of(alice).get(path).content.decode()
    assert client_of(bob).get(path).status_code == 404
    assert client_of(carla).get(path).status_code == 404
    assert client_of(alice).post(path, {"kind": "insult", "whom": bob.pk, "ply": 0}).status_code == 303
    row = Report.objects.get()
    assert row.message == message.pk and [text for _who, text, _pk in row.context["messages"]] == [
        f"word {n}" for n in range(2, 8)
    ]
    html = client_of(modo).get(reverse("admin:staff_case_change", args=[row.case_id])).content.decode()
    assert "word 7" in html and "word 1" not in html


def test_an_administrator_deletes_an_account_the_way_its_owner_would(act, modo, boss, chef, alice, guest, client_of):
    assert act(modo, "close-account", alice).status_code in {403, 404}
    assert act(boss, "close-account", boss).status_code == 409
    assert act(boss, "close-account", guest).status_code == 409
    assert act(boss, "close-account", chef).status_code == 409
    assert act(boss, "close-account", alice).status_code == 303
    alice.refresh_from_db()
    assert alice.leaving_at is not None
    assert logged("close-account")[0].after["due"]
    assert client_of(alice).get("/").headers["Location"] == "/settings/delete/"
    assert act(boss, "close-account", alice).status_code == 409
