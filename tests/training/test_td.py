"""TD(lambda) on afterstates: returns, perspective, choice, learning, export, resumption."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
import torch
from sorry_training.__main__ import main
from sorry_training.afterstates import (
    NetValueBot,
    choose_afterstates,
    export_values,
    observe_afterstates,
    value_of,
)  # fmt: skip
from sorry_training.checkpoint import FILE, Policy, checkpoints, load_policy, make_net
from sorry_training.config import load_settings
from sorry_training.figures import read_rows
from sorry_training.logbook import METRICS
from sorry_training.returns import estimate_advantages
from sorry_training.td import AfterstateCollector, TDRun, train, value_gradients
from sorry_training.td_config import UNUSED, TDConfig
from sorry_training.workers import Workers

from sorry_env import make_bot
from sorry_env.arena import play_match
from sorry_env.engine.afterstate import Afterstates
from sorry_env.engine.batch import Batch
from sorry_env.errors import ConfigError, ModelError
from sorry_env.solve import evaluate, solve

CONFIGS = sorted(Path(__file__).parents[2].glob("configs/td/*.yaml"))
SMALL = [
    "ruleset=duel-1", "games=16", "steps=12", "width=16", "minibatch=64", "decisions=1500",
    "evaluate_every=0", "final_games=20", "checkpoint_every=1", "threads=1",
]  # fmt: skip


def small(*words: str) -> TDConfig:
    """A small configuration, changed by ``key=value`` words."""
    return load_settings(None, [*SMALL, *words], TDConfig)


def random_policy(config: TDConfig) -> Policy:
    """Random weights, large enough for values from nearly -1 to nearly 1."""
    torch.manual_seed(5)
    net = make_net(config)
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.normal_(std=0.3)
    return Policy(net.eval(), config, config.tables, {"update": 1, "decisions": 2, "games": 3})


def test_returns_of_a_chain_by_hand() -> None:
    """Seats 0 and 2 in turn; then seat 2 wins.  lambda 0.5, values 0.2 0.4 (red) -0.6 0.8 (yellow).

    Red's last return is -1, the one before 0.5 * 0.4 + 0.5 * -1 = -0.3; Yellow's last is 1, the one
    before 0.5 * 0.8 + 0.5 * 1 = 0.9.  What a seat's opponent expects enters nowhere.
    """
    values = np.array([[0.2], [-0.6], [0.4], [0.8]], np.float32)
    seats = np.array([[0], [2], [0], [2]], np.int8)
    rewards = np.zeros((4, 1, 4), np.float32)
    rewards[3, 0] = [-1, 0, 1, 0]
    ended = np.array([[False], [False], [False], [True]])
    found = estimate_advantages(
        values, seats, np.ones((4, 1), np.bool_), rewards, ended, np.zeros((4, 1), np.bool_),
        discount=1.0, trace=0.5,
    )  # fmt: skip
    assert found.closed.all()
    assert np.allclose(found.returns[:, 0], [-0.3, 0.9, -1.0, 1.0])


@pytest.mark.parametrize(
    ("ruleset", "seats"), [("duel-1", "red,yellow"), ("classic", "3"), ("teams", "4")]
)
def test_targets_have_the_sign_of_the_seat_that_moved(ruleset: str, seats: str) -> None:
    """With lambda 1 the target is the outcome of the game for that seat, whatever the net says."""
    config = small(f"ruleset={ruleset}", f"seats={seats}", "trace=1.0", "steps=300", "shards=1")
    collector = AfterstateCollector(config, 0)
    decisions, _ = collector.collect(0, random_policy(config).net, ())
    window, outcomes = collector.window, []
    for t in range(4, 304):
        for b in range(config.games):
            seat = window.seat[t, b]
            ends = np.flatnonzero(window.ended[t:, b])
            again = np.flatnonzero(window.seat[t + 1 :, b] == seat)
            if len(ends):
                outcomes.append(window.reward[t + ends[0], b, seat])
            elif len(again):  # still open at the end of the window: no outcome yet
                outcomes.append(np.nan)
    assert len(outcomes) == len(decisions.value_target)
    known = ~np.isnan(outcomes)
    won, lost = np.array(outcomes) == 1.0, np.array(outcomes) < 0.0
    assert won.sum() > 100 and lost.sum() > 100 and (won | lost)[known].all()
    assert np.allclose(decisions.value_target[known], np.array(outcomes)[known], atol=1e-5)


def test_the_window_holds_what_the_mover_sees_after_its_move() -> None:
    config = small("steps=2")
    collector = AfterstateCollector(config, 0)
    net = random_policy(config).net
    before = collector.batch
    twin = Batch("duel-1", collector.seats, before.size, skip_forced=True, first="random")
    twin.load_state_dict(before.state_dict())
    after = twin.afterstates()
    with torch.no_grad():
        values = value_of(net, after.observation)
    collector.collect(0, net, ())
    for row in range(twin.size):
        mine = np.flatnonzero(after.row == row)
        best = mine[values[mine].argmax()]
        assert collector.window.value[4, row] == values[best]
        assert (collector.window.observation[4, row] == after.observation[best]).all()
        assert collector.window.action[4, row] == after.action[best]


def test_exploring_takes_any_afterstate_and_not_exploring_the_best() -> None:
    row = np.array([0, 0, 0, 1, 2, 2], np.int32)
    after = Afterstates(np.zeros(6), row, np.arange(6, dtype=np.int32), np.zeros((6, 1), np.int8))
    values = np.array([0.1, 0.7, 0.7, -1.0, 0.3, 0.2], np.float32)
    random = np.random.default_rng(1)
    assert choose_afterstates(after, values, 3, 0.0, random).tolist() == [1, 3, 4]
    drawn = np.array([choose_afterstates(after, values, 3, 1.0, random) for _ in range(600)])
    counts = [np.bincount(drawn[:, game], minlength=6).tolist() for game in range(3)]
    assert sum(counts[0][:3]) == sum(counts[2][4:]) == counts[1][3] == 600
    assert min(counts[0][:3]) > 150 and min(counts[2][4:]) > 240  # 200 and 300, 4 sigma


def test_gradients_are_those_of_half_the_mean_square() -> None:
    """By central differences on the value head's bias; parts add up to the whole."""
    config = small()
    policy = random_policy(config)
    seen = torch.from_numpy(observe_afterstates(policy, 30))
    target = torch.linspace(-1, 1, 30)
    gradients, loss = value_gradients(policy.net, config, [seen, target], 1.0)
    names = [name for name, _ in policy.net.named_parameters()]
    found = float(gradients[names.index("value.bias")])

    def error(shift: float) -> float:
        with torch.no_grad():
            policy.net.value.bias.add_(shift)
            values = value_of(policy.net, seen.numpy()).astype(np.float64)
            policy.net.value.bias.sub_(shift)
        return float(0.5 * np.mean((values - target.numpy()) ** 2))

    assert float(loss) == pytest.approx(error(0.0), rel=1e-5)
    assert found == pytest.approx((error(1e-2) - error(-1e-2)) / 2e-2, rel=2e-2)
    assert not gradients[names.index("policy.weight")].any()
    halves = [
        value_gradients(policy.net, config, [seen[part], target[part]], 0.5)[0]
        for part in (slice(0, 15), slice(15, 30))
    ]
    for whole, one, other in zip(gradients, *halves, strict=True):
        assert torch.allclose(whole, one + other, atol=1e-6)


