"""Results as files: JSON, CSV and pictures."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sorry_env.arena import play_league, play_match, save
from sorry_env.arena.pictures import draw_ladder, draw_lengths, draw_matrix
from sorry_env.errors import MissingExtraError


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_match_in_files(tmp_path: Path) -> None:
    result = play_match(["greedy", "random"], games=40, seed=2, max_plies=190)
    paths = save(result, tmp_path / "new" / "folder")
    assert [path.name for path in paths] == ["result.json", "bots.csv", "games.csv"]
    assert json.loads(paths[0].read_text(encoding="utf-8")) == result.to_dict()
    bots = rows_of(paths[1])
    assert [row["bot"] for row in bots] == ["greedy", "random"]
    assert [int(row["wins"]) for row in bots] == list(result.wins)
    low, high = result.paired_interval(0)
    assert (float(bots[0]["paired_low"]), float(bots[0]["paired_high"])) == (low, high)
    games = rows_of(paths[2])
    assert len(games) == 40 and 0 < result.cut < 40
    for bot, won in zip(result.bots, result.wins, strict=True):
        assert sum(row["winner"] == bot for row in games) == won
    assert sum(int(row["truncated"]) for row in games) == result.cut
    assert [int(row["length"]) for row in games] == result.outcomes["length"].tolist()
    assert (games[0]["red"], games[0]["yellow"], games[0]["blue"]) == ("greedy", "random", "")
    assert (games[1]["red"], games[1]["seed"], games[2]["seed"]) == ("random", "0", "1")


def test_a_league_in_files_and_pictures(tmp_path: Path) -> None:
    result = play_league(["greedy", "random", "random"], "duel-2", games=40, seed=2)
    paths = save(result, tmp_path, pictures=True)
    assert {path.name for path in paths} == {
        "result.json", "bots.csv", "games.csv", "before.csv", "lengths.png", "ladder.png",
        "matrix.png",
    }  # fmt: skip
    bots = rows_of(tmp_path / "bots.csv")
    assert [float(row["elo"]) for row in bots] == result.ratings.elo.tolist()
    assert float(bots[0]["low"]) < float(bots[0]["elo"]) < float(bots[0]["high"])
    before = rows_of(tmp_path / "before.csv")
    assert [[int(row[name]) for name in result.bots] for row in before] == result.before.tolist()
    games = rows_of(tmp_path / "games.csv")
    assert [row["table"] for row in games] == ["0"] * 40 + ["1"] * 40 + ["2"] * 40
    assert sum(row["winner"] == "random#2" for row in games) == result.wins[2]
    for path in tmp_path.glob("*.png"):
        with Image.open(path) as image:
            assert len(np.unique(np.asarray(image.convert("RGB")).reshape(-1, 3), axis=0)) > 20


def test_teams_win_as_one(tmp_path: Path) -> None:
    result = play_match(["greedy", "random"], "teams", games=20)
    games = rows_of(save(result, tmp_path)[2])
    assert sum(row["winner"] == "greedy" for row in games) == result.wins[0]
    four = play_match(["greedy", "random", "random", "random"], "teams", games=4)
    winners = {row["winner"] for row in rows_of(save(four, tmp_path)[2])}
    assert winners <= {"greedy+random#2", "random#2+greedy", "random+random#3", "random#3+random"}


def test_pictures_show_the_figures() -> None:
    result = play_league(["greedy", "random", "random"], "points", games=20, seed=1)
    assert result.wins[0] == 40  # so it has no rating
    axes = draw_ladder(result).axes[0]
    names = [label.get_text() for label in axes.get_yticklabels()]
    assert sorted(names) == ["random", "random#2"]
    texts = [text.get_text() for text in draw_matrix(result).axes[0].texts]
    assert len(texts) == 6 and texts.count("0%") == 2 == texts.count("100%")
    match = play_match(["random"] * 2, games=40, max_plies=170)
    axes = draw_lengths(match).axes[0]
    assert sum(patch.get_height() for patch in axes.patches) == 40 > match.cut > 0
    widths = {round(patch.get_width(), 6) for patch in axes.patches}
    assert len(widths) == 1 and widths.pop() % 1 == 0  # as many lengths in each bar
    edge = (match.outcomes["length"].min() - axes.patches[0].get_x()) % 1
    assert edge == pytest.approx(0.5)
    labels = {text.get_text() for text in axes.get_legend().get_texts()}
    assert labels == {"played to the end", "cut off", f"mean {match.mean_length:.1f}"}


def test_without_matplotlib_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = play_match(["random"] * 2, "duel-1", games=4)
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=r"matplotlib: pip install 'sorry_env\[arena\]'"):
        save(result, tmp_path / "out", pictures=True)
    assert not (tmp_path / "out").exists()
    assert len(save(result, tmp_path / "out")) == 3
