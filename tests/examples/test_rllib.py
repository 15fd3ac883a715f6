"""RLlib: the example as it is on a small cluster, and training past the death of an env runner.

Needs `pip install 'sorry_env[rllib]'`; `make interop` runs it.
"""

from __future__ import annotations

import itertools
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.interop

SCRIPT = Path(__file__).parents[2] / "docs/examples/rllib_ppo.py"


@pytest.fixture
def cluster() -> Iterator[Any]:
    """Two nodes, each with processes of its own, as on two machines."""
    from ray.cluster_utils import Cluster

    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    nodes.add_node(num_cpus=2)
    yield nodes
    nodes.shutdown()


def test_the_script_learns_on_a_cluster_with_two_learners(cluster: Any, tmp_path: Path) -> None:
    # As somebody would start it: another process, elsewhere, that is told no more than the address.
    words = ["--address", cluster.address, "--env-runners", "2", "--learners", "2"]
    words += ["--decisions", "2048", "--updates", "6"]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *words],
        cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    updates = re.findall(r"update \d+: (\d+) decisions, 2 env runners", done.stdout)
    assert len(updates) == 6
    assert int(updates[0]) >= 2 * 2048  # for each learner
    intervals = re.findall(r"^rllib .*?([\d.]+)% to ([\d.]+)%", done.stdout, re.MULTILINE)
    (_, highest_before), (lowest_after, _) = intervals
    assert float(lowest_after) > float(highest_before)


def test_training_goes_on_when_an_env_runner_is_killed() -> None:
    import ray

    from docs.examples.rllib_ppo import make_config, parse

    args = parse(["--decisions", "512", "--cpus-per-runner", "0.5"])
    ray.init(num_cpus=2, include_dashboard=False)
    try:
        algorithm = make_config(args).build_algo()
        sampled = [algorithm.train()["num_env_steps_sampled_lifetime"]]
        runners = algorithm.env_runner_group
        first = processes(runners)
        assert len(first) == 2
        os.kill(first[0], signal.SIGKILL)
        now: list[int] = []
        while len(now) < 2 and len(sampled) < 50:
            sampled.append(algorithm.train()["num_env_steps_sampled_lifetime"])
            now = [process for process in processes(runners) if process != first[0]]
        assert len(now) == 2 and first[1] in now  # another has taken its place
        sampled.append(algorithm.train()["num_env_steps_sampled_lifetime"])
        assert all(b > a for a, b in itertools.pairwise(sampled))  # and played meanwhile
        algorithm.stop()
    finally:
        ray.shutdown()


def processes(runners: Any) -> list[int]:
    """The env runners' process numbers."""
    found: list[int] = runners.foreach_env_runner(
        lambda runner: os.getpid(), local_env_runner=False, timeout_seconds=30
    )
    return found
