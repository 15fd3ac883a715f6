"""How fast `sorry serve` answers when many people play at once.

    python -m benchmarks.serve --games 200 --seconds 60

A server of its own on loopback and `--games` games over WebSocket, each of a person against greedy,
every tenth against a learned bot (`--bot`, a file for two players of classic; without one, one of
random weights). People think for a random time, `--think` seconds on
average, and play some legal move. A move is answered when the message comes that tells everybody of
it; by then it is on disk. With `--analyse` each position of the tenth games is analysed, too.
Bounded in time and in number; ends the server. `sorry_env/web/room.py` is what it measures.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import websockets

from sorry_env.files import write_file

Row = dict[str, Any]
SORRY = [sys.executable, "-c", "import sys; from sorry_env.cli import main; sys.exit(main())"]
#: Milliseconds within which a move should be answered.
SOON = 100.0
LEARNED = "file:load"


@dataclass
class Measured:
    """Milliseconds until own moves were told, until the bot's reply, until an analysis."""

    moves: list[float] = field(default_factory=list)
    replies: list[float] = field(default_factory=list)
    analyses: list[float] = field(default_factory=list)
    errors: list[Row] = field(default_factory=list)
    over: int = 0
    cpu: float = 0.0  # seconds of a processor that the server used meanwhile


def main() -> int:
    """Run it and print the shares; exit status 1 where fewer moves than wanted were in time."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--think", type=float, default=2.0, help="seconds people think, on average")
    parser.add_argument("--bot", metavar="FILE", help="the learned bot's .onnx, for two of classic")
    parser.add_argument("--analyse", action="store_true", help="analyse every tenth game")
    parser.add_argument("--share", type=float, default=0.95, help="wanted within 100 ms")
    arguments = parser.parse_args()
    if not (1 <= arguments.games <= 1000 and 1 <= arguments.seconds <= 600):
        parser.error("at most 1000 games and 600 seconds")
    with tempfile.TemporaryDirectory() as folder:
        bots = Path(folder) / "bots"
        bots.mkdir()
        write_file(bots / "load.onnx", _model(arguments.bot))
        measured = _measure(Path(folder), bots, arguments)
    return _report(measured, arguments)


def _model(path: str | None) -> bytes:
    """The learned bot's file."""
    if path is not None:
        return Path(path).read_bytes()
    from tests.bots.models import build

    return build("classic", (2,))


def _measure(folder: Path, bots: Path, arguments: argparse.Namespace) -> Measured:
    """The server's life, and what was measured in it."""
    command = [*SORRY, "serve", "--no-browser", "--port", "0", "--db", str(folder / "games.db"),
               "--bots", str(bots)]  # fmt: skip
    server = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"}
    )
    assert server.stdout is not None
    try:
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found, "the server did not start"
        address = found.group()
        return asyncio.run(_play_all(address, arguments, server.pid))
    finally:
        server.terminate()
        server.wait(20)
        server.stdout.close()


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _play_all(address: str, arguments: argparse.Namespace, pid: int) -> Measured:
    measured = Measured()
    clock = asyncio.get_running_loop().time
    warm = clock() + 5.0  # compiling, loading: not measured
    end = warm + arguments.seconds
    people = [
        asyncio.create_task(_play(address, number, arguments, warm, end, measured))
        for number in range(arguments.games)
    ]
    await asyncio.sleep(warm - clock())
    before = _cpu(pid)
    await asyncio.gather(*people)
    measured.cpu = _cpu(pid) - before
    return measured


def _new_game(address: str, seed: int, bot: str) -> Row:
    row = {"seed": seed, "players": {"red": "person", "yellow": bot}}
    request = urllib.request.Request(
        f"{address}api/games", json.dumps(row).encode(),
        {"content-type": "application/json"},
    )  # fmt: skip
    with urllib.request.urlopen(request, timeout=30) as response:
        made: Row = json.load(response)
        return made


async def _play(
    address: str, number: int, arguments: argparse.Namespace, warm: float, end: float,
    measured: Measured,
) -> None:  # fmt: skip
    """One person's games until the time is over."""
    rng = random.Random(number)
    clock = asyncio.get_running_loop().time
    await asyncio.sleep(rng.uniform(0, 3))
    game = 0
    while clock() < end:
        bot = LEARNED if number % 10 == 0 else "greedy"
        made = await asyncio.to_thread(_new_game, address, 1000 * number + game, bot)
        game += 1
        url = f"{address.replace('http', 'ws')}api/games/{made['game']}/ws"
        async with websockets.connect(url, compression=None) as socket:
            analyses = arguments.analyse and bot == LEARNED
            await _play_one(socket, made, rng, arguments.think, warm, end, measured, analyses)


async def _play_one(
    socket: Any, made: Row, rng: random.Random, think: float, warm: float, end: float,
    measured: Measured, analyses: bool,
) -> None:  # fmt: skip
    clock = asyncio.get_running_loop().time
    await socket.send(json.dumps({"type": "join", "secrets": list(made["secrets"].values())}))
    state: Row = {"over": False, "legal": [], "ply": -1}
    sent, asked, mine = 0.0, 0.0, -1
    while not state["over"] and clock() < end:
        if state["legal"] and state["ply"] != mine:
            if analyses:
                asked = clock()
                await socket.send(json.dumps({"type": "analysis", "bot": LEARNED}))
            await asyncio.sleep(rng.expovariate(1 / think))
            mine = state["ply"]
            move = rng.choice(state["legal"])["move"]
            sent = clock()
            await socket.send(json.dumps({"type": "move", "move": move, "ply": mine}))
        row = json.loads(await socket.recv())
        now = clock()
        if row["type"] == "move":
            counted = sent > warm
            if row["entry"]["ply"] == mine and counted:
                measured.moves.append(1000 * (now - sent))
            elif row["entry"]["ply"] == mine + 1 and row["entry"]["by"] != "person" and counted:
                measured.replies.append(1000 * (now - sent))
        elif row["type"] == "analysis" and asked > warm:
            measured.analyses.append(1000 * (now - asked))
        elif row["type"] == "error":
            measured.errors.append(row)
        state = row.get("state", state)
    measured.over += state["over"]


def _report(measured: Measured, arguments: argparse.Namespace) -> int:
    each = 1000 * measured.cpu / max(len(measured.moves), 1)
    print(f"{arguments.games} games for {arguments.seconds:g} s, people think "
          f"{arguments.think:g} s; {measured.over} games ended, {len(measured.errors)} errors; the "
          f"server used {each:.1f} ms of a processor for each move of a person")  # fmt: skip
    for name in ("moves", "replies", "analyses"):
        times = sorted(getattr(measured, name))
        if times:
            soon = sum(t <= SOON for t in times) / len(times)
            p50, p95, p99 = (times[int(q * (len(times) - 1))] for q in (0.5, 0.95, 0.99))
            print(f"{name:9}{len(times):7d}  within 100 ms {soon:7.2%}  "
                  f"ms: median {p50:.1f}, 95% {p95:.1f}, 99% {p99:.1f}")  # fmt: skip
    for row in measured.errors[:3]:
        print("error:", row["code"], row["message"])
    share = sum(t <= SOON for t in measured.moves) / max(len(measured.moves), 1)
    return 0 if share >= arguments.share and not measured.errors else 1


if __name__ == "__main__":
    began = time.perf_counter()
    status = main()
    print(f"took {time.perf_counter() - began:.0f} s")
    sys.exit(status)
