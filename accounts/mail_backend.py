"""Mail of a site without a mail server: each message is written to a file and printed. Nothing leaves the machine."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend


class EmailBackend(BaseEmailBackend):
    """Writes `settings.MAIL_FOLDER/<time in ns>-<n>.eml` and prints the text to the console."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stream = kwargs.get("stream") or sys.stdout

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write and print; returns the number of messages."""
        settings.MAIL_FOLDER.mkdir(parents=True, exist_ok=True)
        for number, message in enumerate(email_messages):
            path = settings.MAIL_FOLDER / f"{time.time_ns()}-{number}.eml"
            path.write_bytes(message.message().as_bytes())
            self.stream.write(f"--- mail to {', '.join(message.to)}: {message.subject}\n{message.body}\n---\n")
        self.stream.flush()
        return len(email_messages)
