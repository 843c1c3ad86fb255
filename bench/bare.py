"""The yardstick: a Django view with one SELECT and one INSERT in a transaction, no middleware, under the same servers."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import randint

from django.conf import settings

from cinqsite.environment import database

settings.configure(
    SECRET_KEY="bare",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": database(os.environ["DATABASE_URL"], sqlite=Path("none"), pool=10, statement_timeout=5000)},
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
)

import django  # noqa: E402

django.setup()

from django.core.asgi import get_asgi_application  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models, transaction  # noqa: E402
from django.http import HttpRequest, HttpResponse, JsonResponse  # noqa: E402
from django.urls import path  # noqa: E402

ROWS = 1000


class Game(models.Model):
    seq = models.IntegerField(default=0)
    state = models.TextField()

    class Meta:
        app_label = "bare"


class Row(models.Model):
    room = models.IntegerField(db_index=True)
    n = models.IntegerField()
    payload = models.CharField(max_length=20)

    class Meta:
        app_label = "bare"


def write(request: HttpRequest) -> HttpResponse:
    """One SELECT and one INSERT in one transaction."""
    with transaction.atomic():
        game = Game.objects.get(pk=randint(1, ROWS))
        row = Row.objects.create(room=game.pk, n=game.seq, payload="c12")
    return JsonResponse({"game": game.pk, "row": row.pk, "state": game.state})


def ready(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok")


urlpatterns = [path("write/", write), path("ready/", ready)]
asgi = get_asgi_application()
wsgi = get_wsgi_application()


def prepare() -> None:
    """Make the two tables and fill the first."""
    with connection.schema_editor() as editor:
        editor.create_model(Game)
        editor.create_model(Row)
    Game.objects.bulk_create([Game(state="x" * 500) for _ in range(ROWS)])


if __name__ == "__main__":
    if sys.argv[1:] == ["prepare"]:
        prepare()
    else:
        from cinqsite.server import Server, endpoint

        Server(asgi, [endpoint("127.0.0.1", int(sys.argv[1]), None)]).run()
