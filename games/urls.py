"""The addresses of the games: home, lobby, tables, rules. Codes are written in capitals; small letters are redirected."""

from __future__ import annotations

from django.urls import path, re_path, register_converter

from games.views import chat, inviting, leaving, lobby, table


class TableCode:
    """Ten Crockford letters, in capitals."""

    regex = "[0-9A-HJKMNP-TV-Z]{10}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(TableCode, "table")

urlpatterns = [
    path("lobby/", lobby.lobby, name="lobby"),
    path("new/", lobby.new_table, name="new_table"),
    path("play-bots/", lobby.play_bots, name="play_bots"),
    path("play-quick/", lobby.play_quick, name="play_quick"),
    path("tables/", lobby.my_tables, name="my_tables"),
    path("tables/next/", lobby.next_table, name="next_table"),
    path("tables/count.json", table.turn_count, name="turn_count"),
    path("rules/", lobby.all_rules, name="all_rules"),
    path("rules/<slug:game>/", lobby.rules, name="rules"),
    path("help/auto/", lobby.help_auto, name="help_auto"),
    path("help/points/", lobby.help_points, name="help_points"),
    path("t/<table:code>/", table.table, name="table"),
    path("t/<table:code>/live/", table.live, name="table_live"),
    path("t/<table:code>/move/", table.move, name="table_move"),
    path("t/<table:code>/log/", table.full_log, name="table_log"),
    path("t/<table:code>/observation.json", table.observation, name="table_observation"),
    path("t/<table:code>/record.txt", table.record, name="table_record"),
    path("t/<table:code>/sit/", lobby.sit, name="table_sit"),
    path("t/<table:code>/leave/", lobby.leave, name="table_leave"),
    path("t/<table:code>/remove/", lobby.remove, name="table_remove"),
    path("t/<table:code>/bots/", lobby.bots, name="table_bots"),
    path("t/<table:code>/revoke/", lobby.revoke, name="table_revoke"),
    path("t/<table:code>/take-back/", lobby.take_back, name="table_take_back"),
    path("t/<table:code>/end/", lobby.end_alone, name="table_end"),
    path("t/<table:code>/abandon/", leaving.abandon, name="table_abandon"),
    path("t/<table:code>/invite/", inviting.invite, name="table_invite"),
    path("t/<table:code>/decline/", inviting.decline, name="table_decline"),
    path("t/<table:code>/chat/", chat.page, name="table_chat"),
    path("t/<table:code>/say/", chat.say, name="table_say"),
    path("t/<table:code>/mute/", chat.mute, name="table_mute"),
    path("t/<table:code>/stop/", leaving.stop, name="table_stop"),
    path("t/<table:code>/vote/", leaving.vote, name="table_vote"),
    re_path(r"^t/(?P<code>[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{10})/(?P<rest>[a-zA-Z0-9./-]*)$", lobby.capitals),
]
