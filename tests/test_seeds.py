"""Seeds, at every door that takes one: from 0 to 2**64 - 1, of any integer type, else refused.

One door is one function of a seed. What it returns follows from the seed alone, so that the doors
are also asked whether they take the seed for what it is.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sorry_env
from sorry_env import cli
from sorry_env.arena.league import play_league
from sorry_env.arena.match import play_match
from sorry_env.bots.registry import make_bot
from sorry_env.engine.rng import MAX_SEED, check_seed, given_or_fresh_seed
from sorry_env.envs import env, parallel_env, raw_env
from sorry_env.envs.single import SingleEnv
from sorry_env.envs.vector import SorryVectorEnv
from sorry_env.errors import ConfigError, RecordError, RequestError, SorryError
from sorry_env.express import ExpressBatch, ExpressGame, express_v0
from sorry_env.express import notation as express_notation
from sorry_env.express.gym_env import ExpressSingleEnv
from sorry_env.notation import Recorder, read_records, write_record
from sorry_env.server.client import ProcessBot
from sorry_env.server.session import Session

Door = Callable[[Any], Any]

WAITING = "duel-1 0/-/3/- y move ? * - -"


def aec(make: Callable[..., Any]) -> Door:
    def door(seed: Any) -> Any:
        environment = make()
        environment.reset(seed=seed)
        environment = environment.unwrapped if hasattr(environment, "unwrapped") else environment
        game = environment.inside.game if hasattr(environment, "inside") else environment.game
        return game.state.tobytes()

    return door


def vector(seed: Any) -> bytes:
    many = SorryVectorEnv(1, "duel-1")
    many.reset(seed=[seed])
    return many._table.games.tobytes()


def session(seed: Any) -> Any:
    answer = Session("random", seed).answer({"id": 1, "type": "draw", "position": WAITING})
    return answer["position"]


def recorder(seed: Any) -> Any:
    game = sorry_env.Game("duel-1", seed=1)
    return Recorder(game, {"red": "a", "yellow": "b"}, seed=seed, name="g").record.header["seed"]


def dice(seed: Any) -> Any:
    bot: Any = make_bot("random")
    bot.reset(seed)
    return int(bot.secret)


def matched(seed: Any) -> bytes:
    return play_match(["random", "random"], "duel-1", 2, 4, seed).outcomes.tobytes()


def league(seed: Any) -> bytes:
    found = play_league(["random", "random"], "duel-1", 2, 4, seed, anchor=0)
    return found.matches[0].outcomes.tobytes()


DOORS: dict[str, Door] = {
    "check_seed": check_seed,
    "given_or_fresh_seed": given_or_fresh_seed,
    "Game": lambda seed: sorry_env.Game("duel-1", seed=seed).state.tobytes(),
    "Game.from_state": lambda seed: sorry_env.Game.from_state(
        (game := sorry_env.Game("duel-1", seed=1)).tables, game.state, seed=seed
    ).state.tobytes(),
    "ExpressGame": lambda seed: ExpressGame(seed=seed).state.tobytes(),
    "ExpressGame.from_state": lambda seed: ExpressGame.from_state(
        (game := ExpressGame(seed=1)).tables, game.state, seed=seed
    ).state.tobytes(),
    "Batch": lambda seed: sorry_env.Batch("duel-1", size=2, seed=seed).games.tobytes(),
    "ExpressBatch": lambda seed: ExpressBatch(size=2, seed=seed).games.tobytes(),
    "read_position": lambda seed: sorry_env.read_position(WAITING, seed=seed).state.tobytes(),
    "express read": lambda seed: express_notation.read(
        express_notation.write(ExpressGame(seed=3)), seed=seed
    ).state.tobytes(),
    "raw_env": aec(lambda: raw_env("duel-1")),
    "env": aec(lambda: env("duel-1")),
    "parallel_env": aec(lambda: parallel_env("duel-1")),
    "rounds": aec(lambda: raw_env("points", target_score=100)),
    "express raw_env": aec(express_v0.raw_env),
    "SingleEnv": aec(lambda: SingleEnv("duel-1")),
    "ExpressSingleEnv": aec(ExpressSingleEnv),
    "SorryVectorEnv": vector,
    "Session": session,
    "Recorder": recorder,
    "Bot.reset": dice,
    "play_match": matched,
    "play_league": league,
}
DOOR = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)

BAD: tuple[Any, ...] = (
    -1, 2**64, 10**5000, 1.5, 3.0, np.float64(3), "a", "7", b"7", True, np.True_, [1], (1,),
    np.array([1]), np.int64(-1), {}, object(),
)  # fmt: skip


@DOOR
def test_every_integer_type_is_the_same_seed(door: Door) -> None:
    usual = door(3)
    for kind in (np.int64, np.int32, np.uint8, np.uint64, np.array):
        assert door(kind(3)) == usual, kind
    assert door(4) != usual


@DOOR
def test_the_largest_seed_is_one_and_no_other_game(door: Door) -> None:
    last = door(MAX_SEED)
    assert last == door(np.uint64(MAX_SEED))
    assert last != door(0) and last != door(MAX_SEED >> 1)


@DOOR
def test_what_is_no_seed_is_refused_in_words(door: Door) -> None:
    for seed in BAD:
        with pytest.raises(RequestError, match=r"seed.*must be an integer from 0 to 2\*\*64 - 1"):
            door(seed)


def test_a_program_is_given_a_checked_seed() -> None:
    bot = ProcessBot.__new__(ProcessBot)
    bot._seed, bot.command = 0, ("program",)
    bot.reset(MAX_SEED)
    for seed in BAD:
        with pytest.raises(RequestError):
            bot.reset(seed)
    assert bot._seed == MAX_SEED


def test_a_batch_of_rows_takes_the_seeds_that_single_environments_take() -> None:
    many = SorryVectorEnv(2, "duel-1", learner="rotating")
    for base in (0, (1 << 63) - 1, MAX_SEED - 1):
        _, infos = many.reset(seed=base)
        assert infos["seed"].tolist() == [base, base + 1]
        assert infos["seed"].dtype == np.uint64
        for row, one in enumerate((base, base + 1)):
            single = SingleEnv("duel-1", learner="rotating")
            _, info = single.reset(seed=one)
            assert info["seed"] == one and info["seat"] == infos["seat"][row]
            assert single.game.state.tobytes() == many._table.games[row].tobytes()
    with pytest.raises(RequestError, match="last row"):
        many.reset(seed=MAX_SEED)


@pytest.mark.parametrize("command", ["arena", "record", "play", "show", "perft", "bot", "serve"])
@pytest.mark.parametrize("seed", ["-1", str(2**64), "9" * 5000, "x", "1.0", "²", ""])
def test_the_command_line_says_what_a_seed_is(
    command: str, seed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        cli.main([command, f"--seed={seed}"])
    assert caught.value.code == 2
    error = capsys.readouterr().err
    assert "must be a whole number from 0 to 2**64 - 1" in error and len(error) < 3000


def test_records_of_the_last_seed_and_no_further(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["record", "--ruleset", "duel-1", "--seed", str(MAX_SEED), "--max-plies", "3"]
    assert cli.main(arguments) == 0
    (record,) = read_records(io.StringIO(capsys.readouterr().out))
    assert record.header["seed"] == MAX_SEED
    assert cli.main([*arguments, "--games", "2"]) == 2
    captured = capsys.readouterr()
    assert "the seed of the last game" in captured.err and not captured.out


@pytest.mark.parametrize("seed", [-1, 2**64, "7", 1.5, True, None])
def test_a_record_with_another_seed_is_refused(seed: Any) -> None:
    game = sorry_env.Game("duel-1", seed=1)
    writer = Recorder(game, {"red": "a", "yellow": "b"}, seed=1, name="g")
    writer.record.header["seed"] = seed
    text = io.StringIO()
    write_record(writer.finish("truncated"), text)
    with pytest.raises(RecordError, match="seed"):
        list(read_records(io.StringIO(text.getvalue())))


def test_the_trainer_takes_the_same_seeds() -> None:
    config = pytest.importorskip("sorry_training.config")
    assert config.load_config(None, [f"seed={MAX_SEED}"]).seed == MAX_SEED
    for text in ("-1", str(2**64), "1.5", "x"):
        with pytest.raises(ConfigError, match="seed"):
            config.load_config(None, [f"seed={text}"])


def test_games_of_the_server_take_the_same_seeds(tmp_path: Path) -> None:
    setup = pytest.importorskip("sorry_env.web.setup")
    from sorry_env.web.roster import Roster

    roster = Roster()
    row = {"ruleset": "duel-1", "seats": 2}
    assert setup.read_setup(row | {"seed": MAX_SEED}, roster).seed == MAX_SEED
    for seed in (-1, 2**64, 1.5, "7", True, 10**5000):
        with pytest.raises(SorryError, match="seed"):
            setup.read_setup(row | {"seed": seed}, roster)
