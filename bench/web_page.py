"""How soon the page can be used, how soon it answers a click, and what it weighs.

    python bench/web_page.py [--repeats 9]

Starts `reversi web` and a headless Chromium. Usable: from asking for the page until a legal square
is there to be clicked, with nothing kept from before, and with the files kept. Answered: from a
click until the first disc is seen to turn: its animation has begun and the next picture is drawn.
"""

from __future__ import annotations

import argparse
import gzip
import os
import shutil
import signal
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from playwright.sync_api import Browser, sync_playwright
from web_latency import start

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
STATIC = ROOT / "reversi" / "web" / "static"

WHATS = ("usable, nothing kept", "usable, files kept", "a click answered")

USABLE = """() => new Promise(resolve => {
    const look = () => document.querySelector(".can-play .cell.legal")
        ? resolve(performance.now()) : requestAnimationFrame(look);
    look();
})"""

ANSWERED = """() => new Promise(resolve => {
    const square = document.querySelector(".can-play .cell.legal");
    document.addEventListener("animationstart", event => {
        if (event.animationName !== "turn") return;
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
    });
    const began = performance.now();
    square.dispatchEvent(new MouseEvent("click", {bubbles: true}));
})"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeats", type=int, default=9)
    repeats = options.parse_args().repeats
    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    print(f"{os.cpu_count()} cores, load before {load}")
    weigh()
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with running() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        rounds = [measured(browser, address) for _ in range(repeats)]
        for what, times in zip(WHATS, zip(*rounds, strict=True), strict=True):
            print(f"{what} (ms): median {median(times):.0f}, {min(times):.0f} to {max(times):.0f}")
        browser.close()


def weigh() -> None:
    """Print the page's size in bytes, as it is and as gzip has it."""
    texts = [path.read_bytes() for path in STATIC.rglob("*") if path.is_file()]
    packed = sum(len(gzip.compress(text)) for text in texts)
    print(f"{len(texts)} files, {sum(map(len, texts)):,} bytes, {packed:,} compressed")


@contextmanager
def running() -> Iterator[str]:
    """A server as long as the block lasts; gives its address."""
    process, (host, port) = start(1)
    try:
        yield f"http://{host}:{port}/"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait()


def measured(browser: Browser, address: str) -> tuple[float, ...]:
    """The three times of one page, in a browser context of its own."""
    with closing(browser.new_context()) as context:
        page = context.new_page()
        page.goto(address, wait_until="commit")
        fresh = page.evaluate(USABLE)
        page.reload(wait_until="commit")
        kept = page.evaluate(USABLE)
        page.wait_for_load_state("networkidle")
        return fresh, kept, page.evaluate(ANSWERED)


if __name__ == "__main__":
    main()
