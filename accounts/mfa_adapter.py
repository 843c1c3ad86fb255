"""How allauth's second factor works here: its secrets are sealed in the database, and a code is good for one use."""

from __future__ import annotations

import base64
import hashlib
import hmac
import io

import qrcode
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
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


def _fernet() -> MultiFernet:
    # A key of its own: what opens second factors must not be what opens hands.
    keys = (hmac.new(key, b"accounts.second-factor", hashlib.sha256).digest() for key in settings.VAULT_KEYS.values())
    return MultiFernet([Fernet(base64.urlsafe_b64encode(key)) for key in keys])
