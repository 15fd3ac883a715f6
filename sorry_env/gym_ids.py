"""The environments' ids in Gymnasium's registry, put there as soon as Gymnasium is imported.

`import sorry_env` is to be quick, so it does not import Gymnasium, which would take most of its
time; but after it, whichever of the two was imported first,

    gymnasium.make("sorry_env/Sorry-v0")
    gymnasium.make_vec("sorry_env/Sorry-v0", 1024)

work, and `gymnasium.make("sorry_env:Sorry-v0")` without any import (that form looks for an id
without a namespace). Imports nothing of sorry_env: environments are named, and loaded when they are
made. Read `envs/single.py` next.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

#: Name of each id, with where its environment and its vector environment are; their versions rise
#: whenever the same seed and actions would give another result.
ENTRY_POINTS: Final[dict[str, dict[str, str]]] = {
    "Sorry-v0": {
        "entry_point": "sorry_env.envs.single:SingleEnv",
        "vector_entry_point": "sorry_env.envs.vector:SorryVectorEnv",
    },
    "SorryExpress-v0": {"entry_point": "sorry_env.express.gym_env:ExpressSingleEnv"},
}
NAMESPACE: Final = "sorry_env"


def register() -> None:
    """Register the ids, with and without the namespace, unless that has been done."""
    import gymnasium

    for name, points in ENTRY_POINTS.items():
        for env_id in (name, f"{NAMESPACE}/{name}"):
            if env_id not in gymnasium.registry:
                gymnasium.register(env_id, **points)  # type: ignore[arg-type]


def register_when_imported() -> None:
    """Register the ids now, or else as soon as somebody imports Gymnasium."""
    if "gymnasium" in sys.modules:
        register()
    elif not any(isinstance(finder, _Watcher) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watcher())


class _Watcher(MetaPathFinder):
    """Waits for the import of Gymnasium, has the ids registered at its end, and is gone."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is None or spec.loader is None:
            return None
        loader: Any = spec.loader

        def exec_module(module: ModuleType) -> None:
            del loader.exec_module  # the loader's own again
            loader.exec_module(module)
            register()

        loader.exec_module = exec_module
        return spec
