"""`sorry serve`: play in the browser, alone or with others; bots and games for other programs."""

from __future__ import annotations

import argparse
import threading
import webbrowser
from pathlib import Path
from typing import Any

from sorry_env.cli.terminal import say
from sorry_env.errors import MissingExtraError, RequestError
from sorry_env.parsing import SEED, Number, Whole


def add_commands(commands: Any) -> None:
    """Add this module's command to the parser."""
    serve = commands.add_parser(
        "serve",
        help="play in the browser, and let other programs play",
        description="Serve a page to play on, with bots and with other people, and the bot "
        "protocol over HTTP and WebSocket: see docs/serve.md. Games are kept and go on after a "
        "restart. Only this machine can reach it unless --host says otherwise.",
    )
    serve.add_argument("--host", default="127.0.0.1", help="address to listen on")
    serve.add_argument("--port", type=Whole(0, 65_535), default=8000, help="port; 0 for a free one")
    serve.add_argument("--no-browser", action="store_true", help="do not open the page")
    serve.add_argument("--bots", metavar="DIR", help="folder of .onnx files to be offered as bots")
    serve.add_argument("--db", metavar="FILE", help="where games are kept (default: your own)")
    serve.add_argument(
        "--away", type=Number(0.0, 1e9), default=120.0, metavar="SECONDS",
        help="after which a bot may take an absent person's seat; 0: never (default: 120)",
    )  # fmt: skip
    serve.add_argument(
        "--seed", type=SEED, metavar="S", help="of the bots and draws of the bot protocol"
    )
    serve.add_argument(
        "--allow-host", action="append", default=[], metavar="NAME",
        help="a name by which browsers or a proxy may call this server, NAME or NAME:PORT; "
        "addresses and localhost are allowed",
    )  # fmt: skip
    serve.add_argument(
        "--root-path", default="", metavar="PATH",
        help="path prefix below which a proxy shows the page, such as /sorry",
    )  # fmt: skip
    serve.add_argument(
        "--trust-proxy", action="append", default=[], metavar="ADDRESS",
        help="a proxy, or a network of them, whose X-Forwarded-For and X-Forwarded-Proto are "
        "believed; those on this machine always are",
    )  # fmt: skip
    serve.add_argument(
        "--backup", metavar="FILE",
        help="write a copy of the games to a file, also while a server runs, and end",
    )  # fmt: skip
    serve.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    try:
        from sorry_env.web.app import Settings
        from sorry_env.web.backup import backup
        from sorry_env.web.serve import is_loopback, serve
        from sorry_env.web.store import usual_file
    except ModuleNotFoundError as error:
        if error.name not in ("starlette", "uvicorn", "websockets", "h11", "anyio"):
            raise
        raise MissingExtraError(
            "the server needs starlette, uvicorn and websockets: pip install 'sorry_env[serve]'",
            value=error.name,
        ) from error
    db = Path(arguments.db) if arguments.db else usual_file()
    if arguments.backup is not None:
        games = backup(db, Path(arguments.backup))
        print(f"{games} games of {db} are kept in {arguments.backup}")
        return 0
    bots = None if arguments.bots is None else Path(arguments.bots)
    if bots is not None and not bots.is_dir():
        raise RequestError(f"--bots {arguments.bots!r} is no folder", value=arguments.bots)
    settings = Settings(
        db=db,
        bots=bots,
        away=arguments.away,
        seed=arguments.seed,
        hosts=tuple(arguments.allow_host),
        root_path=arguments.root_path,
        proxies=("127.0.0.1", "::1", *arguments.trust_proxy),
    )

    def ready(address: str) -> None:
        words = f"serving on {address} (Ctrl-C ends it); games are kept in {settings.db}"
        try:
            print(words, flush=True)
        except OSError:
            say(words)  # standard output takes nothing; the server works without it
        if not is_loopback(arguments.host):
            say("anybody who can reach this machine can play")
        if not arguments.no_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    serve(settings, arguments.host, arguments.port, ready)
    return 0
