"""Exact solutions of rulesets that are small enough: values, optimal moves, exact evaluation.

`solve` finds the value of every position, `evaluate` says exactly how good a policy is, and the bot
`optimal` plays a solution. Begin with `space.py`.
"""

from sorry_env.solve.evaluation import Evaluation, evaluate
from sorry_env.solve.files import load_solution, save_solution
from sorry_env.solve.solution import Solution, solve

__all__ = ["Evaluation", "Solution", "evaluate", "load_solution", "save_solution", "solve"]
