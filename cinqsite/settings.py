"""One settings module: embedded defaults (SQLite, Valkey) unless the environment names real services.

Every deployment differs by environment variables only; README.md lists them. With DEBUG off, nothing has an
insecure default: a missing key stops the start with one line.
"""

import os
from pathlib import Path
from urllib.parse import urlsplit

from celery.schedules import crontab
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from accounts.providers import configured as configured_providers
from cinqsite.environment import database, decode_vault_keys, development_keys, env_bool, env_int, env_list, origin_of
from games.registry import GAMES

BASE_DIR = Path(__file__).resolve().parent.parent
SITE_VAR = Path(os.environ.get("SITE_VAR") or BASE_DIR / "var")
SITE_VAR.mkdir(parents=True, exist_ok=True)

DEBUG = env_bool("DEBUG", False)

# --- Where the site lives -------------------------------------------------------------------------------------------
SITE_URL = os.environ.get("SITE_URL", "http://127.0.0.1:8000").rstrip("/")
HTTPS = SITE_URL.startswith("https://")
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS") or [urlsplit(SITE_URL).hostname or "127.0.0.1"]
if DEBUG:
    ALLOWED_HOSTS += ["localhost", "127.0.0.1", "[::1]"]
# Exact scheme://host:port that may open a WebSocket or post a form.
WEBSOCKET_ORIGINS = [origin_of(SITE_URL), *map(origin_of, env_list("EXTRA_ORIGINS"))]
if DEBUG:
    WEBSOCKET_ORIGINS += [f"http://{host}:{urlsplit(SITE_URL).port or 80}" for host in ("localhost", "127.0.0.1", "[::1]")]
CSRF_TRUSTED_ORIGINS = [origin for origin in WEBSOCKET_ORIGINS if not origin.startswith("http://[")]

# Who answers for the site, for the legal pages; empty: the pages say that it is not set.
OPERATOR_NAME = os.environ.get("OPERATOR_NAME", "")
OPERATOR_ADDRESS = os.environ.get("OPERATOR_ADDRESS", "")
OPERATOR_EMAIL = os.environ.get("OPERATOR_EMAIL", "")
HOSTING = os.environ.get("HOSTING", "")

# Addresses (or networks, or "unix") whose X-Forwarded-For and X-Forwarded-Proto are believed; or, where they have no
# fixed address, how many of them stand in a row. Allauth's count stays 0: it sees the address already made right.
TRUSTED_PROXIES = env_list("TRUSTED_PROXIES")
TRUSTED_PROXY_COUNT = env_int("TRUSTED_PROXY_COUNT", 0)
ALLAUTH_TRUSTED_PROXY_COUNT = 0

# --- Keys -----------------------------------------------------------------------------------------------------------
KEY_NAMES = ("SECRET_KEY", "VAULT_KEYS", "ORIGIN_KEY")
_keys = {name: os.environ[name] for name in KEY_NAMES if os.environ.get(name)}
if DEBUG and len(_keys) < len(KEY_NAMES):
    _keys = development_keys(SITE_VAR / "keys.json") | _keys
for _name in KEY_NAMES:
    if _name not in _keys:
        raise ImproperlyConfigured(f"{_name} is not set: production needs its own; for development set DEBUG=1.")
SECRET_KEY = _keys["SECRET_KEY"]
# Key id -> 32 bytes; the first one seals, all of them open.
VAULT_KEYS = decode_vault_keys(_keys["VAULT_KEYS"])
# Keys the hash of a client's address.
ORIGIN_KEY = _keys["ORIGIN_KEY"].encode()

# --- Applications ---------------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    "daphne",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "csp",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.apple",
    "allauth.socialaccount.providers.discord",
    "allauth.socialaccount.providers.facebook",
    "allauth.socialaccount.providers.github",
    "allauth.socialaccount.providers.microsoft",
    "allauth.socialaccount.providers.openid_connect",
    "cinqsite",
    "accounts",
    "games",
    *(f"games.{key}" for key in GAMES),
    "ranking",
    "staff",
]
MIDDLEWARE = [
    "cinqsite.middleware.FrameMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.PlayerMiddleware",
    "accounts.middleware.LanguageMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]
ROOT_URLCONF = "cinqsite.urls"
ASGI_APPLICATION = "cinqsite.asgi.application"
WSGI_APPLICATION = "cinqsite.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.context.header",
                "staff.news.shown",
            ]
        },
    }
]

