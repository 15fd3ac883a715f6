"""The engine: kernels on arrays of games. Read `jit.py` and `state.py` first."""
