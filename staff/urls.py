"""Pages for players that the staff answers: reports, announcements closed."""

from __future__ import annotations

from django.urls import path

from staff import views_news, views_reports

urlpatterns = [
    path("report/", views_reports.report, name="report"),
    path("reports/", views_reports.mine, name="reports"),
    path("news/<int:pk>/close/", views_news.close, name="news_close"),
]
