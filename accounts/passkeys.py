"""Passkeys: a key of the device instead of a password, or as second factor. allauth's, with our limits and words."""

from __future__ import annotations

from typing import Any

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms as allauth_forms
from allauth.mfa.webauthn.views import RemoveWebAuthnView
from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import limits, ways_in
from accounts.models import User

NAME_LENGTH = 40
# What the library raises for an answer that no browser gives.
MALFORMED = (AttributeError, IndexError, KeyError, TypeError, ValueError)


class AddForm(allauth_forms.AddWebAuthnForm):
    """A new passkey. The ceremony is the browser's; its answer comes in `credential`."""

    passwordless = forms.BooleanField(
        label=_("Sign in with this key alone, without password or code"), required=False, initial=True
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = _("Name of the key")
        self.fields["name"].help_text = _("So that you know it again, for example “My phone”.")
        self.fields["name"].max_length = NAME_LENGTH
        self.fields["name"].widget.attrs["maxlength"] = NAME_LENGTH

    def clean_name(self) -> str:
        """The name, cut to what the pages have room for."""
        return str(super().clean_name())[:NAME_LENGTH]

    def clean(self) -> dict[str, Any]:
        """Check the browser's answer."""
        try:
            data: dict[str, Any] = super().clean()
        except MALFORMED:
            raise get_adapter().validation_error("incorrect_code") from None
        return data


class RenameForm(allauth_forms.EditWebAuthnForm):
    """Another name for a passkey."""

    name = forms.CharField(label=_("Name of the key"), max_length=NAME_LENGTH)


class _Proof(allauth_forms.AuthenticateWebAuthnForm):
    """A passkey's answer, of whatever shape it comes."""

    def clean_credential(self) -> Authenticator:
        """The passkey, if the answer is right."""
        limits.check("login", limits.by_address(context.request))
        try:
            return super().clean_credential()
        except ValidationError:
            raise
        except MALFORMED:
            raise get_adapter().validation_error("incorrect_code") from None


class LoginForm(_Proof, allauth_forms.LoginWebAuthnForm):
    """Login by a passkey alone."""


class AuthenticateForm(_Proof):
    """A passkey as the second step of a login."""


class ReauthenticateForm(_Proof, allauth_forms.ReauthenticateWebAuthnForm):
    """A passkey asked for again before a sensitive change."""


class Remove(RemoveWebAuthnView):
    """Removing a passkey; never the last way in."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Remove it, unless nothing else lets the person in."""
        passkey: Authenticator = self.get_object()
        with transaction.atomic():
            User.objects.select_for_update().get(pk=passkey.user_id)
            if ways_in.left_without(passkey.user, passkey=passkey.pk):
                answer: HttpResponse = super().form_valid(form)
                return answer
        messages.error(
            self.request, gettext("This is your only way in. First confirm an e-mail address or link another account.")
        )
        return HttpResponseRedirect(reverse("mfa_list_webauthn"))
