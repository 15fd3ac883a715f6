"""From a run to a shipped bot: what the folder holds, and that `best:NAME` plays it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from sorry_training.__main__ import main
from sorry_training.config import load_settings
from sorry_training.td_config import load_saved

from sorry_env import make_bot
from sorry_env.arena import play_match
from sorry_env.bots import shipped
from sorry_env.errors import ModelError, RequestError

CONFIGS = Path(__file__).parents[2] / "configs"
SMALL = [
    "games=16", "steps=12", "width=16", "minibatch=64", "decisions=600", "evaluate_every=0",
    "final_games=20", "threads=1", "opponents=random",
]  # fmt: skip


def run_and_ship(folder: Path, algorithm: str, ruleset: str, seats: str, name: str) -> None:
    run = folder / f"run-{name}"
    config = folder / f"{name}.yaml"
    config.write_text(f"ruleset: {ruleset}\nseats: ['{seats}']\n")
    assert main([algorithm, str(config), *SMALL, "--out", str(run)]) == 0
    out = folder / "checkpoints" / name
    assert main(["ship", str(run), "--out", str(out), "--games", "12", "--seed", "3"]) == 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seats by TD, three by PPO, and the dice game."""
    folder = tmp_path_factory.mktemp("ship")
    run_and_ship(folder, "td", "quick", "red,yellow", "quick-2")
    run_and_ship(folder, "ppo", "quick", "red,blue,yellow", "quick-3")
    run_and_ship(folder, "ppo", "express", "2", "express")
    return folder / "checkpoints"


@pytest.fixture
def in_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(shipped, "shipped_folder", lambda: folder)
    return folder


@pytest.mark.parametrize("name", shipped.shipped_names())
def test_a_shipped_bot_was_trained_by_the_settings_that_make_it_again(name: str) -> None:
    """``make ship BOT=NAME`` trains by the file of that name in ``configs``."""
    trained = load_saved(shipped.shipped_folder() / name / "config.yaml")
    file = CONFIGS / trained.algorithm / f"{name}.yaml"
    again = load_settings(file, [f"threads={trained.threads}"], type(trained))
    assert again == trained


def test_a_folder_holds_all_that_is_known_of_its_bot(folder: Path) -> None:
    files = {path.name for path in (folder / "quick-2").iterdir()}
    told = {"README.md", "config.yaml", "metrics.csv", "evaluations.csv", "arena.json"}
    assert files == told | {"value.onnx"}
    assert {path.name for path in (folder / "quick-3").iterdir()} == told | {"bot.onnx"}
    random, greedy = json.loads((folder / "quick-3" / "arena.json").read_text())
    assert [bot["name"] for bot in random["bots"]] == ["best:quick-3", "random", "random#2"]
    assert (greedy["games"], greedy["seed"], greedy["ruleset"]) == (12, 3, "quick")
    card = (folder / "quick-3" / "README.md").read_text()
    won = greedy["bots"][0]["rate"]
    assert f"| 2 greedy | 12 | {won:.1%} |" in card
    assert (
        "sorry arena best:quick-3 greedy greedy --ruleset quick --seats red,blue,yellow "
        "--games 12 --seed 3" in card
    )


def test_a_name_without_a_number_plays_by_the_seats(in_folder: Path) -> None:
    bot = make_bot("best:quick")
    assert bot.rulesets == ("quick",)
    for name, seats, others in (("quick-2", "red,yellow", 1), ("quick-3", "red,blue,yellow", 2)):
        matches = [
            play_match([which, *["greedy"] * others], "quick", seats, games=12, seed=3)
            for which in (bot, f"best:{name}")
        ]
        _, recorded = json.loads((in_folder / name / "arena.json").read_text())
        for match in matches:
            # As the games of its record went, which are these.
            assert match.rate(0) == recorded["bots"][0]["rate"]
    with pytest.raises(ModelError) as caught:
        play_match([bot, *["greedy"] * 3], "quick", "4", games=4)
    assert "2 or 3 seats, not with 4" in str(caught.value)
    with pytest.raises(ModelError):
        play_match([bot, "greedy"], "classic", "red,yellow", games=2)


def test_the_dice_game_has_its_own(in_folder: Path) -> None:
    assert play_match(["best:express", "greedy"], "express", "2", games=4).games == 4


def test_what_is_not_shipped_is_refused_by_name(in_folder: Path) -> None:
    with pytest.raises(RequestError) as caught:
        make_bot("best:chess")
    assert "express, quick-2, quick-3" in str(caught.value)


def test_nothing_is_written_over_or_out_of_nothing(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ship", str(tmp_path), "--out", str(tmp_path / "new")]) == 2
    assert "cannot read" in capsys.readouterr().err
    # A run that was killed before its end.
    shutil.copyfile(folder / "express" / "config.yaml", tmp_path / "config.yaml")
    assert main(["ship", str(tmp_path), "--out", str(tmp_path / "new")]) == 2
    assert "no exported bot: it needs bot.onnx" in capsys.readouterr().err
    assert not (tmp_path / "new").exists()
    before = (folder / "express" / "README.md").read_bytes()
    run = folder.parent / "run-quick-2"
    assert main(["ship", str(run), "--out", str(folder / "express")]) == 2
    assert "exists already" in capsys.readouterr().err
    assert (folder / "express" / "README.md").read_bytes() == before
