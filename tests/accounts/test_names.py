"""Pseudonyms: what is allowed, and which names are one and the same (case PC-71)."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts import names, registration
from accounts.models import User


@pytest.mark.parametrize(
    "name", ["Zoé", "Jean-Éric", "Ömer", "Œdipe", "Léa 2", "M.Dupont", "a_b", "Маша", "Ελένη", "Straße", "x" * 24, "Bottine"]
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
    ],
)
def test_other_names_are_refused(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        names.validate(names.clean(name))
    assert refusal.value.code == code


@pytest.mark.parametrize(
    "twin", ["CAMILLE", "CamilIe", "Cami1le", "Camílle", "Ca-mille", "Ca mille", "C.amille", "Camillé", "Cami\u0301lle"]
)
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
