"""The addresses of the leaderboard, the seasons, the statistics and the public profiles."""

from django.urls import path, register_converter

from ranking import views


class Month:
    """A month of an address: 2026-11."""

    regex = r"20[0-9]{2}-(?:0[1-9]|1[0-2])"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(Month, "month")

urlpatterns = [
    path("leaderboard/", views.leaderboard, name="leaderboard"),
    path("seasons/", views.seasons, name="seasons"),
    path("seasons/<month:month>/", views.season, name="season"),
    path("stats/<slug:game>/", views.game_statistics, name="game_statistics"),
    path("u/<int:pk>/", views.profile, name="profile"),
    path("u/<int:pk>/<slug:game>/", views.profile_game, name="profile_game"),
]
