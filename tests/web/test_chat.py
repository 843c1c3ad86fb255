"""The chat at the table and on its page: who gets what through which door, what cannot be smuggled in, what it costs."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import ties
from games.models import ChatMessage, Seat, Table
from games.services import abandon, chat, tables
from tests.playing import open_for

pytestmark = pytest.mark.django_db

EN = {"accept-language": "en"}
LIVE = {"X-Requested-With": "live", **EN}
WORD = "Zanzibar"
DOORS = ("", "live/", "log/", "observation.json", "record.txt", "chat/")

PAYLOADS = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>", "</bdi></p><script>alert(1)</script>", "</textarea><script>alert(1)</script>",
    "<a href=javascript:alert(1)>x</a>", "javascript:alert(1)", "data:text/html,<script>alert(1)</script>",
    "https://example.org/x?a=1&b=2", "www.example.org", "someone@example.org", "+33 6 12 34 56 78", "{{ request.user }}",
    "{% debug %}", "${alert(1)}", "<iframe srcdoc='<script>alert(1)</script>'>", "<style>*{display:none}</style>",
    "<form action=//e.example><input name=csrfmiddlewaretoken>", "<base href=//e.example>", "<meta http-equiv=refresh content=0>",
    "&lt;script&gt;", "&#60;script&#62;", "<!--", "]]>", "<li id=said-1 class=mine>You won</li>",
    "<details open ontoggle=alert(1)>", "<scr\u200bipt>alert(1)</script>",
    "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>", "\u202e<script>alert(1)</script>",
]  # fmt: skip


class Text(HTMLParser):
    """The elements of an HTML text with their attributes, and what reads as a message (`p.text`)."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.messages: list[str] = []
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(name for name, _value in attrs)))
        if tag == "p":
            self.inside = ("class", "text") in attrs
            if self.inside:
                self.messages.append("")

    def handle_endtag(self, tag):
        if tag == "p":
            self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.messages[-1] += data


@pytest.fixture
def running(alice, bob):
    return open_for(alice, bob)


def say(table, user, text=WORD):
    return chat.say(table.code, user=user, text=text, request=uuid4())


def post(client, table, what, *, headers=EN, **fields):
    return client.post(f"/t/{table.code}/{what}/", {"request": str(uuid4()), **fields}, headers=headers)


def body(client, table, path=""):
    return client.get(f"/t/{table.code}/{path}", headers=EN).content.decode()


# --- Doors ----------------------------------------------------------------------------------------------------------


def test_people_at_the_table_read_it(running, client_of, alice, bob):
    say(running, alice)
    for who in (alice, bob):
        for path in ("", "live/", "chat/"):
            assert WORD in body(client_of(who), running, path), (who, path)


def test_nobody_else_gets_a_word_of_it(running, client, client_of, alice, carla, guest):
    say(running, alice)
    for asker in (client, client_of(carla), client_of(guest)):
        for path in DOORS:
            html = body(asker, running, path)
            assert WORD not in html, path
            assert "said-" not in html
            assert 'id="chat"' not in html
        assert asker.get(f"/t/{running.code}/chat/").status_code == 404
        for what in ("say", "mute"):
            assert post(asker, running, what, text="Moi aussi", mute=alice.pk).status_code == 404
    assert ChatMessage.objects.count() == 1


def test_no_export_of_the_table_has_it(running, client_of, alice):
    say(running, alice)
    for path in ("log/", "observation.json", "record.txt"):
        assert WORD not in body(client_of(alice), running, path)


def test_spectators_learn_only_that_something_happened(client_of, alice, bob, carla, user_named):
    """Whoever writes, whatever is written and folded: the same bytes for whoever watches."""
    table, watcher = open_for(alice, bob), client_of(carla)

    def seen():
        html = body(watcher, table, "live/")
        return re.sub(r'data-version="\d+"', "", html)

    before = seen()
    say(table, alice, "court")
    after_one = seen()
    say(table, bob, "x" * 400)
    chat.mute(table.code, reader=alice, muted_id=bob.pk, on=True)
    assert before == after_one == seen()


