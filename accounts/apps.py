"""App configuration of accounts."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """Connects the receivers."""

    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        """Runs once, when all apps are loaded."""
        from accounts import exports, insert_only, notices, receivers, sanctions  # noqa: F401
        from accounts.models import TokenEntry

        exports.register(exports.own_account)
        exports.register(exports.own_tokens)
        insert_only.guard(TokenEntry)
        notices.register(sanctions.NOTICE, sanctions.sanction_mail)
        notices.register("appeal", sanctions.appeal_mail)
