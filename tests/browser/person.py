"""Somebody at a table page who plays what the page offers: by pointer, or by sending the page's own form without a browser."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode


@dataclass
class Offer:
    """What a table page lets its reader do now: the fields of the form `act` as they stand in its HTML."""

    turn: bool = False
    over: bool = False
    version: str = ""
    fixed: dict[str, str] = field(default_factory=dict)
    boxes: list[tuple[str, str, str]] = field(default_factory=list)
    """(name, value, id) of everything that can be chosen."""
    buttons: list[tuple[str, str]] = field(default_factory=list)
    """(name, value) of buttons that are moves by themselves."""

    def values(self, name: str) -> list[str]:
        return [value for found, value, _ in self.boxes if found == name]

    def id_of(self, name: str, value: str) -> str:
        return next(key for found, text, key in self.boxes if (found, text) == (name, value))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.offer = Offer()
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: text or "" for name, text in attrs}
        if has.get("id") == "live":
            self.offer.turn, self.offer.over = has["data-turn"] == "1", "over" in has["class"].split()
            self.offer.version = has["data-version"]
        if tag == "form":
            self.inside = has.get("id") == "act"
        if "disabled" in has or not (self.inside or has.get("form") == "act"):
            return
        if tag == "input" and has.get("type") == "hidden":
            self.offer.fixed[has["name"]] = has["value"]
        elif tag == "input":
            self.offer.boxes.append((has["name"], has["value"], has["id"]))
        elif tag == "button" and has.get("name") == "move":
            self.offer.buttons.append((has["name"], has["value"]))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = False


def read(html: str) -> Offer:
    """What a page offers."""
    reader = _Reader()
    reader.feed(html)
    return reader.offer


def choice(offer: Offer) -> list[tuple[str, str]]:
    """The fields of one move (name, value): what a player without ambition would do, but he goes out when he can."""
    if thrown := offer.values("discard"):
        return [("discard", card) for card in thrown[-5:]]
    if cards := offer.values("card"):
        return [("card", cards[-1]), ("square", max(offer.values("square"), key=int))]
    moves = offer.values("move")
    if not moves:
        assert offer.buttons, "it is his turn and there is nothing he could do"
        return [offer.buttons[0]]
    bids = [text for text in moves if text == "hold" or text.isdigit()]
    if "pass" in moves and bids:
        modest = [text for text in bids if text == "hold" or int(text) <= 20]
        return [("move", (modest or ["pass"])[0])]
    out = [text for text in moves if text.startswith("out ")]
    if "pile" in moves and int(offer.fixed["seen"]) % 3 == 0:
        return [("move", "pile")]
    return [("move", out[0] if out else moves[-1] if moves[0].startswith("discard ") else moves[0])]


class Person:
    """One browser page at one table. `kinds` collects what he did: the word of the move, or the field it began with."""

    def __init__(self, page: Any, code: str, *, js: bool = True) -> None:
        self.page, self.path, self.js = page, f"/t/{code}/", js
        self.kinds: set[str] = set()
        self.turns = 0

    def arrive(self) -> None:
        self.page.goto(self.path)

    def state(self) -> str:
        """ "turn", "over" or "": the least a page must be asked for, it is asked often."""
        live = self.page.locator("#live")
        return "over" if "over" in live.get_attribute("class").split() else "turn" * (live.get_attribute("data-turn") == "1")

    def look(self) -> Offer:
        """What his page offers him now."""
        return read(self.page.content())

    def note(self, fields: list[tuple[str, str]]) -> None:
        name, text = fields[0]
        said = text.split()[0] if name == "move" else name
        self.kinds.add("bid" if said.isdigit() else said if said.islower() else "card")
        self.turns += 1

    def click(self, fields: list[tuple[str, str]] | None = None) -> None:
        """A move by pointer: choose, confirm, see the page change."""
        offer = self.look()
        fields = fields or choice(offer)
        self.note(fields)
        if fields[0] in offer.buttons:
            button = self.page.locator(f".act button[name=move][value='{fields[0][1]}']")
        else:
            for name, text in fields:
                self.page.locator(f"label[for='{offer.id_of(name, text)}']").last.click()
            button = self.page.locator("#go")
        if self.js:
            button.click()
            self.page.wait_for_function("(v) => document.querySelector('#live').dataset.version !== v", arg=offer.version)
        else:
            with self.page.expect_navigation():
                button.click()

    def send(self, until: str = "") -> str:
        """His moves by the same form over HTTP, in the same session, while it is his turn and the page does not say `until`.

        Returns the page he then sees.
        """
        html: str = self.page.request.get(self.path).text()
        while (offer := read(html)).turn and not (until and until in html):
            fields = choice(offer)
            self.note(fields)
            answer = self.page.request.post(
                f"{self.path}move/",
                data=urlencode([*offer.fixed.items(), *fields]),
                headers={"Content-Type": "application/x-www-form-urlencoded"},
            )
            assert answer.ok, answer.status
            html = answer.text()
        return html
