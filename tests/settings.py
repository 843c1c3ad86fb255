"""The site's settings for tests: a folder of their own, development keys, quick hashes, no limits."""

import atexit
import os
import shutil
import socket
import tempfile

if "SITE_VAR" not in os.environ:
    # Set for the children too: the workers of pytest-xdist share it.
    os.environ["SITE_VAR"] = tempfile.mkdtemp(prefix="cinqsite-tests-")
    atexit.register(shutil.rmtree, os.environ["SITE_VAR"], ignore_errors=True)
os.environ.setdefault("DEBUG", "1")
os.environ.setdefault("RATE_LIMITS_ENABLED", "0")
# Threads of tests come and go without a request's end, which is what gives a connection back to the pool.
os.environ.setdefault("DATABASE_POOL", "0")
# Browser tests keep Playwright's event loop open in the main thread; nothing here runs SQL on that loop.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")

_own_cache = bool(os.environ.get("REDIS_URL")) and "CACHE_URL" not in os.environ
if _own_cache:
    # A cache of its own for each worker of pytest-xdist (databases 1, 2, ...): emptying it empties nobody else's.
    _worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw") or 0)
    os.environ["CACHE_URL"] = f"{os.environ['REDIS_URL'].rpartition('/')[0]}/{1 + _worker}"

from cinqsite.settings import *  # noqa: E402,F403
from cinqsite.settings import DATABASES, PASSWORD_HASHERS  # noqa: E402

if _own_cache:
    # The workers inherit this process's environment and are to find a database of their own.
    del os.environ["CACHE_URL"]

# allauth reads Facebook's addresses when it is imported: they lead to a port of this machine, where a test may listen.
with socket.create_server(("127.0.0.1", 0)) as _free:
    FACEBOOK_PORT = _free.getsockname()[1]
_facebook = f"http://127.0.0.1:{FACEBOOK_PORT}"
SOCIALACCOUNT_PROVIDERS = {"facebook": {"AUTHORIZE_URL": f"{_facebook}/dialog/oauth", "GRAPH_API_URL": f"{_facebook}/graph"}}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *PASSWORD_HASHERS]
if "sqlite3" in DATABASES["default"]["ENGINE"]:
    # Same locks as in production, without waiting for the disk.
    DATABASES["default"]["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA busy_timeout=20000"
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405
