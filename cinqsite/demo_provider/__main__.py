"""`python -m cinqsite.demo_provider PORT`: serves `oidc-provider-mock` with our own page, and people to try the site with."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from pathlib import Path

from authlib.deprecate import AuthlibDeprecationWarning
from flask import send_file
from jinja2 import ChoiceLoader, FileSystemLoader
from werkzeug.serving import make_server

# The package's own library tells at each start what will change in it some day.
warnings.simplefilter("ignore", AuthlibDeprecationWarning)
import oidc_provider_mock  # noqa: E402

# One of each kind that a real provider may send; the keys are the buttons of its page.
PEOPLE: dict[str, dict[str, object]] = {
    "Marie": {"given_name": "Marie", "email": "marie@provider.example", "email_verified": True},
    "Sans adresse": {"given_name": "Lucien"},
    "Sans nom": {"email": "sans-nom@provider.example", "email_verified": True},
    "Adresse non confirmée": {"given_name": "Odile", "email": "amelie@example.org", "email_verified": False},
    "Adresse d’Amélie": {"given_name": "Amelie", "email": "amelie@example.org", "email_verified": True},
}


def main(port: int) -> None:
    """Serve on 127.0.0.1:`port` until the process is ended."""
    # The site it serves has no certificate.
    os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    people = [oidc_provider_mock.User(sub=key, claims=claims) for key, claims in PEOPLE.items()]
    application = oidc_provider_mock.app(user_claims=people)
    # Its own page loads a style sheet from elsewhere, and a demonstration must work without a network.
    application.jinja_loader = ChoiceLoader(
        [FileSystemLoader(Path(__file__).parent), application.jinja_loader or ChoiceLoader([])]
    )
    application.add_url_rule("/demo.css", view_func=lambda: send_file(Path(__file__).with_name("demo.css")), endpoint="demo_css")
    make_server("127.0.0.1", port, application, threaded=True).serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]))
