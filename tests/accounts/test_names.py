"""Pseudonyms: what is allowed, and which names are one and the same (case PC-71)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts import names, registration
from accounts.models import User


@pytest.mark.parametrize(
    "name",
    [
        "Zoé",
        "Jean-Éric",
        "Ömer",
        "Œdipe",
        "Léa 2",
        "Zoé2.0",
        "a_b",
        "Маша",
        "Ελένη",
        "Straße",
        "x" * 24,
        "Bottine",
        "Admirable",
        "Modeste",
        "Cinq Étoiles",
        "LaMaison",
        "O_Neil",
    ],
)
def test_ordinary_names_are_allowed(name: str) -> None:
    names.validate(names.clean(name))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ab", "length"),
        ("x" * 25, "length"),
        ("x" * 300, "length"),
        ("Саmille", "mixed_scripts"),
        ("ﬁnaud", "characters"),
        ("Cam\u200dille", "characters"),
        ("Cam\u202eille", "characters"),
        ("Camille\u0323\u0323\u0323", "characters"),
        ("😀😀😀", "characters"),
        ("Ｃamille", "characters"),
        ("Bob\tB", "characters"),
        ("<b>Bob</b>", "characters"),
        ("=1+1", "characters"),
        ("محمد", "characters"),
        ("123", "no_letter"),
        ("Camille.", "separators"),
        ("-Camille", "separators"),
        ("Ca--mille", "separators"),
        ("admin", "reserved"),
        ("A.d.m.i.n", "reserved"),
        ("ADM1N", "reserved"),
        ("modérateur", "reserved"),
        ("Moderateur", "reserved"),
        ("système", "reserved"),
        ("Joueur supprimé", "reserved"),
        ("JoueurSupprime", "reserved"),
        ("Invité 1234", "reserved"),
        ("Guest-77", "reserved"),
        ("bot", "reserved"),
        ("B0t 3", "reserved"),
        ("Admin Paul", "reserved"),
        ("Paul_adm1n", "reserved"),
        ("PaulAdmin", "reserved"),
        ("Modo Zoé", "reserved"),
        ("le-modo-7", "reserved"),
        ("Cinqsite Zoé", "reserved"),
        ("www.evil.com", "host"),
        ("M.Dupont", "host"),
        ("é.ч", "mixed_scripts"),
    ],
)
def test_other_names_are_refused(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        names.validate(names.clean(name))
    assert refusal.value.code == code


@pytest.mark.parametrize("twin", ["CAMILLE", "CamilIe", "Cami1le", "Camílle", "Ca-mille", "Ca mille", "Camillé", "Cami\u0301lle"])
def test_a_look_alike_is_taken(db: None, alice: User, twin: str) -> None:
    registration.create_person("Camille", "camille@example.org", None)
    with pytest.raises(ValidationError) as refusal:
        registration.free_name(twin)
    assert refusal.value.code == "taken"


def test_alphabets_that_look_alike_share_a_key() -> None:
    assert names.key("СОВА") == names.key("COBA")  # Cyrillic, then Latin
    assert names.key("ΝΙΚΟΣ") != names.key("NIKOS")  # sigma looks like nothing Latin
    assert names.key("ΝΙΚΟ") == names.key("NIKO")
    assert names.key("Bernard") == names.key("Bemard")


def test_different_names_have_different_keys() -> None:
    people = ["Anna", "Hanna", "Luc", "Lucas", "Marie", "Maria", "Noa", "Noé", "Théo", "Thea", "Eva", "Ève"]
    assert len({names.key(name) for name in people}) == len(people)


def test_the_database_refuses_a_twin_however_it_is_written(alice: User) -> None:
    for make in (
        lambda: User.objects.create_user("ALICE"),
        lambda: User.objects.bulk_create([User(username="Al-ice")]),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            make()


def test_a_guest_name_is_no_persons(db: None) -> None:
    User.objects.create(username="guest-1234", is_guest=True)
    assert User.objects.get(username="guest-1234").name_key == "guest-1234"
    assert "-" not in names.key("guest-1234")


def test_an_old_name_is_reserved_for_a_year_for_everybody_but_its_owner(alice: User) -> None:
    registration.rename(alice, "Alicia")
    assert User.objects.get(pk=alice.pk).name_key == names.key("Alicia")
    for twin in ("Alice", "ALICE", "Al1ce"):
        with pytest.raises(ValidationError):
            registration.free_name(twin)
    assert registration.free_name("Alice", alice) == "Alice"
    assert registration.may_rename_at(alice) is not None


def test_the_two_lists_of_case_pc_71(db: None) -> None:
    registration.create_person("Camille", "camille@example.org", None)
    refused = [
        "CamilIe", "Саmille", "Cam\ufb01lle", "Cami\u200dlle", "Cam\u202eille", "Camille.", "Cam\u0336ille", "admin",
        "modérateur", "Joueur supprimé", "x" * 300, "😀😀😀",
    ]  # fmt: skip
    for name in refused:
        with pytest.raises(ValidationError) as refusal:
            registration.free_name(name)
        assert str(refusal.value.messages[0]).endswith((".", "…"))
    assert registration.free_name("Camille ", User.objects.get(username="Camille")) == "Camille"
    assert [registration.free_name(name) for name in ("Zoé", "Jean-Éric", "Ömer")] == ["Zoé", "Jean-Éric", "Ömer"]


def test_a_name_changes_every_90_days_at_most_also_by_two_copies_of_the_row(alice: User) -> None:
    copy = User.objects.get(pk=alice.pk)
    registration.rename(alice, "Alicia")
    for user in (alice, copy):
        with pytest.raises(ValidationError) as refusal:
            registration.rename(user, "Alix")
        assert refusal.value.code == "too_early"
    User.objects.filter(pk=alice.pk).update(renamed_at=timezone.now() - timedelta(days=91))
    registration.rename(alice, "Alice")
    assert User.objects.get(pk=alice.pk).username == "Alice"


def test_what_the_staff_renames_is_free_to_rename_again_and_not_back(alice: User, bob: User) -> None:
    registration.rename(alice, "Colombe", by=bob)
    alice.refresh_from_db()
    assert (alice.username, alice.renamed_at) == ("Colombe", None)
    for user in (None, alice):
        with pytest.raises(ValidationError):
            registration.free_name("Alice", user)
    registration.rename(alice, "Alicia")
    assert User.objects.get(pk=alice.pk).username == "Alicia"


def test_an_old_name_is_refused_to_others_by_every_form(
    client: Client, client_of: Callable[..., Client], alice: User, bob: User
) -> None:
    registration.rename(alice, "Alicia")
    assert client_of(bob).post("/settings/name/", {"username": "ALICE"}).status_code == 422
    answer = client.post("/accounts/signup/", {"username": "al1ce", "email": "c@example.org", "password1": "un-bon-mot-de-passe"})
    assert "username" in answer.context["form"].errors
    assert User.objects.get(pk=bob.pk).username == "Bob"
    # The address of a profile has the number, not the name: it leads to the same person.
    assert "Alicia" in client.get(f"/u/{alice.pk}/").content.decode()
