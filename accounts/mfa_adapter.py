"""How allauth's second factor works here: its secrets are sealed in the database, and a code is good for one use."""

from __future__ import annotations

import base64
import hashlib
import hmac
import io
from typing import Any
from urllib.parse import urlsplit

import qrcode
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.utils.translation import gettext
from qrcode.image.svg import SvgPathFillImage

from accounts.models import User


class MFAAdapter(DefaultMFAAdapter):
    """allauth's hooks for the second factor."""

    def encrypt(self, text: str) -> str:
        """Seal a secret with the first of the vault's keys, so that a copy of the database opens no account."""
        return _fernet().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Open a sealed secret with whichever key sealed it."""
        return _fernet().decrypt(encrypted_text.encode()).decode()

    def build_totp_svg(self, url: str) -> str:
        """The QR code on a white ground, so that it can be read from a dark page."""
        picture = io.BytesIO()
        qrcode.make(url, image_factory=SvgPathFillImage).save(picture)
        return picture.getvalue().decode()

    def get_totp_label(self, user: User) -> str:
        """The account's name in an authenticator app: the pseudonym, not the e-mail address."""
        return user.username

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        """What a new passkey is called unless its owner says otherwise."""
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return gettext("Key %(number)d") % {"number": number}

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Who asks for a passkey: the site's own host, whatever host a request claims."""
        host = urlsplit(settings.SITE_URL).hostname or ""
        if settings.DEBUG:
            # A developer's browser takes passkeys at localhost only, not at an address in digits.
            host = context.request.get_host().partition(":")[0]
        return {"id": host, "name": "Cinqsite"}

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """Whose passkey it is, as the browser shows it: the pseudonym, not the e-mail address."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return {**entity, "name": user.username, "display_name": user.username}


def _fernet() -> MultiFernet:
    # A key of its own: what opens second factors must not be what opens hands.
    keys = (hmac.new(key, b"accounts.second-factor", hashlib.sha256).digest() for key in settings.VAULT_KEYS.values())
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])
