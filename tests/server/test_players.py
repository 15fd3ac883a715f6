"""Who plays behind the protocol: learned and optimal bots, what they think, bots that fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest

from sorry_env.bots.base import Bot
from sorry_env.engine.determinize import determinize
from sorry_env.errors import ModelError, RequestError
from sorry_env.families import family_of
from sorry_env.notation import read, read_view
from sorry_env.server.session import Session
from tests.bots import models
from tests.server.support import ask, code

ONE = "classic rS,rS,rS,rS/-/yS,yS,yS,yS/- r move 1 4.4.4.4.4.4.4.4.4.4.4 - -"
DICE = "express r:2.1.0.0/b:1.3.2.0 1.0.2.4 0 3=b -"
SEEN = "points 4,rS,rS,rS/-/34,yS,yS,yS/- r move - 5.2.4.4.4.3.2.4.4.4.4 2.2.7.8.8/-/?/- -"


@pytest.fixture
def learned(tmp_path: Path) -> tuple[str, bytes]:
    data = models.build(seat_counts=(2, 3))
    return f"learned:{models.save(tmp_path, data)}", data


def test_a_learned_bot_tells_its_chances_and_values(learned: tuple[str, bytes]) -> None:
    name, data = learned
    session = Session(name, seed=1)
    assert ask(session, "hello")["rulesets"] == ["classic"]
    two = "classic 31,30,12,rS/-/20,8,40,yS/- r move 11 5.4.4.4.4.4.4.4.3.4.4 - -"
    three = two.replace("/-/", "/bS,bS,bS,bS/")
    for position, sides in ((two, 2), (three, 3)):
        view = read(position).view(0)
        logits, value = models.forward(data, view.observation()[None], view.mask()[None])
        answer = ask(session, "move", position=position)
        # The winner gets 1, the others share -1: v = p - (1 - p) / (sides - 1), solved for p.
        wanted = max(0.0, (1 + (sides - 1) * value[0]) / sides)
        assert answer["value"] == pytest.approx(wanted, abs=1e-5)
        weights = np.exp(logits[0].astype(float)) * view.mask()
        texts = {family_of(position).move_text(m): m.action for m in view.legal_moves()}
        assert len(answer["candidates"]) == len(texts) > 5
        for row in answer["candidates"]:
            assert row["p"] == pytest.approx(weights[texts[row["move"]]] / weights.sum(), abs=1e-5)
        assert answer["candidates"][0]["move"] == answer["move"]


def test_a_learned_bot_refuses_what_it_was_not_trained_for(learned: tuple[str, bytes]) -> None:
    session = Session(learned[0], seed=1)
    four = (
        "classic rS,rS,rS,rS/bS,bS,bS,bS/yS,yS,yS,yS/gS,gS,gS,gS r move 1 4.4.4.4.4.4.4.4.4.4.4 - -"
    )
    for position in (four, ONE.replace("classic", "quick"), SEEN, DICE):
        assert code(session, "move", position=position) in ("unsupported_ruleset", "bad_position")
    assert code(session, "move", position=four) == "unsupported_ruleset"
    assert code(session, "move", position=DICE) == "unsupported_ruleset"
    assert ask(session, "legal", position=DICE)["moves"] == ["3:none"]  # this needs no bot


def test_values_become_chances(tmp_path: Path) -> None:
    # Values of 0.8 and -0.5: with two seats 9 wins in 10 and 1 in 4, with three 13 in 15 and none.
    for value, chances in ((0.8, (0.9, 13 / 15)), (-0.5, (0.25, 0.0)), (-0.9, (0.05, 0.0))):
        name = f"learned:{models.save(tmp_path, models.build(change=_always(value)))}"
        for position, chance in zip(
            (ONE, ONE.replace("/-/", "/bS,bS,bS,bS/")), chances, strict=True
        ):
            assert ask(Session(name), "move", position=position)["value"] == round(chance, 6)


def _always(value: float) -> models.Change:
    """Lets a policy say this value of every position."""

    def change(model: Any) -> None:
        squeeze, tanh = model.graph.node[-2], model.graph.node[-1]
        tanh.op_type = "Clip"
        tanh.input[:] = [squeeze.output[0], "least", "most"]
        for name, bound in (("least", value), ("most", value)):
            model.graph.initializer.append(
                onnx.numpy_helper.from_array(np.array(bound, np.float32), name)
            )

    return change


def test_values_of_other_rewards_are_not_taken_for_chances(tmp_path: Path) -> None:
    data = models.build(metadata={"training": '{"config": {"reward": "points"}}'})
    session = Session(f"learned:{models.save(tmp_path, data)}", seed=1)
    assert "value" not in ask(session, "move", position=ONE)


def test_a_policy_of_the_dice_game_plays_it(tmp_path: Path) -> None:
    session = Session(f"learned:{models.save(tmp_path, models.build('express'))}", seed=1)
    assert ask(session, "hello")["rulesets"] == ["express"]
    assert ask(session, "move", position=DICE)["move"] == "3:none"
    assert code(session, "move", position=ONE) == "unsupported_ruleset"


def test_the_optimal_bot_knows_what_every_move_is_worth() -> None:
    # Red's pawn is a step from Home, Yellow's far: the 1 wins at once.
    session = Session("optimal", seed=1)
    answer = ask(session, "move", position="duel-1 r5/-/yS/- r move 1 * - -")
    assert answer["move"] == "1:r5-rH"
    assert answer["candidates"] == [{"move": "1:r5-rH", "p": 1.0, "value": 1.0}]
    assert answer["value"] == 1.0
    assert code(session, "move", position=ONE) == "unsupported_ruleset"


def test_bots_that_cannot_be_made_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="unknown bot"):
        Session("greedier")
    with pytest.raises(ModelError, match="cannot be read"):
        Session(f"learned:{tmp_path / 'none.onnx'}")


@pytest.mark.parametrize("failure", [ZeroDivisionError("secret"), RequestError("no mood")])
def test_a_bot_that_fails_ends_nothing(failure: Exception, caplog: Any) -> None:
    class Broken(Bot):
        def choose(self, view: Any) -> int:
            raise failure

    session = Session(Broken())
    answer = ask(session, "move", position=ONE)
    assert answer["code"] == "bad_request" and "Traceback" not in answer["message"]
    assert ask(session, "legal", position=ONE)["moves"] == ["1:rS-4"]
    assert len(caplog.records) == isinstance(failure, ZeroDivisionError)


def test_the_view_that_a_bot_is_shown_has_no_hidden_card() -> None:
    seen: list[Any] = []

    class Looks(Bot):
        def choose(self, view: Any) -> int:
            seen.append(view)
            return int(view.legal_actions()[0])

    whole = read_view(SEEN)
    worlds = determinize(whole.tables, whole.state, 0, np.random.default_rng(1))
    line = family_of(SEEN).write(type(read(ONE)).from_state(whole.tables, worlds))
    assert "?" not in line
    ask(Session(Looks()), "move", position=line)
    assert seen[0].hands == (("2", "2", "7", "8", "8"), (), None, ())
    assert seen[0].state["rng"] == 0