def test_it_learns_the_duel_to_less_than_greedys_exploitability(tmp_path: Path) -> None:
    """Exact figures, by the solution of the game."""
    config = small(
        "games=128", "steps=32", "width=32", "minibatch=512", "epochs=2", "decisions=400000",
        "learning_rate=3e-3", "explore=0.1", "average=0.98",
    )  # fmt: skip
    run = train(config, tmp_path, quiet=True)
    solution = solve("duel-1")
    greedy = evaluate(solution, make_bot("greedy")).exploitability
    learnt = evaluate(solution, NetValueBot(run.average)).exploitability
    assert greedy is not None and learnt is not None
    assert learnt < greedy, (learnt, greedy)


@pytest.mark.parametrize(
    ("ruleset", "seats"), [("duel-1", "2"), ("classic", "2;3;4"), ("points", "2"), ("teams", "4")]
)
def test_the_file_equals_the_net_and_plays_as_it_does(
    ruleset: str, seats: str, tmp_path: Path
) -> None:
    policy = random_policy(small(f"ruleset={ruleset}", f"seats={seats}"))
    path = tmp_path / "value.onnx"
    export_values(policy, path)
    bot = make_bot(f"value:{path}")
    assert [entry.name for entry in tmp_path.iterdir()] == ["value.onnx"]
    seen = observe_afterstates(policy, 500)
    with torch.no_grad():
        values = value_of(policy.net, seen)
    assert values.std() > 0.1
    assert np.allclose(bot.policy.values(seen), values, atol=1e-5)  # type: ignore[attr-defined]
    number = int(seats[-1])
    lineup = [1, 2, 2, 2][:number] if ruleset != "teams" else [1, 2]
    matches = [
        play_match([player if k == 1 else "random" for k in lineup], ruleset, number, 48, 3)
        for player in (bot, NetValueBot(policy.net))
    ]
    assert matches[0].wins == matches[1].wins


def test_a_value_refuses_other_games_and_other_files(tmp_path: Path) -> None:
    path = tmp_path / "value.onnx"
    export_values(random_policy(small()), path)
    with pytest.raises(ModelError, match="trained for ruleset duel-1, not for classic"):
        play_match([f"value:{path}", "random"], "classic", 2, 2, 1)
    with pytest.raises(ModelError, match="inputs must be observation and mask, not observation"):
        make_bot(f"learned:{path}")


def test_a_resumed_run_is_one_that_never_stopped(tmp_path: Path) -> None:
    whole = train(small("decisions=1500"), tmp_path / "whole", quiet=True)
    train(small("decisions=1500", "minutes=1e-9"), tmp_path / "parts", quiet=True)
    assert len(read_rows(tmp_path / "parts" / METRICS)) == 1
    resumed = train(small("decisions=1500"), tmp_path / "parts", resume=True, quiet=True)
    assert resumed.update == whole.update > 1
    for one, other in zip(whole.net.parameters(), resumed.net.parameters(), strict=True):
        assert torch.equal(one, other)


