"""Fixtures for every test: people, their clients, and the real site in processes of its own for browser tests."""

from __future__ import annotations

import os
import random
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings

from tests.insert_only import flush_past_insert_only  # noqa: F401 - a fixture for everybody
from tests.real_site import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Playwright

PASSWORD = "quatre-cartes-5"
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
CHROMIUM = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
PHONE = {"width": 360, "height": 780}
DESK = {"width": 1280, "height": 900}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests last: Playwright keeps an event loop in the main thread from its first use on."""
    for item in items:
        if {"site", "browser_page", "visitor"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.fixture(autouse=True)
def _clean_cache() -> None:
    """No test sees another one's cache (limits, memories of a sick Redis)."""
    from django.core.cache import cache

    cache.clear()


@pytest.fixture(autouse=True)
def _no_news() -> None:
    """No test sees another one's announcements; `staff.news.forget()` has the next page ask for them."""
    from staff import news

    news._memory = news._Memory(read_at=float("inf"))


@pytest.fixture(autouse=True)
def _hasher(request: pytest.FixtureRequest) -> None:
    """MD5 unless the test is marked `real_hasher`: argon2 takes 60 ms on purpose."""
    if request.node.get_closest_marker("real_hasher"):
        request.getfixturevalue("settings").PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]


@pytest.fixture(autouse=True)
def _same_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Table codes and seeds come from the test's own name: a test meets the same cards each time it runs."""
    from games.models import table as table_models
    from games.services import tables

    chance = random.Random(request.node.nodeid.rpartition("/")[2])
    steady = SimpleNamespace(
        token_bytes=chance.randbytes,
        token_hex=lambda size: chance.randbytes(size).hex(),
        token_urlsafe=lambda size: chance.randbytes(size).hex(),
        choice=chance.choice,
        compare_digest=secrets.compare_digest,
    )
    monkeypatch.setattr(tables, "secrets", steady)
    monkeypatch.setattr(table_models, "secrets", steady)


# --- People ---------------------------------------------------------------------------------------------------------


def make_user(name: str, **fields: Any) -> Any:
    """A registered person with a verified address `<name>@example.org` and the password PASSWORD."""
    from allauth.account.models import EmailAddress
    from django.contrib.auth import get_user_model

    email = fields.pop("email", f"{name.lower()}@example.org")
    user = get_user_model().objects.create_user(username=name, email=email, password=PASSWORD, **fields)
    EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
    return user


@pytest.fixture
def user_named(db: None) -> Callable[..., Any]:
    """Makes people: `user_named("Diego", language="es")`."""
    return make_user


@pytest.fixture
def alice(db: None) -> Any:
    return make_user("Alice")


@pytest.fixture
def bob(db: None) -> Any:
    return make_user("Bob")


@pytest.fixture
def carla(db: None) -> Any:
    return make_user("Carla")


@pytest.fixture
def guest(db: None) -> Any:
    """A guest: a user row without password and address."""
    from django.contrib.auth import get_user_model

    user = get_user_model()(username="Guest 1234", is_guest=True)
    user.set_unusable_password()
    user.save()
    return user


@pytest.fixture
def client_of() -> Callable[..., Any]:
    """`client_of(user)`: a test client in that user's session (a guest's is not logged in); None: a stranger."""
    from django.test import Client

    def make(user: Any = None, **options: Any) -> Client:
        client = Client(**options)
        if user is not None and getattr(user, "is_guest", False):
            session = client.session
            session["guest_id"] = user.pk
            session.save()
            client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
        elif user is not None:
            client.force_login(user, backend=BACKEND)
        return client

    return make


# --- The real site and browsers -------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The whole site on a free port: server, worker with beat, broker, SQLite file; people alice, bob, carla, admin."""
    with Site(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Debian's Chromium. Missing: skipped, but an error under CI."""
    if CHROMIUM is None:
        message = "Chromium is missing: apt install chromium"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(message)
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
    yield browser
    browser.close()


class Watch:
    """What went wrong in a page: script errors, console errors (among them CSP violations), failed answers."""

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.foreign: list[str] = []

    def attach(self, page: Page, origin: str) -> None:
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        page.on("request", lambda sent: self.foreign.append(sent.url) if _foreign(sent.url, origin) else None)


def _foreign(url: str, origin: str) -> bool:
    return not url.startswith((origin, origin.replace("http", "ws", 1), "data:", "blob:", "about:"))


@pytest.fixture
def visitor(site: Site, chromium: Browser) -> Iterator[Callable[..., BrowserContext]]:
    """Makes browser contexts: `visitor("alice", size=PHONE, dark=True, js=False, locale="es-ES")`; no name: a stranger."""
    contexts: list[BrowserContext] = []

    def make(
        who: str | None = None,
        *,
        size: dict[str, int] = DESK,
        dark: bool = False,
        js: bool = True,
        locale: str = "fr-FR",
        timezone: str = "Europe/Paris",
        **options: Any,
    ) -> BrowserContext:
        context = chromium.new_context(
            base_url=site.url,
            viewport=size,  # type: ignore[arg-type]
            locale=locale,
            timezone_id=timezone,
            color_scheme="dark" if dark else "light",
            java_script_enabled=js,
            reduced_motion="reduce",
            **options,
        )
        context.set_default_timeout(10_000)
        if who:
            context.add_cookies([{"name": "sessionid", "value": site.session(who), "url": site.url}])
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def browser_page(site: Site, visitor: Callable[..., BrowserContext]) -> Iterator[Callable[..., Page]]:
    """Makes pages (same arguments as `visitor`). At the end no script error, CSP violation or foreign request may be left.

    `page.watch.errors` lists what was seen; a test that provokes an error clears it.
    """
    watches: list[Watch] = []

    def make(who: str | None = None, **options: Any) -> Page:
        page = visitor(who, **options).new_page()
        watch = Watch()
        watch.attach(page, site.url)
        watches.append(watch)
        page.watch = watch  # type: ignore[attr-defined]
        return page

    yield make
    for watch in watches:
        assert watch.errors == []
        assert watch.foreign == []


@pytest.fixture(scope="session")
def axe() -> Callable[[Any], list[str]]:
    """`axe(page)`: the accessibility faults axe-core finds (WCAG 2.2 AA), one line each."""
    from axe_playwright_python.sync_playwright import Axe

    runner = Axe()
    options = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}

    def faults(page: Any) -> list[str]:
        found = runner.run(page, options=options).response["violations"]
        return [f"{item['id']}: {item['help']}: {node['html'][:150]}" for item in found for node in item["nodes"]]

    return faults


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the source tree."""
    return Path(settings.BASE_DIR)
