"""Routes of accounts. Included before allauth's, one of which (the confirmation) is ours."""

from django.urls import path, re_path

from accounts import views, views_leaving

urlpatterns = [
    path("settings/", views.preferences, name="settings"),
    path("settings/data/", views_leaving.own_data, name="own_data"),
    path("settings/data/<int:pk>/", views_leaving.own_data_download, name="own_data_download"),
    path("settings/delete/", views_leaving.departure, name="departure"),
    path("lang/", views.set_language, name="set_language"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
    re_path(r"^accounts/confirm-email/(?P<key>[-:\w]+)/$", views.ConfirmEmail.as_view(), name="account_confirm_email"),
]