def test_whoever_left_gets_nothing(client_of, alice, bob, carla):
    waiting = tables.open_table(user=alice, game="cinq", options={}, seats=3, pace=86400)
    tables.sit(waiting.code, user=bob)
    say(waiting, alice)
    assert WORD in body(client_of(bob), waiting)
    tables.remove(waiting.code, by=alice, seat_id=Seat.objects.get(table=waiting, user=bob).pk)
    started = open_for(alice, bob, carla)
    say(started, alice)
    abandon.abandon(started.code, user=bob)
    for table in (waiting, started):
        client = client_of(bob)
        assert WORD not in body(client, table) + body(client, table, "live/")
        assert client.get(f"/t/{table.code}/chat/").status_code == 404
        assert post(client, table, "say", text="x").status_code == 404


# --- Saying ---------------------------------------------------------------------------------------------------------


def test_a_plain_form_goes_back_to_where_it_stood(running, client_of, alice):
    client = client_of(alice)
    assert post(client, running, "say", text="Un").headers["Location"] == f"/t/{running.code}/#chat"
    assert post(client, running, "say", text="Deux", back="chat").headers["Location"] == f"/t/{running.code}/chat/#say"
    assert Text(body(client, running)).messages == ["Un", "Deux"]


def test_the_script_gets_the_live_part(running, client_of, alice):
    answer = post(client_of(alice), running, "say", headers=LIVE, text=WORD)
    assert answer.status_code == 200
    assert answer["X-Version"] == str(Table.objects.get(pk=running.pk).version)
    assert answer.content.startswith(b"\n<div") or b'<div id="live"' in answer.content
    assert WORD in answer.content.decode()


@pytest.mark.parametrize("text", ["", "  ", "\u200b", "x" * 501])
def test_what_is_no_message_is_422_with_a_sentence(running, client_of, alice, text):
    client = client_of(alice)
    by_script = post(client, running, "say", headers=LIVE, text=text)
    plain = post(client, running, "say", text=text)
    assert by_script.status_code == plain.status_code == 422
    sentence = "Write something first." if len(text) < 9 else "A message has at most 500 characters."
    assert sentence in by_script.content.decode()
    assert sentence in plain.content.decode()
    assert not ChatMessage.objects.exists()


def test_no_request_id_is_422_and_the_text_is_kept(running, client_of, alice):
    answer = client_of(alice).post(f"/t/{running.code}/say/", {"text": "Mon long message", "request": "x"}, headers=EN)
    assert answer.status_code == 422
    assert "Mon long message" in answer.content.decode()


def test_limits(running, client_of, alice, settings):
    settings.RATE_LIMITS_ENABLED = True
    client = client_of(alice)
    assert [post(client, running, "say", text="x").status_code for _ in range(7)] == [303] * 6 + [429]
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"chat": (1000, 30)}
    codes = [post(client, running, "say", text="x").status_code for _ in range(60)]
    assert codes.count(429) == 6, "sixty in the first day's hour, six of them before"


def test_names_and_texts_are_text(running, client_of, alice, bob):
    for text in PAYLOADS:
        say(running, bob, text)
    plain = Text(body(client_of(alice), running, "chat/"))
    calm = Text(body(client_of(alice), running, "chat/"))
    kept = [text.replace("\u202e", "").replace("\u200b", "") for text in PAYLOADS]
    assert plain.messages == kept
    ChatMessage.objects.update(text="x")
    calm = Text(body(client_of(alice), running, "chat/"))
    assert plain.tags == calm.tags, "nothing that was written has become an element or an attribute"


def test_a_hostile_name_is_text_too(running, client_of, alice, bob):
    say(running, bob, "x")
    before = Text(body(client_of(alice), running)).tags
    type(bob).objects.filter(pk=bob.pk).update(username="</bdi><img src=x>")
    assert Text(body(client_of(alice), running)).tags == before


