"""How passwords are hashed: argon2id by OWASP's lean parameters, so that a burst of logins cannot fill the memory."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class LeanArgon2PasswordHasher(Argon2PasswordHasher):
    """19 MiB and two passes a password, instead of Django's 100 MiB."""

    time_cost = 2
    memory_cost = 19_456  # KiB
    parallelism = 1
