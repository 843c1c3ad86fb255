"""Pages of the panel beside Django's own: the actions. Included under /admin/, before the admin's."""

from django.contrib import admin
from django.urls import path

from staff import views_actions, views_find

urlpatterns = [
    path("act/<slug:name>/", admin.site.admin_view(views_actions.act), name="staff_act"),
    path("find/", admin.site.admin_view(views_find.find), name="staff_find"),
]
