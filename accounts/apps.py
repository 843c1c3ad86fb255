"""App configuration of accounts."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Connects the receivers."""

    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Runs once, when all apps are loaded."""
        from accounts import exports, notices, receivers, sanctions  # noqa: F401

        exports.register(exports.own_account)
        notices.register(sanctions.NOTICE, sanctions.sanction_mail)
        notices.register("appeal", sanctions.appeal_mail)
