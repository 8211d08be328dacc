"""``reversi web``: the page in the browser, and the JSON API. The work is in `reversi.web`, which
needs the extra ``web`` and is imported only when the command runs."""

from __future__ import annotations

import os
import threading
import webbrowser
from importlib.util import find_spec
from ipaddress import ip_address

import click

from reversi.cli.arguments import Integer

_EXTRA = ("fastapi", "uvicorn")
_CORES = os.cpu_count() or 1


@click.command("web")
@click.option(
    "--port",
    type=Integer(0, 65535),
    metavar="N",
    help="Listen on this port; 0: on any that is free.  [default: 8000, or the next free one]",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Listen on this address; 0.0.0.0: all who reach this machine may use it.",
)
@click.option("--no-browser", is_flag=True, help="Open no browser.")
@click.option(
    "--searches",
    type=Integer(1, 1024),
    default=_CORES,
    show_default="the number of cores",
    metavar="N",
    help="Run so many searches at once.",
)
@click.option(
    "--max-threads",
    type=Integer(1, 256),
    default=_CORES,
    show_default="the number of cores",
    metavar="N",
    help="Let a search have so many threads.",
)
@click.option(
    "--max-time-ms",
    type=Integer(1, 86_400_000),
    default=300_000,
    show_default=True,
    metavar="MS",
    help="Let a search take so long.",
)
def command(
    port: int | None,
    host: str,
    no_browser: bool,
    searches: int,
    max_threads: int,
    max_time_ms: int,
) -> None:
    """Play, analyse and look through games in the browser.

    Serves the page and its API (see /docs there) until Ctrl-C, to this machine alone unless --host
    says otherwise. Keeps nothing. Needs the extra `web`: pip install 'reversi-engine[web]'.

    \b
    Examples:
      reversi web
      reversi web --port 9000 --no-browser
    """
    missing = [name for name in _EXTRA if find_spec(name) is None]
    if missing:
        raise click.ClickException(
            f"{' and '.join(missing)} not installed: needs pip install 'reversi-engine[web]'"
        )
    from reversi.web.serve import address_of, listen, serve
    from reversi.web.settings import Settings

    try:
        listener = listen(host, port)
    except OSError as error:
        place = f"{host}:{port}" if port is not None else host
        raise click.ClickException(f"cannot listen on {place}: {error.strerror}") from None
    address = address_of(listener)
    loopback = _is_loopback(listener.getsockname()[0])
    settings = Settings(searches, max_threads, max_time_ms, loopback)

    def ready() -> None:
        whose = "" if loopback else "for all who reach this machine; "
        click.echo(f"{address}  ({whose}Ctrl-C ends it)")
        if not no_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    serve(listener, settings, ready)


def _is_loopback(address: str) -> bool:
    return ip_address(address.partition("%")[0]).is_loopback
