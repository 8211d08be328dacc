"""What is seen and heard on a page, and a witness that no page complains or asks another host."""

from __future__ import annotations

import time
from urllib.parse import urlencode, urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    expect,
)

from reversi import Board

# A game of ten moves, and one that ends early: black has 13 discs and white none.
OPENING = "f5d6c3d3c4f4f6f3e6e7"
WIPEOUT = "e6f4e3f6g5d6e7f5c5"
# White to move and win by 24 with f1; then black has two moves that cost much.
BLUNDERS = "O--XO-XOXXXXXXO-XXXXXXX-XOXXXXXOXOOXOXX-XOOXOOXOX-OOOXOO-XO-O-OO O"
MINUS = "\N{MINUS SIGN}"

expect.set_options(timeout=20_000)


class Witness:
    """Opens pages, and bears witness of what no page may do: complain, or ask another host."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.complaints: list[str] = []
        self.refusals = 0  # answers of 4xx, which the browser writes to the console by itself
        self.foreign: list[str] = []
        self.contexts: list[BrowserContext] = []

    def open(self, *, width: int = 1280, height: int = 800, **wishes: object) -> Page:
        """A page in a fresh browser context; what names no option of it stands in the link."""
        options = {name: wishes.pop(name) for name in list(wishes) if name in OPTIONS}
        size = {"width": width, "height": height}
        context = self.browser.new_context(viewport=size, **{"locale": "en-US", **options})
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._look)
        page.goto(self.address + ("#" + urlencode(wishes) if wishes else ""))
        expect(page.locator(".card.turn, .ended")).to_have_count(1)
        return page

    def _listen(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            if "status of 4" in message.text:
                self.refusals += 1
            else:
                self.complaints.append(message.text)

    def _look(self, request: Request) -> None:
        if urlsplit(request.url).netloc not in ("", urlsplit(self.address).netloc):
            self.foreign.append(request.url)


OPTIONS = ("locale", "color_scheme", "reduced_motion", "has_touch", "permissions")


def cells(page: Page) -> str:
    """The board that is seen, as OBF writes its cells."""
    script = """cells => cells.map(cell => cell.matches(".black") ? "X"
        : cell.matches(".white") ? "O" : "-").join("")"""
    return page.locator(".cell").evaluate_all(script)


def legal(page: Page) -> set[str]:
    squares = page.locator(".can-play .cell.legal")
    return set(squares.evaluate_all("cells => cells.map(cell => cell.dataset.square)"))


def shows(page: Page, board: Board) -> None:
    """Wait until the page shows this board."""
    wanted = board.obf().split()[0]
    deadline = time.monotonic() + 20
    while cells(page) != wanted and time.monotonic() < deadline:
        page.wait_for_timeout(20)
    assert cells(page) == wanted


def square(page: Page, name: str) -> Locator:
    return page.locator(f"[data-square={name}]")


def rows(page: Page) -> Locator:
    return page.locator("#moves-body tr[data-node]")


def row_texts(page: Page, number: int) -> list[str]:
    return rows(page).nth(number - 1).locator("td").all_inner_texts()


def said(page: Page) -> str:
    return " ".join(page.locator("#announcer p").all_inner_texts())


def signed(number: float) -> str:
    """A whole number as the page writes it."""
    return f"{number:+d}".replace("-", MINUS) if number else "0"
