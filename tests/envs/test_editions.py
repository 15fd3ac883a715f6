"""What the editions add: who acts when, scores as rewards, and what must not be seen.

Read `test_rewards.py` before and `test_rounds.py` after this file.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sorry_env.engine.observe import decode
from sorry_env.envs import raw_env
from tests.envs.support import MAKERS, Maker, choose, play_random

MAKER = pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: str(maker.__name__))
MORE = [
    ("not-sorry?answers=player", 2),
    ("not-sorry?answers=player", 4),
    ("points?teams=four", 4),
    ("classic?hand=7&pawns=2", 3),
    ("fire-and-ice?play_out=true", 3),
]


def at_position(position: str, seats: int, **settings: Any) -> Any:
    environment = raw_env(position.split(" ")[0], seats, **settings)
    environment.reset(seed=0, options={"position": position})
    return environment


def play(environment: Any, text: str) -> None:
    from sorry_env.notation import parse_move

    environment.step(parse_move(environment.game, text).action)


# -- who acts -----------------------------------------------------------------------------------


def test_the_one_asked_answers_and_replies_in_between() -> None:
    position = (
        "not-sorry?answers=player 20,rS,rS,rS/bS,bS,bS,bS/40,yS,yS,yS/- r ask Q "
        "5.4.4.4.4.4.4.4.4.4.4.7 - -"
    )
    environment = at_position(position, 3)
    turns = []
    for move in ("ask:yellow", "answer:yes", "Q:20-26", "Q:40-46"):
        turns.append((environment.agent_selection, environment.game.phase))
        assert environment.infos[environment.agent_selection]["action_mask"].any()
        others = [a for a in environment.agents if a != environment.agent_selection]
        assert not any(environment.infos[agent]["action_mask"].any() for agent in others)
        play(environment, move)
    assert turns == [
        ("player_0", "ask"), ("player_2", "answer"), ("player_0", "move"), ("player_2", "reply"),
    ]  # fmt: skip
    assert environment.agent_selection == "player_1", "then Blue, clockwise of Red, is in turn"


def test_the_coin_answers_before_anybody_acts_again() -> None:
    position = "not-sorry 20,rS,rS,rS/-/40,yS,yS,yS/- r ask Q 5.4.4.4.4.4.4.4.4.4.4.7 - -"
    environment = at_position(position, 2)
    play(environment, "ask:yellow")
    assert environment.agent_selection == "player_0"
    seen = decode(environment.tables.layout, environment.observe("player_0")["observation"])
    assert seen["steps"][0] in (3, 6) and seen["asked"][0] == 3
    assert environment.game.plies == 1


@pytest.mark.parametrize("case", MORE, ids=str)
def test_agent_selection_follows_the_actor_to_the_end(case: tuple[str, int]) -> None:
    environment = raw_env(*case)
    rng = np.random.default_rng(2)
    apart = 0
    for seed in range(3):
        environment.reset(seed=seed)
        while not environment.game.over:
            game = environment.game
            agent = environment.agent_selection
            assert environment.infos[agent]["seat"] == game.actor
            apart += game.actor != game.turn
            assert np.array_equal(environment.infos[agent]["action_mask"], game.mask())
            assert environment.observation_space(agent).contains(environment.observe(agent))
            environment.step(choose(environment.infos[agent]["action_mask"], rng))
        assert all(environment.terminations.values())
    assert (apart > 0) == ("answers=player" in case[0])


# -- hands --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "seats"), [("points", 3), ("points?teams=four", 4)])
def test_every_agent_sees_its_own_hand_and_no_other(ruleset: str, seats: int) -> None:
    environment = raw_env(ruleset, seats)
    rng = np.random.default_rng(1)
    environment.reset(seed=1)
    layout = environment.tables.layout
    cards = len(environment.tables.ruleset.cards)
    for _ in range(60):
        game = environment.game
        if game.over:
            break
        hands = game.state["hands"][0]
        for agent in environment.agents:
            seat = environment.infos[agent]["seat"]
            seen = decode(layout, environment.observe(agent)["observation"])
            held = np.bincount(hands[seat][hands[seat] >= 0], minlength=cards)
            assert seen["hand"].tolist() == held.tolist()
            others = np.delete(hands, seat, axis=0)
            unseen = game.state["deck"][0, :cards] + np.bincount(
                others[others >= 0], minlength=cards
            )
            assert seen["unseen"].tolist() == unseen.tolist()
            assert set(environment.infos[agent]) == {"action_mask", "seat", "colour"}
        everybody = decode(layout, environment.state())
        assert not everybody["hand"].any(), "what all know holds nobody's hand"
        assert environment.state_space.contains(environment.state())
        environment.step(choose(environment.infos[environment.agent_selection]["action_mask"], rng))


# -- scores -------------------------------------------------------------------------------------

_HANDS = "1.1.1.1.2/-/3.3.3.3.5/-"
_FULL = "1.3.0.4.3.4.4.4.4.4.4"
#: By hand: Red's last pawn goes Home with a 1; what Red and Yellow then score.
SCORED = {
    # 4 x 5, 3 opponents' pawns not Home x 5, and 50 for one Home at most; Yellow 5.
    f"points rH,rH,rH,r5/-/yH,yS,yS,yS/- r move - {_FULL} {_HANDS} -": (85.0, 5.0),
    f"points rH,rH,rH,r5/-/yS,yS,yS,yS/- r move - {_FULL} {_HANDS} -": (140.0, 0.0),
    f"points rH,rH,rH,r5/-/yH,yH,yH,yS/- r move - {_FULL} {_HANDS} -": (25.0, 15.0),
    # 4, 2 opponents' pawns that are Home, and 8; Yellow 2.
    f"points-1939 rH,rH,rH,r5/-/yH,yH,yS,yS/- r move - {_FULL} {_HANDS} -": (14.0, 2.0),
}


@pytest.mark.parametrize("position", SCORED)
def test_scores_are_the_rewards(position: str) -> None:
    environment = at_position(position, 2, reward="points")
    play(environment, "1:r5-rH")
    assert tuple(environment.rewards.values()) == SCORED[position]
    assert environment.infos["player_1"]["winners"] == ("red",)
    environment = at_position(position, 2)
    play(environment, "1:r5-rH")
    assert tuple(environment.rewards.values()) == (1.0, -1.0)


def test_partners_score_as_a_team() -> None:
    position = (
        "points?teams=four rH,rH,rH,r5/bH,bS,bS,bS/yH,yH,yH,yH/gS,gS,gS,gS r move - "
        "1.3.0.4.2.0.0.3.4.4.4 1.1.1.1.2/3.3.3.3.5/5.7.7.7.7/8.8.8.8.10 -"
    )
    environment = at_position(position, 4, reward="points")
    play(environment, "1:r5-rH")
    # By hand: 8 x 5 for the team, 7 x 5 for opponents' pawns not Home, 50; Blue's team 5.
    assert tuple(environment.rewards.values()) == (125.0, 5.0, 125.0, 5.0)


@MAKER
@pytest.mark.parametrize("mode", ["terminate", "forfeit"])
def test_an_illegal_action_costs_the_scores(maker: Maker, mode: str) -> None:
    position = f"points rH,rH,r5,rS/-/yH,yS,yS,yS/- r move - {_FULL} {_HANDS} -"
    environment = maker("points", 2, reward="points", illegal=mode)
    environment.reset(seed=0, options={"position": position})
    environment.step(int(np.flatnonzero(~environment.unwrapped.game.mask())[-1]))
    totals = play_random(environment, np.random.default_rng(0))
    assert totals == {"player_0": -1.0, "player_1": 5.0 if mode == "forfeit" else 0.0}


def test_scores_need_a_ruleset_that_has_them() -> None:
    with pytest.raises(ValueError, match="needs a ruleset with scores"):
        raw_env("classic?hand=5", reward="points")
