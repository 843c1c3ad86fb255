"""Real round trips in Chromium: accounts of another site at a real provider on loopback, passkeys in a virtual authenticator."""

from __future__ import annotations

import re
import secrets
import subprocess
import sys

import pytest
import requests
from playwright.sync_api import expect

from cinqsite.processes import fetch, free_port, start, stop, wait_for
from tests.conftest import DESK, PASSWORD, PHONE
from tests.real_site import Site

pytestmark = pytest.mark.browser
SMALL = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of its own that offers the demonstration provider."""
    port = free_port()
    url = f"http://localhost:{port}"
    command = [sys.executable, "-W", "ignore", "-m", "cinqsite.demo_provider", str(port)]
    provider = start(command, output=subprocess.DEVNULL)
    try:
        assert wait_for(lambda: fetch(f"{url}/.well-known/openid-configuration")[0] == 200, 20)
        with Site(tmp_path_factory.mktemp("social"), worker=False, settings={"DEMO_PROVIDER_URL": url}) as running:
            running.provider = url
            yield running
    finally:
        stop([provider])


@pytest.fixture
def person(site):
    """Makes a person of the provider; returns his `sub`."""

    def make(**claims):
        sub = f"p-{secrets.token_hex(4)}"
        requests.put(f"{site.provider}/users/{sub}", json=claims, timeout=5).raise_for_status()
        return sub

    return make


def go(page, sub):
    """From a page of the site with the provider's button there and back."""
    page.locator("[data-provider=demo]").click()
    page.wait_for_url("**/oauth2/authorize**")
    page.get_by_label("Quelqu’un d’autre").fill(sub)
    page.get_by_role("button", name="Continuer", exact=True).click()
    page.wait_for_url(re.compile(r"^http://127\.0\.0\.1"))


def name_of(page):
    """Who the header says is here."""
    return page.locator("header .menu summary .me").inner_text()


def sign_out(page):
    page.goto("/accounts/logout/")
    page.locator("main").get_by_role("button", name="Se déconnecter").click()
    page.wait_for_url("**/")


def test_new_returning_and_no_mail(site, visitor, person):
    sub, before = person(given_name="Ursule", email="ursule@provider.example", email_verified=True), len(site.mails())
    page = visitor(size=DESK).new_page()
    page.goto("/accounts/login/?next=/lobby/")
    go(page, sub)
    page.wait_for_url("**/lobby/")
    assert name_of(page) == "Ursule"
    sign_out(page)
    # Another browser, another name over there: the same account.
    requests.put(f"{site.provider}/users/{sub}", json={"given_name": "Ursula"}, timeout=5)
    other = visitor(size=DESK).new_page()
    other.goto("/accounts/signup/")
    go(other, sub)
    assert name_of(other) == "Ursule"
    assert len(site.mails()) == before


@pytest.mark.parametrize(
    ("claims", "asked"),
    [
        ({"given_name": "Hector"}, False),
        ({"email": "sans-nom@provider.example", "email_verified": True}, True),
        ({"given_name": "Alice"}, True),
        ({"given_name": "Fatou", "email": "bob@example.org", "email_verified": False}, False),
        ({"given_name": "🦊"}, True),
        ({"given_name": "محمد"}, True),
    ],
    ids=["no address", "no name", "taken name", "unproven address", "emoji", "arabic"],
)
def test_what_is_missing_is_asked_and_nothing_else(visitor, person, claims, asked):
    page = visitor(size=DESK).new_page()
    page.goto("/accounts/signup/")
    go(page, person(**claims))
    if asked:
        assert page.url.endswith("/accounts/3rdparty/signup/")
        assert page.locator("main input:visible").count() == 1
        page.get_by_role("button", name="Créer mon compte").click()
    expect(page.locator("header .menu summary .me")).to_be_visible()
    page.goto("/accounts/email/")
    assert "bob@example.org" not in page.content()


def test_an_address_with_an_account_asks_to_sign_in_first_and_then_links(site, visitor, person):
    sub = person(given_name="Carla", email="carla@example.org", email_verified=True)
    page = visitor(size=DESK).new_page()
    page.goto("/accounts/login/")
    go(page, sub)
    expect(page.get_by_text("Connectez-vous d’abord pour relier")).to_be_visible()
    page.locator("main").get_by_role("link", name="Se connecter").click()
    page.fill("[name=login]", "carla@example.org")
    page.fill("[name=password]", PASSWORD)
    page.locator("main").get_by_role("button", name="Se connecter").click()
    page.wait_for_url("**/accounts/3rdparty/")
    go(page, sub)
    page.fill("[name=password]", PASSWORD)
    page.get_by_role("button", name="Continuer").click()
    page.wait_for_url("**/accounts/3rdparty/")
    expect(page.get_by_text("est relié à votre compte")).to_be_visible()
    site.wait_for_mail("carla@example.org")
    sign_out(page)
    page.goto("/accounts/login/")
    go(page, sub)
    assert name_of(page) == "Carla"
    # Unlinking asks again: a login is no proof. Carla has an address, so it may go.
    page.goto("/accounts/3rdparty/")
    page.get_by_role("button", name=re.compile("Délier")).click()
    page.fill("[name=password]", PASSWORD)
    page.get_by_role("button", name="Continuer").click()
    page.wait_for_url("**/accounts/3rdparty/")
    expect(page.get_by_text("Aucun compte d’un autre site")).to_be_visible()


