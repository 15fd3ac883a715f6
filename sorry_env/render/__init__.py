"""Pictures of a game: pure functions of a view, for the terminal, for pages and for arrays.

Read `layout.py` and `leaf.py` first (where everything lies), then `scene.py` (what is drawn there);
`svg.py`, `rgb.py` and `ansi.py` are the three painters. A picture depends on its arguments alone,
and numpy and Pillow are imported by `rgb` when it is called.
"""

from sorry_env.render.ansi import ansi
from sorry_env.render.layout import Layout, board_layout
from sorry_env.render.leaf import Leaf, picture_layout
from sorry_env.render.rgb import rgb
from sorry_env.render.snapshot import Snapshot
from sorry_env.render.svg import svg

__all__ = ["Layout", "Leaf", "Snapshot", "ansi", "board_layout", "picture_layout", "rgb", "svg"]
