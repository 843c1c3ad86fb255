"""The addresses of the leaderboard and of the public profiles."""

from django.urls import path

from ranking import views

urlpatterns = [
    path("leaderboard/", views.leaderboard, name="leaderboard"),
    path("u/<int:pk>/", views.profile, name="profile"),
]
