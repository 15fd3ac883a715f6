"""A learned bot plays what its file says, fairly and legally, and on no other game."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from sorry_env.arena import play_match
from sorry_env.bots.base import BatchRequest
from sorry_env.bots.learned import LearnedBot, draw
from sorry_env.bots.metadata import fitting_metadata
from sorry_env.bots.registry import make_bot
from sorry_env.engine.batch import Batch
from sorry_env.engine.tables import compile_rules
from sorry_env.errors import MissingExtraError, ModelError, RequestError
from sorry_env.game import Game
from tests.bots import models
from tests.bots.positions import game_of, request_after


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return models.save(tmp_path, models.build())  # type: ignore[no-any-return]


@pytest.mark.parametrize("count", [1, 3, 257])
def test_logits_and_values_are_those_of_the_weights(path: Path, count: int) -> None:
    request = request_after(90, "classic", 4, size=count)
    logits, value = LearnedBot(path).policy.evaluate(request.observation, request.mask)
    wanted, wanted_value = models.forward(path.read_bytes(), request.observation, request.mask)
    np.testing.assert_allclose(logits, wanted, atol=1e-5)
    np.testing.assert_allclose(value, wanted_value, atol=1e-5)
    assert logits.dtype == value.dtype == np.float32


@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [("classic", 2), ("classic", 3), ("classic", 4), ("teams", 4), ("duel-1", 2), ("solo", 1)],
)
def test_the_likeliest_legal_action_is_played(tmp_path: Path, ruleset: str, seats: int) -> None:
    path = models.save(tmp_path, models.build(ruleset, [seats]))
    bot = LearnedBot(path)
    request = request_after(75, ruleset, seats)
    logits, _ = models.forward(path.read_bytes(), request.observation, request.mask)
    chosen = bot.choose_batch(request)
    assert chosen.dtype == np.int32
    assert np.array_equal(chosen, logits.argmax(axis=1))
    for row in range(8):
        game = game_of(request, row)
        assert bot.choose(game.view(game.actor)) == chosen[row]


def test_a_whole_game_by_name(path: Path) -> None:
    bots = [make_bot(f"learned:{path}"), make_bot(f"learned:{path}?sample=true,temperature=0.5")]
    assert bots[1].name == f"learned:{path}?sample=true,temperature=0.5"
    game = Game("classic", "red,blue", seed=2)
    while not game.over:
        game.play(bots[game.actor].choose(game.view(game.actor)))


def test_equal_logits_are_drawn_from_evenly(tmp_path: Path) -> None:
    bot = LearnedBot(models.save(tmp_path, models.build(bias=np.zeros(179))))
    one = request_after(62, size=40)
    row = int(one.mask.sum(axis=1).argmax())
    legal = np.flatnonzero(one.mask[row])
    n = 500 * len(legal)
    many = BatchRequest(
        one.tables,
        np.repeat(one.games[row : row + 1], n),
        np.repeat(one.observation[row : row + 1], n, axis=0),
        np.repeat(one.mask[row : row + 1], n, axis=0),
    )
    chosen = Counter(bot.choose_batch(many).tolist())
    assert sorted(chosen) == legal.tolist()
    assert max(abs(count - 500) for count in chosen.values()) < 5 * 500**0.5


def test_sampling_follows_the_chances_and_the_temperature() -> None:
    logits = np.log(np.array([[0.5, 0.0, 0.3, 0.2, 0.0]]) / 0.5 + 1e-300)
    logits[0, [1, 4]] = -np.inf
    n = 40_000
    numbers = np.random.default_rng(0).random(n)
    for temperature in (0.5, 1.0, 2.0):
        wanted = np.array([0.5, 0, 0.3, 0.2, 0]) ** (1 / temperature)
        wanted /= wanted.sum()
        chosen = draw(np.repeat(logits, n, axis=0) / temperature, numbers)
        shares = np.bincount(chosen, minlength=5) / n
        assert abs(shares - wanted).max() < 5 * 0.5 / n**0.5
        assert shares[1] == shares[4] == 0


@pytest.mark.parametrize("number", [0.0, 0.5, np.nextafter(1.0, 0.0), 1.0])
def test_sampling_never_draws_what_is_illegal(number: float) -> None:
    random = np.random.default_rng(1)
    mask = random.random((2000, 60)) < 0.1
    mask[np.arange(2000), random.integers(60, size=2000)] = True
    logits = np.where(mask, random.normal(0, 40, mask.shape), -np.inf).astype(np.float32)
    chosen = draw(logits - logits.max(axis=1, keepdims=True), np.full(2000, number))
    assert mask[np.arange(2000), chosen].all()


def test_the_seed_decides_what_is_sampled(path: Path) -> None:
    request = request_after(70, size=256)
    bot, twin = (LearnedBot(path, sample=True, temperature=3.0) for _ in range(2))
    bot.reset(5)
    twin.reset(5)
    first = bot.choose_batch(request)
    assert np.array_equal(first, twin.choose_batch(request))
    assert not np.array_equal(first, bot.choose_batch(request))
    assert request.mask[np.arange(256), first].all()


@pytest.mark.parametrize("sample", [False, True])
def test_a_hundred_thousand_positions_and_not_one_illegal_action(path: Path, sample: bool) -> None:
    bot = LearnedBot(path, sample=sample)
    batch = Batch("classic", [(0, 2), (0, 1, 2), (0, 1, 2, 3), (1, 2)] * 256, 1024, seed=3)
    for _ in range(100):
        batch.random_steps(5)
        request = BatchRequest(batch.tables, batch.games, batch.observation, batch.mask)
        assert batch.mask[np.arange(1024), bot.choose_batch(request)].all()


def test_a_match_against_greedy(path: Path) -> None:
    bots = [f"learned:{path}", f"learned:{path}?sample=true", "greedy"]
    result = play_match(bots, games=30, seed=2)
    assert result.bots == tuple(bots) and sum(result.wins) == 30
    assert result.outcomes.tobytes() == play_match(bots, games=30, seed=2).outcomes.tobytes()
    with pytest.raises(ModelError, match="was trained for ruleset classic, not for quick"):
        play_match(bots, "quick", games=3)


def test_temperature_without_sampling_is_refused(path: Path) -> None:
    with pytest.raises(RequestError, match="temperature needs sample=true"):
        LearnedBot(path, temperature=0.5)


@pytest.mark.parametrize("other", ["quick", "classic?deck=infinite", "waddingtons", "teams"])
def test_another_ruleset_is_refused(path: Path, other: str) -> None:
    tables = compile_rules(other)
    bot = LearnedBot(path)
    message = "was trained for ruleset classic, not for "
    with pytest.raises(ModelError, match=message):
        bot.check(tables, (0, 2))
    with pytest.raises(ModelError, match=message):
        bot.choose_batch(request_after(5, other))
    with pytest.raises(ModelError, match=message):
        bot.choose(Game(other, seed=1).view(0))


def test_a_number_of_seats_it_was_not_trained_with_is_refused(tmp_path: Path) -> None:
    bot = LearnedBot(models.save(tmp_path, models.build(seat_counts=[2, 4])))
    tables = compile_rules("classic")
    bot.check(tables, (0, 1))
    bot.check(tables, (0, 1, 2, 3))
    with pytest.raises(ModelError, match="was trained with 2 or 4 seats, not with 3"):
        bot.check(tables, (0, 1, 2))
    with pytest.raises(ModelError, match="not with 3"):
        bot.choose_batch(request_after(5, "classic", 3))
    with pytest.raises(ModelError, match="not with 3"):
        bot.choose(Game("classic", 3, seed=1).view(0))


def test_another_action_table_or_observation_is_refused(tmp_path: Path) -> None:
    tables = compile_rules("classic")
    labels = list(tables.labels)
    labels[3], labels[4] = labels[4], labels[3]
    swapped = models.build(metadata={"actions": json.dumps(labels)})
    bot = LearnedBot(models.save(tmp_path, swapped))
    message = re.escape(f"its action 3 is {labels[3]!r} instead of {labels[4]!r}")
    with pytest.raises(ModelError, match=message):
        bot.check(tables, (0, 2))
    fields = json.loads(fitting_metadata(tables, [2])["observation"])
    fields[0]["low"] = 0
    bot = LearnedBot(
        models.save(tmp_path, models.build(metadata={"observation": json.dumps(fields)}))
    )
    with pytest.raises(ModelError, match="its observation field 0 is"):
        bot.choose_batch(request_after(5))


def test_without_onnxruntime_the_extra_is_named(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'sorry_env\[onnx\]'"):
        LearnedBot(path)


def test_a_learned_bot_needs_no_torch(path: Path) -> None:
    code = (
        "import sys\n"
        "from sorry_env.bots.registry import make_bot\n"
        "assert 'onnxruntime' not in sys.modules\n"
        "sys.modules['torch'] = sys.modules['onnx'] = None\n"
        "from sorry_env.game import Game\n"
        "game = Game(seed=1)\n"
        f"game.play(make_bot('learned:' + {str(path)!r}).choose(game.view(0)))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
