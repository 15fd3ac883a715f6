"""Environments for reinforcement learning. Importing it registers PettingZoo's ids.

    from sorry_env.envs import env

    sorry = env("classic", seats="red,yellow")
    sorry.reset(seed=7)
    for agent in sorry.agent_iter():
        observation, reward, terminated, truncated, info = sorry.last()
        done = terminated or truncated
        sorry.step(None if done else sorry.action_space(agent).sample(info["action_mask"]))

`env` wraps `raw_env` in PettingZoo's checks; `raw_env` is the quick one; `parallel_env` has the
parallel interface. `single.SingleEnv` and `vector.SorryVectorEnv` are Gymnasium's, found by the ids
of `../gym_ids.py`. Begin with `sorry_v0.py`.
"""

from sorry_env.envs.aec import SorryEnv
from sorry_env.envs.registration import ENV_ID, ENV_VERSION, register
from sorry_env.envs.sorry_v0 import env, parallel_env, raw_env

register()

__all__ = ["ENV_ID", "ENV_VERSION", "SorryEnv", "env", "parallel_env", "raw_env", "register"]
