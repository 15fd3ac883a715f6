"""The tests. Folders mirror ``sorry_env``; a few more hold what belongs to no one module.

``reference/`` is a second, slow game written from the rules alone; ``contract/`` compares the
engine with it. ``property/`` has what must hold on random play, ``golden/`` whole games in text.
"""
