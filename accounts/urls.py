"""Routes of accounts. Included before allauth's, one of which (the confirmation) is ours."""

from django.urls import path, re_path

from accounts import views

urlpatterns = [
    path("settings/", views.preferences, name="settings"),
    path("lang/", views.set_language, name="set_language"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
    re_path(r"^accounts/confirm-email/(?P<key>[-:\w]+)/$", views.ConfirmEmail.as_view(), name="account_confirm_email"),
]
