"""The site's URL map. Each app has its own; here they meet, with the home page, the staff's pages and the health checks."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from cinqsite.health import healthz, livez
from cinqsite.home import home
from cinqsite.legal import legal

admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home, name="home"),
    path("", include("games.urls")),
    path("", include("ranking.urls")),
    path("", include("accounts.urls")),
    path("accounts/", include("allauth.urls")),
    # The site's own page has limits and sends a notice.
    path("admin/password_change/", RedirectView.as_view(pattern_name="account_change_password")),
    path("admin/", include("staff.admin_urls")),
    path("admin/", admin.site.urls),
    path("", include("staff.urls")),
    path("legal/<slug:page>/", legal, name="legal"),
    path("healthz", healthz, name="healthz"),
    path("livez", livez, name="livez"),
]
if settings.DEBUG:
    urlpatterns += [path("dev/", include("accounts.dev_urls"))]
