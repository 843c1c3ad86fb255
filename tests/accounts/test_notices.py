"""Notices: owed once, sent once, never to people who do not want them; one click stops them."""

from __future__ import annotations

import smtplib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.test import Client
from django.utils import timezone, translation

from accounts import notices, tasks
from accounts.models import Notice, User

pytestmark = pytest.mark.django_db
PAST = timezone.now() - timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _probe_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kind of notice that is always true, told in the reader's language and zone."""

    def render(notice: Notice) -> notices.Mail | None:
        if notice.data.get("over"):
            return None
        if notice.data.get("broken"):
            raise RuntimeError
        zone = timezone.get_current_timezone_name()
        return notices.Mail(f"Table\n{notice.table}", f"{translation.get_language()} {zone}", f"/t/{notice.table}/")

    monkeypatch.setitem(notices._renderers, "probe", render)


def owe(user: User, ply: int = 1, **data: Any) -> None:
    notices.schedule(user.pk, "probe", "ABC", ply, send_after=PAST, data=data)


def test_the_same_turn_is_owed_once_and_sent_once(alice: User) -> None:
    for _ in range(3):
        owe(alice)
    assert tasks.send_notices() == 1
    owe(alice)
    assert tasks.send_notices() == 0
    (message,) = mail.outbox
    assert message.to == ["alice@example.org"]


def test_nothing_is_sent_before_its_time(alice: User) -> None:
    notices.schedule(alice.pk, "probe", "ABC", 1, send_after=timezone.now() + timedelta(minutes=10))
    assert notices.send_due() == 0
    assert notices.send_due(timezone.now() + timedelta(minutes=11)) == 1


def test_dropped_notices_are_not_sent(alice: User, bob: User) -> None:
    owe(alice)
    owe(bob)
    notices.schedule(bob.pk, "probe", "OTHER", 1, send_after=PAST)
    assert notices.drop(kind="probe", table="ABC", user_id=alice.pk) == 1
    assert notices.send_due() == 2
    assert {tuple(m.to) for m in mail.outbox} == {("bob@example.org",)}
    # What was sent stays, so that it is not sent again.
    assert notices.drop(kind="probe", table="ABC") == 0
    owe(bob)
    assert notices.send_due() == 0


def test_the_mail_is_in_the_readers_language_and_zone_and_can_be_stopped(alice: User, settings: Any) -> None:
    User.objects.filter(pk=alice.pk).update(language="es", timezone="Pacific/Noumea")
    owe(alice)
    with translation.override("en"):
        notices.send_due()
    (message,) = mail.outbox
    assert "es Pacific/Noumea" in message.body
    assert f"{settings.SITE_URL}/t/ABC/" in message.body
    assert message.subject == "[cinqsite] Table ABC"
    link = message.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in message.body
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    # The zone of the sender's process is as before.
    assert timezone.get_current_timezone_name() != "Pacific/Noumea"


def test_never_to_guests_unproven_addresses_closed_accounts_or_the_unwilling(
    alice: User, bob: User, carla: User, guest: User
) -> None:
    User.objects.filter(pk=alice.pk).update(email_turns=False)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    EmailAddress.objects.filter(user=carla).update(verified=False)
    for user in (alice, bob, carla, guest):
        owe(user)
    assert notices.send_due() == 0
    assert mail.outbox == []
    assert not Notice.objects.filter(sent_at=None).exists()


def test_what_is_no_longer_true_is_not_told(alice: User) -> None:
    owe(alice, over=True)
    assert notices.send_due() == 0
    assert mail.outbox == []


def test_one_bad_row_stops_nobody_else(alice: User, bob: User) -> None:
    owe(alice, broken=True)
    owe(bob)
    assert notices.send_due() == 1
    assert notices.send_due() == 0
    assert [m.to for m in mail.outbox] == [["bob@example.org"]]


def test_with_the_mail_server_away_everything_stays_owed(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(self: Any) -> None:
        raise smtplib.SMTPConnectError(421, "away")

    owe(alice)
    monkeypatch.setattr(EmailBackend, "open", away)
    with pytest.raises(smtplib.SMTPConnectError):
        notices.send_due()
    monkeypatch.undo()
    assert Notice.objects.filter(sent_at=None).count() == 1


def test_a_crash_between_claim_and_mail_loses_one_and_doubles_none(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    owe(alice)
    owe(bob)

    def crash(*args: Any) -> int:
        raise SystemExit

    monkeypatch.setattr(notices, "_send", crash)
    with pytest.raises(SystemExit):
        notices.send_due()
    monkeypatch.undo()
    assert notices.send_due() <= 1
    assert notices.send_due() == 0
    assert len(mail.outbox) <= 1


@pytest.mark.django_db(transaction=True)
def test_four_workers_send_each_mail_once(user_named: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def render(notice: Notice) -> notices.Mail:
        return notices.Mail("x", "x", "/")

    monkeypatch.setitem(notices._renderers, "probe", render)
    for user in [user_named(f"Worker{c}") for c in "abcdefgh"]:
        owe(user)

    def work(_: int) -> int:
        try:
            return notices.send_due()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(work, range(4))) == 8
    assert len({tuple(m.to) for m in mail.outbox}) == len(mail.outbox) == 8


def test_one_click_stops_the_mails_without_login_cookie_or_token(alice: User) -> None:
    path = f"/unsubscribe/{notices.unsubscribe_token(alice)}/"
    browser = Client(enforce_csrf_checks=True)
    for _ in range(2):  # scanners
        assert browser.get(path).status_code == 200
        assert browser.head(path).status_code == 200
    alice.refresh_from_db()
    assert alice.email_turns
    answer = browser.post(path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    alice.refresh_from_db()
    assert not alice.email_turns
    owe(alice)
    assert notices.send_due() == 0


@pytest.mark.parametrize("token", ["1", "1:forged", "x:y:z", "../admin", "%00"])
def test_a_forged_token_stops_nobody(alice: User, token: str) -> None:
    assert Client().post(f"/unsubscribe/{token}/").status_code == 404
    alice.refresh_from_db()
    assert alice.email_turns


def test_old_notices_go(alice: User) -> None:
    owe(alice)
    notices.send_due()
    assert notices.purge() == 0
    assert notices.purge(timezone.now() + timedelta(days=61)) == 1
