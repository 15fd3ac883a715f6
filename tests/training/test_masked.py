"""The masked categorical: never NaN, nothing on illegal actions, sampled as it says."""

from __future__ import annotations

import numpy as np
import torch
from sorry_training.kernels import decide
from sorry_training.masked import (
    best_actions,
    entropy,
    log_probabilities,
    mask_logits,
    sample_actions,
)

ROWS, ACTIONS = 1_000_000, 12


def hostile_rows(rows: int, actions: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Logits of up to +-80 and masks, a fifth of them with one legal action."""
    random = np.random.default_rng(seed)
    logits = random.uniform(-80, 80, (rows, actions)).astype(np.float32)
    some = random.random(rows) < 0.3
    logits[some] = random.choice([-80.0, 0.0, 80.0], (int(some.sum()), actions))
    mask = random.random((rows, actions)) < random.random((rows, 1))
    mask[random.random(rows) < 0.2] = False
    mask[np.arange(rows), random.integers(actions, size=rows)] = True
    return logits, mask


def test_a_million_hostile_rows() -> None:
    logits, mask = (torch.from_numpy(part) for part in hostile_rows(ROWS, ACTIONS, 1))
    log_probs = log_probabilities(logits, mask)
    assert torch.isfinite(log_probs[mask]).all()
    assert (log_probs[mask] <= 0).all()
    assert (log_probs.exp()[~mask] == 0).all()
    assert torch.allclose(log_probs.exp().sum(dim=1), torch.ones(ROWS), atol=1e-5)
    entropies = entropy(log_probs)
    assert torch.isfinite(entropies).all()
    assert (entropies >= 0).all()
    single = mask.sum(dim=1) == 1
    assert single.sum() > ROWS // 10
    assert (log_probs[single][mask[single]] == 0).all()
    assert (entropies[single] == 0).all()


def test_a_million_hostile_rows_through_the_kernel() -> None:
    logits, mask = hostile_rows(ROWS, ACTIONS, 2)
    random = np.random.default_rng(3)
    actions, log_probs = sample_actions(logits, mask, random.random(ROWS))
    assert mask[np.arange(ROWS), actions].all()
    assert np.isfinite(log_probs).all() and (log_probs <= 0).all()
    # The head that has these logits: as features the logits, as weights the unit matrix.
    taken, entropies = decide(
        torch.from_numpy(logits), torch.eye(ACTIONS), torch.zeros(ACTIONS),
        torch.from_numpy(mask), torch.from_numpy(actions),
    )  # fmt: skip
    assert torch.isfinite(taken).all() and (taken <= 0).all()
    assert torch.isfinite(entropies).all() and (entropies >= 0).all()
    expected = log_probabilities(torch.from_numpy(logits), torch.from_numpy(mask))
    picked = expected.gather(1, torch.from_numpy(actions).long().unsqueeze(1)).squeeze(1)
    assert torch.allclose(taken, picked, atol=1e-4)
    assert np.allclose(log_probs, picked.numpy(), atol=1e-4)
    assert torch.allclose(entropies, entropy(expected), atol=1e-4)


def test_gradients_are_finite_and_none_reaches_an_illegal_action() -> None:
    logits, mask = (torch.from_numpy(part) for part in hostile_rows(10_000, ACTIONS, 4))
    logits.requires_grad_()
    log_probs = log_probabilities(logits, mask)
    legal = mask.float().multinomial(1, generator=torch.Generator().manual_seed(5))
    total = entropy(log_probs).sum() + log_probs.gather(1, legal).sum()
    (gradient,) = torch.autograd.grad(total, [logits])
    assert torch.isfinite(gradient).all()
    assert (gradient[~mask] == 0).all()


def test_closed_forms() -> None:
    logits = torch.tensor([[0.0, 0.0, 5.0], [1.0, 1.0 + np.log(3.0), -9.0]])
    mask = torch.tensor([[True, True, False], [True, True, False]])
    probabilities = log_probabilities(logits, mask).exp()
    assert torch.allclose(probabilities, torch.tensor([[0.5, 0.5, 0.0], [0.25, 0.75, 0.0]]))
    expected = [np.log(2.0), -(0.25 * np.log(0.25) + 0.75 * np.log(0.75))]
    assert torch.allclose(entropy(probabilities.log().nan_to_num(neginf=-1e9)),
                          torch.tensor(expected, dtype=torch.float32))  # fmt: skip
    assert (mask_logits(logits, mask)[:, 2] == -1e9).all()


def test_samples_follow_the_distribution() -> None:
    rows = 200_000
    logits = np.tile(np.array([0.0, 1.0, 2.0, 9.0], np.float32), (rows, 1))
    mask = np.tile(np.array([True, True, True, False]), (rows, 1))
    actions, log_probs = sample_actions(logits, mask, np.random.default_rng(6).random(rows))
    weights = np.exp([0.0, 1.0, 2.0])
    expected = weights / weights.sum()
    shares = np.bincount(actions, minlength=4) / rows
    assert shares[3] == 0
    assert np.allclose(shares[:3], expected, atol=0.005)  # four standard errors
    assert np.allclose(log_probs, np.log(expected)[actions], atol=1e-6)


def test_the_edges_of_the_uniform_number() -> None:
    logits = np.zeros((2, 5), np.float32)
    mask = np.array([[False, True, True, True, False]] * 2)
    actions, _ = sample_actions(logits, mask, np.array([0.0, np.nextafter(1.0, 0.0)]))
    assert actions.tolist() == [1, 3]


def test_the_best_legal_action() -> None:
    logits = np.array([[9.0, -80.0, -79.0], [1.0, 2.0, 2.0]], np.float32)
    mask = np.array([[False, True, True], [True, True, True]])
    assert best_actions(logits, mask).tolist() == [2, 1]


def test_an_action_without_probability_is_never_drawn() -> None:
    """exp(-2000) is 0: neither the smallest nor the greatest number leads to such an action."""
    logits = np.array([[-2000.0, 1.0, -2000.0, 1.0, -2000.0]], np.float32)
    for number, action in ((0.0, 1), (0.25, 1), (0.5, 3), (np.nextafter(1.0, 0.0), 3)):
        chosen, log_probs = sample_actions(logits, np.ones((1, 5), np.bool_), np.array([number]))
        assert chosen.tolist() == [action]
        assert log_probs[0] == np.float32(np.log(0.5))
