"""Routes that exist on a debug site only, under /dev/."""

from django.urls import path

from accounts import views

urlpatterns = [path("mails/", views.dev_mails, name="dev_mails")]
