"""Forms of accounts of other sites: the pseudonym that is missing, and unlinking."""

from __future__ import annotations

from typing import Any

from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount import forms as allauth_forms
from allauth.socialaccount import signals
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts import names, ways_in
from accounts.models import User


class SignupForm(allauth_forms.SignupForm):
    """The pseudonym of a new account; everything else is known, or not needed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("email", None)
        field = self.fields["username"]
        field.label = _("Pseudonym")
        field.widget.attrs.pop("placeholder", None)
        field.widget.attrs["autocomplete"] = "nickname"
        field.help_text = _("The name other players see, %(least)d to %(most)d characters long.") % {
            "least": names.MIN_LENGTH,
            "most": names.MAX_LENGTH,
        }

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Make the account; returns the user, or the answer when somebody was faster."""
        try:
            return self.save(request), None
        except ImmediateHttpResponse as other:
            return None, other.response


class UnlinkForm(allauth_forms.DisconnectForm):
    """Unlinking one account of another site; never the last way in."""

    def clean(self) -> dict[str, Any]:
        """Refuse to take away the last way in."""
        data: dict[str, Any] = self.cleaned_data
        account = data.get("account")
        if account is not None and not ways_in.left_without(account.user, social=account.pk):
            raise self._last()
        return data

    def save(self) -> None:
        """Unlink, after the person has proved again that it is he, and tell him by mail."""
        raise_if_reauthentication_required(self.request, app="allauth.socialaccount")
        account: SocialAccount = self.cleaned_data["account"]
        with transaction.atomic():
            # Two of them at once would each find the other one left.
            User.objects.select_for_update().get(pk=account.user_id)
            if not ways_in.left_without(account.user, social=account.pk):
                return
            account.delete()
        signals.social_account_removed.send(sender=SocialAccount, request=self.request, socialaccount=account)
        messages.success(self.request, _("The account is unlinked."))
        get_adapter().send_notification_mail(
            "socialaccount/email/account_disconnected", account.user, context={"account": account}
        )

    def _last(self) -> ValidationError:
        return ValidationError(
            _("This is your only way in. First confirm an e-mail address, add a passkey or link another account."), code="last"
        )
