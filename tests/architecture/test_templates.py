"""What the content security policy forbids stands in no template: inline script, inline style, event attributes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

FORBIDDEN = {
    "inline script": re.compile(r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/(?:ld\+)?json\")[^>]*>", re.IGNORECASE),
    "inline style": re.compile(r"<style\b|\sstyle\s*=", re.IGNORECASE),
    "event attribute": re.compile(r"<[^>]*\s(?:on[a-z]+|hx-on[a-z:-]*)\s*=", re.IGNORECASE),
    "javascript address": re.compile(r"(?:href|action|src)\s*=\s*[\"']?\s*javascript:", re.IGNORECASE),
    "third party": re.compile(r"(?:src|href|action|poster)\s*=\s*[\"'](?:https?:)?//(?!www\.w3\.org)", re.IGNORECASE),
}


def templates(repository: Path) -> list[Path]:
    folders = ("templates", "accounts", "cinqsite", "games", "ranking", "staff")
    return [path for folder in folders for path in sorted((repository / folder).rglob("*.html")) if "static" not in path.parts]


def test_no_template_breaks_the_policy(repository: Path) -> None:
    found = [
        f"{path.relative_to(repository)}: {name}: {match.group(0)[:60]}"
        for path in templates(repository)
        for name, pattern in FORBIDDEN.items()
        for match in pattern.finditer(re.sub(r"{#.*?#}|{% comment.*?endcomment %}", "", path.read_text(), flags=re.DOTALL))
    ]
    assert found == []
    assert len(templates(repository)) > 10


def test_style_sheets_are_loaded_in_the_head(repository: Path) -> None:
    """One that comes later repaints what was shown already."""
    for path in templates(repository):
        text = path.read_text()
        for link in re.finditer("<link", text):
            before = text[: link.start()]
            opened = max(
                before.rfind(start) for start in ("<head>", "{% block head %}", "{% block extrastyle %}", "{% block extrahead %}")
            )
            inside = re.sub("{% block title %}.*?{% endblock %}", "", before[max(opened, 0) :])
            assert opened >= 0 and "</head>" not in inside and "{% endblock %}" not in inside, path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("inline script", "<script>x()</script>"),
        ("inline style", '<p style="color:red">'),
        ("inline style", "<style>p{}</style>"),
        ("event attribute", '<a href="#" onclick="x()">'),
        ("event attribute", '<a hx-on:click="x()">'),
        ("javascript address", '<a href="javascript:x()">'),
        ("third party", '<img src="https://evil.example/x.png">'),
    ],
)
def test_a_breach_is_seen(name: str, text: str) -> None:
    assert FORBIDDEN[name].search(text)


def test_what_is_allowed_passes() -> None:
    for text in ('<script src="{% static "live.js" %}" defer></script>', '<a href="{% url "home" %}">', '<form action="/x/">'):
        assert not [name for name, pattern in FORBIDDEN.items() if pattern.search(text)]