def test_the_last_way_in_is_not_unlinked(visitor, person):
    page = visitor(size=SMALL).new_page()
    page.goto("/accounts/login/")
    go(page, person(given_name="Solitaire"))
    page.goto("/accounts/3rdparty/")
    page.get_by_role("button", name=re.compile("Délier")).click()
    expect(page.get_by_text("votre seul moyen de vous connecter")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_refusing_leads_to_a_kind_page(visitor):
    page = visitor(size=PHONE).new_page()
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Fournisseur de démonstration").click()
    page.get_by_role("button", name="Refuser").click()
    expect(page.get_by_role("heading", name="Connexion abandonnée")).to_be_visible()
    page.get_by_role("link", name="Réessayer").click()
    page.wait_for_url("**/accounts/login/**")
    page.goto("/accounts/oidc/demo/login/callback/?code=x&state=foreign")
    expect(page.get_by_role("heading", name="Cela n’a pas marché")).to_be_visible()


def test_a_guest_becomes_the_account(site, visitor, person):
    page = visitor(size=DESK).new_page()
    page.goto("/")
    page.locator("form:has([name=mode][value=classique]) button").first.click()
    page.wait_for_url("**/t/*/")
    table = page.url
    page.goto("/accounts/signup/")
    go(page, person(given_name="Invitée-Kim"))
    if page.url.endswith("/signup/"):
        page.get_by_role("button", name="Créer mon compte").click()
    page.goto(table)
    assert page.locator("#live[data-seat], #live").count() == 1
    seats = site.run(
        "from games.models import Seat\nresult = list(Seat.objects.filter(table__code=CODE, user__isnull=False)"
        ".values_list('user__is_guest', flat=True))",
        CODE=table.rstrip("/").rpartition("/")[2],
    )
    assert seats == [False]


def test_without_javascript_too(visitor, person):
    page = visitor(size=PHONE, js=False).new_page()
    page.goto("/accounts/login/")
    go(page, person(given_name="Nestor"))
    page.goto("/settings/")
    assert "Nestor" in page.content()


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/", "/accounts/login/code/"])
@pytest.mark.parametrize(("size", "dark"), [(SMALL, True), (DESK, False)], ids=["phone-dark", "desk-light"])
def test_pages_are_accessible_and_fit(browser_page, axe, path, size, dark):
    page = browser_page(size=size, dark=dark)
    page.goto(path)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# --- Passkeys -------------------------------------------------------------------------------------------------------


@pytest.fixture
def keyring(site, chromium):
    """A page at localhost (passkeys know no addresses in digits) with a virtual authenticator, and what went wrong in it."""
    context = chromium.new_context(
        base_url=f"http://localhost:{site.port}", locale="fr-FR", viewport=DESK, reduced_motion="reduce"
    )
    context.set_default_timeout(10_000)
    page = context.new_page()
    trouble = []
    page.on("pageerror", lambda error: trouble.append(str(error)))
    page.on("console", lambda line: trouble.append(line.text) if line.type == "error" else None)
    session = context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    page.trouble = trouble
    yield page
    context.close()


def log_in(page, email, password=PASSWORD):
    page.goto("/accounts/login/")
    page.fill("[name=login]", email)
    page.fill("[name=password]", password)
    page.locator("main").get_by_role("button", name="Se connecter").click()


def add_key(page):
    """Add a passkey, giving the password again; ends on the page of recovery codes."""
    page.goto("/accounts/2fa/")
    page.get_by_role("link", name="Ajouter une clé d’accès").first.click()
    if page.locator("[name=password]").count():
        page.fill("[name=password]", PASSWORD)
        page.get_by_role("button", name="Continuer").click()
    page.get_by_role("button", name="Créer la clé").click()
    page.wait_for_url("**/accounts/2fa/recovery-codes/")


def test_a_passkey_signs_in_and_is_the_second_factor(site, keyring, axe):
    page = keyring
    log_in(page, "bob@example.org")
    add_key(page)
    expect(page.get_by_text("La clé d’accès est ajoutée")).to_be_visible()
    site.wait_for_mail("bob@example.org")
    for path in ("/accounts/2fa/", "/accounts/2fa/webauthn/"):
        page.goto(path)
        assert axe(page) == []
    sign_out(page)
    # By the key alone.
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Utiliser une clé d’accès").click()
    page.wait_for_url("**/")
    assert name_of(page) == "Bob"
    sign_out(page)
    # After the password.
    log_in(page, "bob@example.org")
    page.wait_for_url("**/accounts/2fa/authenticate/")
    page.get_by_role("button", name="Utiliser une clé d’accès").click()
    page.wait_for_url("**/")
    assert name_of(page) == "Bob"
    assert page.trouble == []


def test_a_passkey_satisfies_the_staff_s_rule(keyring):
    page = keyring
    log_in(page, "admin@example.org")
    page.goto("/admin/")
    page.wait_for_url("**/accounts/**")
    assert "/admin/" not in page.url.partition("?")[0]
    add_key(page)
    assert page.goto("/admin/").status == 200
    assert "/admin/" in page.url


def test_a_key_that_does_not_answer_is_told_of_on_the_page(keyring):
    page = keyring
    page.goto("/accounts/login/")
    # The virtual authenticator has no key for this site.
    page.get_by_role("button", name="Utiliser une clé d’accès").click()
    expect(page.locator("#passkey-trouble")).to_be_visible()
