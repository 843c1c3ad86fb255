"""Background work of accounts. Each task may run twice, late or by several workers: the rows decide."""

from celery import shared_task

from accounts import departures, exports, guests, limits, notices, registration, sessions


@shared_task
def send_notices() -> int:
    """Send the mails that are due; returns how many left."""
    return notices.send_due()


@shared_task
def purge_guests() -> int:
    """End guests idle for 30 days, sign-ups never confirmed, old sessions, notices and counters; returns the number of guests."""
    sessions.purge()
    registration.purge_unconfirmed()
    notices.purge()
    limits.purge()
    return guests.purge()


@shared_task(time_limit=600)  # an archive of years may take minutes
def build_exports() -> int:
    """Build the archives people have asked for; returns how many."""
    return exports.build_due()


@shared_task
def complete_departures() -> int:
    """Delete the accounts whose week is over; returns how many."""
    return departures.complete_due()
