"""App configuration of staff: guards its log, keeps the groups exact, offers its actions to the lists of the panel."""

from celery.signals import task_failure
from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class StaffConfig(AppConfig):
    name = "staff"
    verbose_name = _("Staff")

    def ready(self) -> None:
        from accounts import departures, insert_only, notices
        from staff import failures, registry, reports, roles
        from staff.models import StaffLog

        insert_only.guard(StaffLog)
        post_migrate.connect(roles.keep, sender=self, dispatch_uid="staff.roles")
        task_failure.connect(failures.keep, dispatch_uid="staff.failures")
        notices.register(reports.NOTICE, reports.outcome_mail)
        departures.register_eraser(reports.forget)
        registry.connect()
