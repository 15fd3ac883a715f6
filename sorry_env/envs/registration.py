"""The environment's id in PettingZoo's registry, where PettingZoo has one (from 1.27 on).

`import sorry_env.envs` registers it: PettingZoo has no way to name a module to import, and
`import sorry_env` alone must not load PettingZoo. After it,

    pettingzoo.make("aec", "sorry_env/sorry-v0", ruleset="classic", seats=4)

is `sorry_env.env(ruleset="classic", seats=4)`, and with "parallel" it is `parallel_env`. Before
1.27 there are only the latter. Gymnasium's ids are in `../gym_ids.py`. Read `sorry_v0.py` before
this file.
"""

from __future__ import annotations

import pettingzoo

#: Rises whenever the same seed and actions would give another result.
ENV_VERSION = 0
#: Name in an environment's metadata, as PettingZoo writes it.
ENV_NAME = f"sorry_v{ENV_VERSION}"
#: Id in PettingZoo's registry.
ENV_ID = f"sorry_env/sorry-v{ENV_VERSION}"
#: All ids, each with the module of its environments: by name, so that the registry holds no
#: reference to what has been imported.
MODULES = {
    ENV_ID: "sorry_env.envs.sorry_v0",
    "sorry_env/express-v0": "sorry_env.express.express_v0",
}


def register() -> bool:
    """Register the ids unless that has been done; False where PettingZoo has no registry."""
    if not hasattr(pettingzoo, "register"):
        return False
    for env_id, module in MODULES.items():
        if env_id not in pettingzoo.aec_registry:
            pettingzoo.register("aec", env_id, f"{module}:env")
        if env_id not in pettingzoo.parallel_registry:
            pettingzoo.register("parallel", env_id, f"{module}:parallel_env")
    return True
