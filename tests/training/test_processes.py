"""Several processes train one policy: they learn as one alone does, and a loss ends it in words."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import fields, replace
from pathlib import Path

import pytest
import torch
from sorry_training.checkpoint import load_checkpoint
from sorry_training.config import PPOConfig, write_config
from sorry_training.logbook import METRICS
from sorry_training.losses import explained_variance, normalise
from sorry_training.ppo import Run, train
from sorry_training.processes import Processes
from sorry_training.td_config import UNUSED, TDConfig

from sorry_env.errors import ConfigError

#: All decisions of an update in one gradient step: then it makes no difference who holds which.
ONE_STEP = PPOConfig(
    ruleset="duel-1", games=64, steps=16, decisions=3000, shards=4, threads=1, width=16, layers=1,
    epochs=1, minibatch=1_000_000, past_games=0.25, bot_games=0.25, evaluate_every=0,
    final_games=16, checkpoint_every=1, seed=5,
)  # fmt: skip
#: The same for TD.
TD_ONE_STEP = TDConfig(
    **{field.name: getattr(ONE_STEP, field.name) for field in fields(ONE_STEP)
       if field.name not in UNUSED}
)  # fmt: skip


def torchrun(
    folder: Path, *words: str, processes: int = 2, algorithm: str = "ppo"
) -> subprocess.Popen[str]:
    """`sorry-train` in several processes, as the documentation starts it."""
    command = [
        sys.executable, "-m", "torch.distributed.run", "--standalone",
        f"--nproc-per-node={processes}", "-m", "sorry_training", algorithm, *words,
    ]  # fmt: skip
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"}, start_new_session=True, cwd=folder,
    )  # fmt: skip


def output_of(started: subprocess.Popen[str], seconds: float) -> str:
    """What it prints until it ends; if it does not, all its processes are ended."""
    try:
        return started.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)  # a session of its own: see torchrun
        raise


@pytest.fixture
def config_file(tmp_path: Path) -> Path:
    path = tmp_path / "run.yaml"
    write_config(ONE_STEP, path)
    return path


def rows(folder: Path) -> list[dict[str, float]]:
    head, *lines = (folder / METRICS).read_text().splitlines()
    return [dict(zip(head.split(","), map(float, line.split(",")), strict=True)) for line in lines]


def test_two_processes_learn_as_one(config_file: Path, tmp_path: Path) -> None:
    started = torchrun(tmp_path, str(config_file), "--out", "two")
    text = output_of(started, 240)
    assert started.returncode == 0, text
    one = train(ONE_STEP, tmp_path / "one", quiet=True)

    # The same games by the same weights: equal counts, and sums but for the order of adding.
    alone, together = rows(tmp_path / "one"), rows(tmp_path / "two")
    assert len(alone) == len(together) >= 3
    for ours, theirs in zip(alone, together, strict=True):
        assert (ours["decisions"], ours["games"]) == (theirs["decisions"], theirs["games"])
        for name in ("policy_loss", "value_loss", "entropy", "explained_variance"):
            assert theirs[name] == pytest.approx(ours[name], abs=2e-4), name
    both = load_checkpoint(tmp_path / "two" / "checkpoint.pt")
    for name, weights in one.net.state_dict().items():
        assert torch.allclose(both["net"][name], weights, atol=2e-3), name
    assert len(both["collectors"]) == ONE_STEP.shards
    # Files are written once, by the first; so is what is said.
    assert text.count("report: ") == text.count("bot: ") == 1


@pytest.mark.parametrize("algorithm", ["ppo", "td"])
def test_a_killed_process_ends_the_run_which_then_goes_on(algorithm: str, tmp_path: Path) -> None:
    write_config(TD_ONE_STEP if algorithm == "td" else ONE_STEP, tmp_path / "run.yaml")
    words = ["run.yaml", "decisions=100000000", "--out", "run"]
    started = torchrun(tmp_path, *words, algorithm=algorithm)
    checkpoint = tmp_path / "run" / "checkpoint.pt"
    deadline = time.monotonic() + 120
    while not (tmp_path / "run" / METRICS).exists() or len(rows(tmp_path / "run")) < 3:
        assert time.monotonic() < deadline and started.poll() is None
        time.sleep(0.1)
    os.kill(worker_pids(started.pid)[-1], signal.SIGKILL)
    text = output_of(started, 120)
    assert started.returncode != 0
    assert f"start all again with {algorithm} --resume run" in text, text
    reached = load_checkpoint(checkpoint)["decisions"]

    more = int(reached) + 1500
    again = torchrun(tmp_path, f"decisions={more}", "--resume", "run", algorithm=algorithm)
    text = output_of(again, 240)
    assert again.returncode == 0, text
    assert load_checkpoint(checkpoint)["decisions"] >= more
    numbers = [row["update"] for row in rows(tmp_path / "run")]
    assert numbers == list(range(1, len(numbers) + 1))


def worker_pids(agent: int) -> list[int]:
    """The processes that torchrun has started, in the order of their ranks."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended meanwhile
        if int(fields[1]) == agent:
            found.append(int(stat.parent.name))
    return sorted(found)


LEAVE = """
from pathlib import Path
import torch
from sorry_training.processes import join_group

def threads():
    return [task.joinpath("comm").read_text() for task in Path("/proc/self/task").iterdir()]

with join_group() as processes:
    weight = torch.nn.Parameter(torch.ones(1))
    weight.grad = processes.sum(torch.ones(1))
    torch.optim.Adam([weight]).step()
    assert any("gloo" in name for name in threads())
assert not any("gloo" in name for name in threads()), threads()
print("left alone")
"""


def test_a_group_that_is_left_leaves_no_threads(tmp_path: Path) -> None:
    # Threads of the group that are there at the interpreter's end abort it now and then.
    script = tmp_path / "leave.py"
    script.write_text(LEAVE)
    done = subprocess.run(
        [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2",
         str(script)],
        capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path.cwd())},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("left alone") == 2


def test_shards_must_go_round() -> None:
    with pytest.raises(ConfigError) as caught:
        Run(ONE_STEP, Processes(0, 3))
    assert "4 cannot be dealt out evenly to 3 processes" in str(caught.value)


def test_sums_over_parts_are_those_of_the_whole() -> None:
    whole = torch.tensor([1.0, 2.0, 3.0, 6.0])
    # By hand: mean 3, variance (4 + 1 + 0 + 9) / 4.
    assert normalise(whole, Processes()).tolist() == pytest.approx(
        [value / 3.5**0.5 for value in (-2, -1, 0, 3)]
    )
    assert explained_variance(whole - 5, whole, Processes()) == 1
    assert explained_variance(torch.zeros(4), whole, Processes()) == 0
    assert explained_variance(-whole, whole, Processes()) == -3
    assert explained_variance(whole, torch.ones(4), Processes()) == 0


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_gpu_learns_the_same(tmp_path: Path) -> None:
    cpu = train(ONE_STEP, tmp_path / "cpu", quiet=True)
    gpu = train(replace(ONE_STEP, device="cuda"), tmp_path / "gpu", quiet=True)
    assert gpu.net.device.type == "cuda"
    first = rows(tmp_path / "cpu")[0], rows(tmp_path / "gpu")[0]
    assert first[0]["entropy"] == pytest.approx(first[1]["entropy"], abs=1e-3)
    assert cpu.decisions == pytest.approx(gpu.decisions, rel=0.05)
