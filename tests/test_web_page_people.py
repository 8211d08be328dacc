"""The page for everyone: keyboard, widths, languages, themes, motion, screen readers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from commandline import CHOICE
from webserver import need_the_extra

from reversi import Board
from reversi.web import pages

need_the_extra("playwright")
from playwright.sync_api import Page, expect  # noqa: E402
from webpage import OPENING, WIPEOUT, rows, said, shows, square  # noqa: E402

pytest_plugins = ("pagefixtures",)


STATIC = Path(pages.__file__).parent / "static"


def test_a_game_by_keyboard_alone(open_page: Callable[..., Page]) -> None:
    page = open_page(white="person")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            break
    focused = page.locator(":focus")
    expect(focused).to_have_attribute("aria-label", "d3, empty, legal")
    page.keyboard.press("ArrowDown")
    expect(focused).to_have_attribute("aria-label", "d4, White")
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    shows(page, Board.from_transcript("f5"))
    expect(focused).to_have_attribute("aria-label", "f5, Black")
    assert "Black plays f5 and turns 1" in said(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press(" ")
    shows(page, Board.from_transcript("f5f6"))
    page.keyboard.press("Home")
    expect(focused).to_have_attribute("aria-label", "a6, empty")
    page.keyboard.press("Control+End")
    expect(focused).to_have_attribute("aria-label", "h8, empty")
    page.keyboard.press("Control+z")
    shows(page, Board.from_transcript("f5"))


def test_rows_and_dialogs_by_keyboard(open_page: Callable[..., Page]) -> None:
    page = open_page(moves=OPENING, white="person")
    page.locator("tr.current .row-move").focus()
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    shows(page, Board.from_transcript(OPENING[:14]))
    page.locator("#new-game").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    shows(page, Board())


@pytest.mark.parametrize("width", [320, 380, 768, 1280])
def test_any_width_shows_everything(width: int, open_page: Callable[..., Page]) -> None:
    page = open_page(width=width, start=CHOICE, white="level-10-pattern-1", has_touch=True)
    expect(rows(page)).to_have_count(1)
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(overflow) <= 0
    table = page.evaluate(
        "(box => box.scrollWidth - box.clientWidth)(document.querySelector('#moves'))"
    )
    assert table <= 0
    page.wait_for_selector(".can-play .cell.legal")
    page.locator(".can-play .cell.legal").first.tap()
    expect(rows(page)).not_to_have_count(1)


@pytest.mark.parametrize("width", [320, 380])
def test_the_status_of_a_thinking_engine_fits(width: int, open_page: Callable[..., Page]) -> None:
    page = open_page(width=width, white="time-60000-pattern-1")
    place = page.locator("#board").bounding_box()
    square(page, "f5").click()
    expect(page.locator("tr.live .depth")).to_have_text(re.compile(r"\d\d"))
    fits = "(box => box.scrollWidth <= box.clientWidth)(document.querySelector('#status-more'))"
    assert page.evaluate(fits)
    assert page.locator("#board").bounding_box() == place


def test_chinese_is_chosen_from_the_browser_and_switched(open_page: Callable[..., Page]) -> None:
    page = open_page(locale="zh-CN")
    expect(page.locator("#status-main")).to_have_text("轮到黑方")
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    assert page.title() == "黑白棋"
    page.click("#language")
    expect(page.locator("#status-main")).to_have_text("Black to move")
    page.reload()
    expect(page.locator("#status-main")).to_have_text("Black to move")
    page.click("#language")
    expect(page.locator("#new-game")).to_have_text("新对局")


def test_both_languages_say_the_same() -> None:
    english, chinese = (
        dict(re.findall(r'^  (\w+): "(.*)",$', (STATIC / "js" / name).read_text(), re.MULTILINE))
        for name in ("en.js", "zh.js")
    )
    assert english.keys() == chinese.keys()
    for key, words in english.items():
        assert set(re.findall(r"\{\w+\}", words)) == set(re.findall(r"\{\w+\}", chinese[key])), key


def test_every_word_that_is_asked_for_is_there() -> None:
    english = (STATIC / "js" / "en.js").read_text()
    for path in [STATIC / "index.html", *(STATIC / "js").glob("*.js")]:
        asked = re.findall(r'\bt\("(\w+)"|data-t(?:-label)?="(\w+)"', path.read_text())
        for key in map("".join, asked):
            assert f'\n  {key}: "' in english, (path.name, key)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_theme_is_the_systems_until_it_is_switched(
    scheme: str, open_page: Callable[..., Page]
) -> None:
    page = open_page(color_scheme=scheme)
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    colours = {"light": "rgb(245, 244, 240)", "dark": "rgb(18, 22, 21)"}
    assert page.evaluate(ground) == colours[scheme]
    page.click("#theme")
    assert page.evaluate(ground) == colours["light"]
    page.click("#theme")
    assert page.evaluate(ground) == colours["dark"]
    page.reload()
    assert page.evaluate(ground) == colours["dark"]


def test_discs_turn_at_once(open_page: Callable[..., Page]) -> None:
    page = open_page(white="person")
    turned = page.evaluate("""() => {
        const click = new MouseEvent("click", {bubbles: true});
        document.querySelector("[data-square=f5]").dispatchEvent(click);
        const turning = document.querySelector(".cell.turning");
        return [turning.dataset.square, turning.matches(".black")];
    }""")
    assert turned == ["e5", True]


def test_reduced_motion_is_respected(open_page: Callable[..., Page]) -> None:
    page = open_page(white="person", reduced_motion="reduce")
    duration = page.evaluate("""() => {
        const click = new MouseEvent("click", {bubbles: true});
        document.querySelector("[data-square=f5]").dispatchEvent(click);
        return getComputedStyle(document.querySelector(".turning .disc")).animationDuration;
    }""")
    assert float(duration.removesuffix("s")) < 0.001
    shows(page, Board.from_transcript("f5"))


def check_with_axe(page: Page, state: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page.wait_for_timeout(200)  # dialogs have appeared
    found = axe.run(page)
    assert found.violations_count == 0, f"{state}: {found.generate_report()}"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 380)])
def test_axe_finds_no_violation(scheme: str, width: int, open_page: Callable[..., Page]) -> None:
    page = open_page(width=width, moves=OPENING, white="time-60000-pattern-1", color_scheme=scheme)
    page.click("#hints")
    expect(page.locator(".cell.hinted").first).to_be_visible()
    page.click("#terms summary")
    expect(page.locator("#terms-body table")).to_be_visible()
    check_with_axe(page, "hints and terms")
    page.click("#undo")
    page.locator(".can-play .cell.legal").first.click()
    expect(page.locator("tr.live .depth")).to_have_text(re.compile(r"\d+"))
    check_with_axe(page, "thinking, with a branch")
    page.click("#stop")
    rows(page).nth(2).click()
    check_with_axe(page, "an earlier position")
    for name in ("new-game", "open", "share"):
        page.click(f"#{name}")
        check_with_axe(page, name)
        page.keyboard.press("Escape")
    page.click("#edit")
    page.click("#editor-clear")
    check_with_axe(page, "editor")
    page.click("#editor-cancel")
    other = open_page(width=width, moves=WIPEOUT, color_scheme=scheme, locale="zh-CN")
    check_with_axe(other, "ended, in Chinese")


def test_the_page_weighs_under_200_kb() -> None:
    files = [path for path in STATIC.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 200_000
