"""Training bots for sorry_env: self-play PPO, evaluation and export to one ``.onnx`` file.

Read ``config.py`` (the settings), then ``ppo.py`` (the algorithm, top to bottom).  Nothing in
``sorry_env`` imports this package, and playing an exported bot needs neither it nor torch.
"""
