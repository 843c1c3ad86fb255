"""Routes of accounts. Included before allauth's, one of which (the confirmation) is ours."""

from django.urls import path, re_path

from accounts import passkeys, social_views, views, views_leaving, views_people, views_sanctions, views_wallet

urlpatterns = [
    path("settings/", views.preferences, name="settings"),
    path("settings/data/", views_leaving.own_data, name="own_data"),
    path("settings/data/<int:pk>/", views_leaving.own_data_download, name="own_data_download"),
    path("settings/delete/", views_leaving.departure, name="departure"),
    path("settings/avatar/", views.choose_avatar, name="settings_avatar"),
    path("settings/name/", views.choose_name, name="settings_name"),
    path("settings/words/", views_people.masked_words, name="masked_words"),
    path("guest/no-account/", views.decline_account, name="decline_account"),
    path("lang/", views.set_language, name="set_language"),
    path("friends/", views_people.friends, name="friends"),
    path("friends/ask/", views_people.ask, name="friend_ask"),
    path("friends/accept/", views_people.accept, name="friend_accept"),
    path("friends/decline/", views_people.decline, name="friend_decline"),
    path("friends/withdraw/", views_people.withdraw, name="friend_withdraw"),
    path("friends/remove/", views_people.remove, name="friend_remove"),
    path("friends/block/", views_people.block, name="block"),
    path("friends/unblock/", views_people.unblock, name="unblock"),
    path("sanctions/", views_sanctions.mine, name="sanctions"),
    path("sanctions/<int:sanction_id>/appeal/", views_sanctions.appeal, name="sanction_appeal"),
    path("accounts/sessions/<int:pk>/end/", views.end_session, name="end_session"),
    path("wallet/", views_wallet.tokens, name="wallet"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
    path("accounts/3rdparty/prove/", social_views.prove, name="social_prove"),
    path("accounts/facebook/login/token/", social_views.closed),
    path("accounts/2fa/webauthn/keys/<int:pk>/remove/", passkeys.Remove.as_view(), name="mfa_remove_webauthn"),
    path("accounts/confirm-code/", views.confirm_by_code, name="confirm_by_code"),
    re_path(r"^accounts/confirm-email/(?P<key>[-:\w]+)/$", views.ConfirmEmail.as_view(), name="account_confirm_email"),
]