def test_threads_change_nothing() -> None:
    weights = []
    for threads in (1, 2):
        run = TDRun(small())
        with Workers(threads) as workers:
            for _ in range(3):
                run.advance(workers)
        weights.append(torch.cat([value.flatten() for value in run.net.state_dict().values()]))
    assert torch.equal(*weights)


def test_fixed_bots_play_a_seat_of_their_games_and_are_not_learnt_from() -> None:
    """Half of the 16 games have a bot on one of the two seats, self-play games have none."""
    config = small("bot_games=0.5", "bots=greedy", "trace=1.0", "steps=200", "shards=1")
    run = TDRun(config)
    (collector,) = run.collectors
    decisions, tally = collector.collect(0, run.net, run.pool.opponents())
    own = collector.window.own[4:]
    games = own.all(axis=0)
    assert games.sum() == 8
    assert (~own[:, ~games]).any(axis=0).all()
    # About a quarter of all decisions are the bots', and only the others are counted and learnt.
    assert tally.decisions == own.sum() < own.size
    assert len(decisions.observation) <= own.sum()
    assert tally.bot_seats > 0


def test_settings_of_ppos_policy_are_refused() -> None:
    for word in ("clip=0.1", "entropy=0.0", "past_games=0.1", "pool_size=2"):
        with pytest.raises(ConfigError, match=word.partition("=")[0]):
            small(word)
    with pytest.raises(ConfigError, match="did you mean explore"):
        small("explor=0.1")


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_the_configurations_are_sound(path: Path) -> None:
    assert load_settings(path, [], TDConfig).decisions >= 1_000_000


def test_the_command_trains_exports_and_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tiny.yaml"
    path.write_text("seed: 3\n", encoding="utf-8")
    run = tmp_path / "run"
    assert main(["td", str(path), *SMALL, "decisions=300", "--out", str(run)]) == 0
    told = capsys.readouterr().out
    assert f"bot: value:{run / 'value.onnx'}\nreport: {run / 'report.md'}\n" in told
    older = [path.name for path in checkpoints(run) if path.name != FILE]
    assert len(older) == 2
    assert {file.name for file in run.iterdir()} == {
        *older, "value.onnx", "checkpoint.pt", "config.yaml", "curve.png", "evaluations.csv",
        "metrics.csv", "report.md", "tensorboard",
    }  # fmt: skip
    report = (run / "report.md").read_text(encoding="utf-8")
    last = read_rows(run / METRICS)[-1]
    for expected in (
        "# TD(lambda) on duel-1", "| random | 20 |", "| games | 16 | 1024 |",
        f"explained variance of the value {float(last['explained_variance']):.3f}",
        f"share of decisions at random {float(last['explore']):.3f}",
        f"sorry-train export {run} --out value.onnx", "sorry arena value:value.onnx greedy",
    ):  # fmt: skip
        assert expected in report
    assert "trace" not in report and "past_games" not in report  # which are as TD has them

    for source in (run, run / "checkpoint.pt"):
        out = tmp_path / "sub" / "my.onnx"
        assert main(["export", str(source), "--out", str(out)]) == 0
        assert f"play it as value:{out}\n" in capsys.readouterr().out
        assert out.read_bytes() == (run / "value.onnx").read_bytes()
    (run / "curve.png").unlink()
    assert main(["report", str(run)]) == 0
    assert (run / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert (run / "report.md").read_text(encoding="utf-8") == report

    assert load_policy(run).config.seed == 3
    assert main(["td", "--resume", str(run), "decisions=900"]) == 0
    assert int(read_rows(run / METRICS)[-1]["decisions"]) >= 900
    assert make_bot(f"value:{run / 'value.onnx'}").rulesets == ("duel-1",)
    capsys.readouterr()
    assert main(["td", str(path), "--out", str(run)]) == 2
    assert "holds a run already" in capsys.readouterr().err
    assert main(["ppo", "--resume", str(run)]) == 2
    assert f"holds a run of td, not of ppo; go on with it by td --resume {run}" in (
        capsys.readouterr().err
    )


def test_a_file_is_called_after_its_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    train(small("decisions=100"), tmp_path / "run", quiet=True)
    monkeypatch.chdir(tmp_path)
    assert main(["export", "run"]) == 0
    assert "play it as value:value.onnx" in capsys.readouterr().out
    assert make_bot("value:value.onnx").rulesets == ("duel-1",)


def test_help_has_the_settings_that_mean_something(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["td", "--help"])
    text = capsys.readouterr().out
    listed = dict(re.findall(r"^  (\w+)=(.*)$", text, re.MULTILINE))
    assert set(listed) == {field.name for field in fields(TDConfig)} - set(UNUSED)
    # The defaults are TD's own.
    assert (listed["trace"], listed["bot_games"], listed["explore"]) == ("0.7", "0.0", "0.05")
    assert max(map(len, text.splitlines())) <= 100