# --- Data -----------------------------------------------------------------------------------------------------------
DATABASE_URL = os.environ.get("DATABASE_URL", "")
DATABASE_POOL = env_int("DATABASE_POOL", 10)
DATABASES = {
    "default": database(
        DATABASE_URL,
        sqlite=Path(os.environ.get("DATABASE_PATH") or SITE_VAR / "site.sqlite3"),
        pool=DATABASE_POOL,
        statement_timeout=env_int("DATABASE_STATEMENT_TIMEOUT", 5000),
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# One Redis (or Valkey) has three roles, each of which may have a server of its own. Nothing in it is ever needed.
REDIS_URL = os.environ.get("REDIS_URL", "")
CACHE_URL = os.environ.get("CACHE_URL", REDIS_URL)
LAYER_URLS = env_list("LAYER_URLS") or ([REDIS_URL] if REDIS_URL else [])
BROKER_URL = os.environ.get("BROKER_URL", REDIS_URL)
# A hung server may cost a request one second, once: everything below fails fast. A kept connection that a restarted
# server no longer knows is made anew, at once.
_FAST = {"socket_timeout": 1, "socket_connect_timeout": 1}

if CACHE_URL:
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": CACHE_URL,
            "KEY_PREFIX": "cinqsite",
            "OPTIONS": {**_FAST, "health_check_interval": 10, "retry": Retry(NoBackoff(), 1, (RedisConnectionError,))},
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

if LAYER_URLS:
    _retry = AsyncRetry(NoBackoff(), 1, (RedisConnectionError,))
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {
                "hosts": [{"address": url, **_FAST, "retry": _retry} for url in LAYER_URLS],
                "prefix": "cinqsite",
            },
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

# --- Background work ------------------------------------------------------------------------------------------------
# Messages are hints: the due rows of the database are the jobs. Hence no `expires` and no `eta` anywhere.
CELERY_BROKER_URL = BROKER_URL or "memory://"
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 60,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "max_retries": 0,
    "health_check_interval": 10,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_TIME_LIMIT = 30
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_ENABLE_UTC = True
CELERY_TIMEZONE = "Europe/Paris"
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_ROUTES = {"games.tasks.sweep": {"queue": "clock"}, "accounts.tasks.send_notices": {"queue": "mail"}}
CELERY_BEAT_SCHEDULE = {
    "sweep": {"task": "games.tasks.sweep", "schedule": 3.0, "options": {"queue": "clock"}},
    "send-notices": {"task": "accounts.tasks.send_notices", "schedule": 30.0, "options": {"queue": "mail"}},
    "build-exports": {"task": "accounts.tasks.build_exports", "schedule": 30.0},
    "complete-departures": {"task": "accounts.tasks.complete_departures", "schedule": 300.0},
    "close-late": {"task": "games.tasks.close_late", "schedule": 60.0},
    "close-old-tables": {"task": "games.tasks.close_old", "schedule": crontab(minute=17)},
    "purge-guests": {"task": "accounts.tasks.purge_guests", "schedule": crontab(hour=4, minute=11)},
    "count-matches": {"task": "ranking.tasks.count_fresh", "schedule": 60.0},
    # A minute after each full hour: after midnight in Paris whatever the season, with the last ends of the month written.
    "close-seasons": {"task": "ranking.tasks.close_seasons", "schedule": crontab(minute=1)},
    "fold-rungs": {"task": "ranking.tasks.fold_rungs", "schedule": 60.0},
    "audit-ledgers": {"task": "ranking.tasks.audit_ledgers", "schedule": crontab(hour=3, minute=11)},
    "audit": {"task": "games.tasks.audit", "schedule": crontab(hour=3, minute=41)},
}

# --- The clock of the games -----------------------------------------------------------------------------------------
STRIKES_BEFORE_AUTOMATIC = 2  # time-outs in a row before a seat is played at once
NOTICE_DELAY = 600  # seconds a turn waits unseen before a mail
CLOCK_PROBE_URL = os.environ.get("CLOCK_PROBE_URL", "")  # site whose /livez must answer before a sweep; empty: no probe
CLOCK_LIMIT_MINIMUM = env_int("CLOCK_LIMIT_MINIMUM", 50)  # unforeseen time-outs in five minutes before the clock halts
CLOCK_LIMIT_SHARE = 0.05  # ... or this share of the running tables, if that is more

# --- People ---------------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
PASSWORD_HASHERS = [
    "accounts.hashers.LeanArgon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
# In the database: no Redis, no lost session.
SESSION_ENGINE = "django.contrib.sessions.backends.db"
SESSION_COOKIE_AGE = 30 * 24 * 3600
SESSION_COOKIE_NAME = "__Host-sessionid" if HTTPS else "sessionid"
SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_NAME = "__Host-csrftoken" if HTTPS else "csrftoken"
CSRF_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600

# Accounts of other sites that may be used here: only what the environment has keys for.
try:
    SOCIALACCOUNT_PROVIDERS, PROVIDER_ORIGINS = configured_providers(os.environ, debug=DEBUG)
except ValueError as error:
    raise ImproperlyConfigured(str(error)) from error

# How often: action -> (times, seconds). Moves count by player, guests by address; see accounts/limits.py.
RATE_LIMITS_ENABLED = env_bool("RATE_LIMITS_ENABLED", True)
RATE_LIMITS = {
    "move": (30, 60),
    "guest": (10, 3600),
    "table": (10, 3600),
    "sit": (30, 3600),
    "bots": (20, 3600),
    "login": (10, 60),
    "login_account": (5, 300),
    "second_factor": (5, 300),
    "signup": (10, 3600),
    "social": (60, 600),
    "confirm_code": (10, 600),
    "mail": (20, 3600),
    "mail_to": (3, 3600),
    "profile": (60, 60),
    "friend": (20, 86400),
    "block": (60, 86400),
    "invite": (20, 86400),
    "chat": (6, 30),
    "chat_first_day": (60, 3600),
    "appeal": (5, 3600),
    "report": (10, 86400),
}

EMAIL_HOST = os.environ.get("EMAIL_HOST", "")
EMAIL_PORT = env_int("EMAIL_PORT", 587)
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_SSL = env_bool("EMAIL_USE_SSL", False)
EMAIL_USE_TLS = env_bool("EMAIL_USE_TLS", not EMAIL_USE_SSL)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = os.environ.get("DEFAULT_FROM_EMAIL", f"cinqsite <noreply@{urlsplit(SITE_URL).hostname}>")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
# Without a mail server a developer reads the mails on /dev/mails/.
MAIL_FOLDER = SITE_VAR / "mails"
EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
if DEBUG and not EMAIL_HOST:
    EMAIL_BACKEND = "accounts.mail_backend.EmailBackend"
DEMO_ADMIN = "Maryse"  # the administrator of the demo data; that page shows the present code of the second factor

# --- Languages and time ---------------------------------------------------------------------------------------------
LANGUAGE_CODE = "fr"
LANGUAGES = [("fr", _("French")), ("es", _("Spanish")), ("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "Europe/Paris"
USE_TZ = True

# --- What the browser is told ---------------------------------------------------------------------------------------
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^livez$", r"^healthz$"]
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = True
SECURE_HSTS_PRELOAD = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "font-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "worker-src": [SELF],
        "base-uri": [NONE],
        "object-src": [NONE],
        "form-action": [SELF, *PROVIDER_ORIGINS],
        "frame-ancestors": [NONE],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

# --- Static files ---------------------------------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = Path(os.environ.get("STATIC_ROOT") or BASE_DIR / "staticfiles")
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG

# --- Logs: no address, no card, no address of mail ------------------------------------------------------------------
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_id": {"()": "cinqsite.middleware.RequestIdFilter"}},
    "formatters": {"line": {"format": "{asctime} {levelname} {request_id} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["request_id"]}},
    "root": {"handlers": ["console"], "level": os.environ.get("LOG_LEVEL", "INFO")},
    "loggers": {
        "django": {"handlers": [], "level": "INFO", "propagate": True},
        "django.server": {"handlers": [], "level": "WARNING", "propagate": True},
        "daphne": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
    },
}

from accounts.allauth_settings import *  # noqa: E402,F403
