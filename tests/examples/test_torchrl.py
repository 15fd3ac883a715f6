"""TorchRL: its wrapper over whole games, and the example that learns with it.

Needs `pip install 'sorry_env[torchrl]'`; `make interop` runs it.
"""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.interop


#: A game of four at random takes 393 decisions on average: two of them end well before.
STEPS = 2000


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_steps_over_several_games(seats: int) -> None:
    import torch

    from docs.examples.torchrl_ppo import GROUP, make_env

    torch.manual_seed(seats)  # the wrapper samples by torch's own random state
    env = make_env("classic", seats, seed=seats)
    # The wrapper samples by the mask; an illegal action would raise MoveError.
    data = env.rollout(STEPS, break_when_any_done=False)
    assert data.batch_size == (STEPS,)
    assert (data[GROUP, "mask"].sum(dim=1) == 1).all()  # one seat acts
    acting = data[GROUP, "action_mask"][data[GROUP, "mask"]]
    chosen = data[GROUP, "action"][data[GROUP, "mask"]]
    assert acting.gather(1, chosen[:, None]).all()
    done = data["next", "done"].squeeze(1)
    assert done.sum() >= 2
    assert (data["next", GROUP, "done"][done]).all()  # everybody ends in the same step
    rewards = data["next", GROUP, "reward"].squeeze(-1)
    assert (rewards[~done] == 0).all()
    winner_first = rewards[done].sort(dim=1, descending=True).values
    share = torch.full((seats - 1,), -1 / (seats - 1))
    assert torch.allclose(winner_first, torch.cat((torch.ones(1), share)).expand_as(winner_first))


def test_the_wrapper_takes_no_words_in_infos() -> None:
    # Why the example asks for `infos="mask"`; should this change, it need not.
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper

    import sorry_env

    with pytest.raises(TypeError, match="str"):
        PettingZooWrapper(env=sorry_env.env("classic"), use_mask=True)


def test_the_example_learns() -> None:
    from docs.examples import torchrl_ppo

    before, after = torchrl_ppo.main(["--updates", "6"])
    assert after.interval()[0] > before.interval()[1]