def test_insults_are_dots_until_one_wants_to_see_them(running, client_of, alice, bob):
    say(running, bob, "Quelle salope")
    client = client_of(alice)
    assert Text(body(client, running)).messages == ["Quelle s•••••"]
    answer = client.post("/settings/words/", {"show": "1", "next": f"/t/{running.code}/chat/"})
    assert answer["Location"] == f"/t/{running.code}/chat/"
    assert Text(body(client, running)).messages == ["Quelle salope"]
    assert client.post("/settings/words/", {"show": "maybe"}).status_code == 422


# --- Muting, blocking, reading --------------------------------------------------------------------------------------


def test_muting_folds_and_can_be_opened(running, client_of, alice, bob):
    say(running, bob)
    client = client_of(alice)
    answer = post(client, running, "mute", headers=LIVE, mute=bob.pk)
    assert answer.status_code == 200
    html = answer.content.decode()
    fold = html[html.index('<details id="fold-') :]
    assert "open" not in fold[: fold.index(">")]
    assert WORD in fold[: fold.index("</details>")]
    assert "/report/?table=" in fold[: fold.index("</details>")], "what is folded can still be reported"
    assert post(client, running, "mute", unmute=bob.pk).status_code == 303
    assert '<details id="fold-' not in body(client, running)
    for odd in ("", "x", "-1", "9" * 30):
        assert post(client, running, "mute", mute=odd).status_code == 422
    assert post(client, running, "mute", mute=10**15).status_code == 404


def test_a_block_folds_for_the_blocker_and_tells_nobody(running, client_of, alice, bob):
    say(running, bob)
    say(running, alice, "Je suis Alice")
    ties.block(alice, bob)
    assert "a person you have blocked" in body(client_of(alice), running)
    his = body(client_of(bob), running)
    assert "fold-" not in his
    assert "Je suis Alice" in his


def test_unread_until_the_chat_was_looked_at(running, client_of, alice, bob):
    last = say(running, bob).pk
    client = client_of(alice)
    assert 'data-unread="1"' in body(client, running)
    assert 'data-unread="1"' in body(client, running, "live/?seen=1"), "the board was looked at, not the chat"
    client.get(f"/t/{running.code}/live/?v=0&seen=1&chat={last}")
    assert 'data-unread="0"' in body(client, running)
    say(running, bob)
    body(client, running, "chat/")
    assert 'data-unread="0"' in body(client, running)
    for odd in ("x", "-1", "9" * 30):
        assert client.get(f"/t/{running.code}/live/?chat={odd}").status_code == 200


def test_a_hidden_message_shows_that_it_was_there(running, client_of, alice, bob):
    message = say(running, bob)
    ChatMessage.objects.filter(pk=message.pk).update(hidden_at=message.at)
    html = body(client_of(alice), running) + body(client_of(alice), running, "chat/")
    assert WORD not in html
    assert "This message was removed." in html


def test_the_page_goes_back_by_hundreds(running, client_of, alice, bob):
    ids = [say(running, bob, f"Message {number}").pk for number in range(103)]
    first = body(client_of(alice), running, "chat/")
    assert Text(first).messages[0] == "Message 3"
    assert f"?before={ids[3]}" in first
    assert Text(body(client_of(alice), running, f"chat/?before={ids[3]}")).messages == ["Message 0", "Message 1", "Message 2"]


@pytest.mark.parametrize(("path", "most"), [("", 10), ("live/", 5), ("chat/", 6)])
def test_queries_with_many_messages(running, client_of, alice, bob, path, most):
    for number in range(35):
        say(running, bob if number % 2 else alice)
    client = client_of(alice)
    client.get("/tables/count.json")
    client.get(f"/t/{running.code}/chat/")
    with CaptureQueriesContext(connection) as seen:
        client.get(f"/t/{running.code}/{path}")
    asked = [query["sql"] for query in seen if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))]
    assert len(asked) <= most, "\n".join(sql[:200] for sql in asked)
