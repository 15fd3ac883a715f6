"""The kinds of fault that are planted: a selection of cosmic-ray's operators and three of our own.

cosmic-ray replaces every arithmetic operator by every other one. Here each is replaced by one or
two that a tired programmer might have typed, so that a small sample covers many places. cosmic-ray
deletes no statements; forgotten resets and copies are common faults, so we add them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from cosmic_ray.operators.operator import Operator
from cosmic_ray.plugins import get_operator
from parso.python.tree import Name

#: A place in a file: ((first line, column), (last line, column)).
Span = tuple[tuple[int, int], tuple[int, int]]

_CHOSEN = (
    *(
        f"ReplaceBinaryOperator_{change}"
        for change in (
            "Add_Sub",
            "Sub_Add",
            "Mul_Div",
            "Mul_Add",
            "Div_Mul",
            "FloorDiv_Mul",
            "Mod_FloorDiv",
            "Pow_Mul",
            "RShift_LShift",
            "LShift_RShift",
            "BitOr_BitAnd",
            "BitAnd_BitOr",
            "BitXor_BitAnd",
        )
    ),
    *(
        f"ReplaceComparisonOperator_{change}"
        for change in (
            "Eq_NotEq",
            "NotEq_Eq",
            "Lt_LtE",
            "LtE_Lt",
            "Gt_GtE",
            "GtE_Gt",
            "Is_IsNot",
            "IsNot_Is",
        )
    ),
    "ReplaceUnaryOperator_USub_UAdd",
    "ReplaceUnaryOperator_Delete_Invert",
    "ReplaceUnaryOperator_Delete_Not",
    "AddNot",
    "ReplaceTrueWithFalse",
    "ReplaceFalseWithTrue",
    "ReplaceAndWithOr",
    "ReplaceOrWithAnd",
    "ReplaceBreakWithContinue",
    "ReplaceContinueWithBreak",
    "ExceptionReplacer",
    "NumberReplacer",
    "RemoveDecorator",
    "ZeroIterationForLoop",
)


class DeleteStatement(Operator):  # type: ignore[misc]
    """Replace a statement by `pass`.

    Only statements whose absence does not end in a NameError at once: calls, `raise`, `del`,
    updates such as `a += b`, and assignments to an attribute or an element.
    """

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        """The place of the statement, if `node` is one that can be deleted."""
        if node.type == "simple_stmt" and self._deletable(node.children[0]):
            yield (node.children[0].start_pos, node.children[0].end_pos)

    @staticmethod
    def _deletable(statement: Any) -> bool:
        if statement.type in ("raise_stmt", "del_stmt"):
            return True
        if statement.type == "atom_expr":  # a call for its effect
            return bool(statement.children[-1].get_code().startswith("("))
        if statement.type != "expr_stmt":
            return False
        target, operator = statement.children[:2]
        augmented = operator.type == "operator" and operator.value not in ("=", ":")
        return augmented or (target.type == "atom_expr" and operator.type == "operator")

    def mutate(self, node: Any, index: int) -> Any:
        """Put `pass` in the statement's place."""
        statement = node.children[0]
        prefix = statement.get_first_leaf().prefix
        node.children[0] = Name("pass", statement.start_pos, prefix)
        return node

    @classmethod
    def examples(cls) -> tuple[()]:
        """No examples: tests/mutants/test_mutants.py has them."""
        return ()


class DropCopy(Operator):  # type: ignore[misc]
    """Replace `x.copy()` by `x`."""

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        """The place of `.copy()`, if `node` ends in it."""
        if node.type == "atom_expr" and len(node.children) > 2:
            last = "".join(child.get_code() for child in node.children[-2:])
            if last == ".copy()":
                yield (node.children[-2].start_pos, node.children[-1].end_pos)

    def mutate(self, node: Any, index: int) -> Any:
        """Leave the call out."""
        del node.children[-2:]
        return node

    @classmethod
    def examples(cls) -> tuple[()]:
        """No examples: tests/mutants/test_mutants.py has them."""
        return ()


class SwapFunction(Operator):  # type: ignore[misc]
    """Call the opposite function: `min` for `max`, `any` for `all`."""

    PAIRS = (("min", "max"), ("any", "all"), ("minimum", "maximum"), ("argmin", "argmax"))
    OPPOSITE: ClassVar = {**dict(PAIRS), **{after: before for before, after in PAIRS}}

    def mutation_positions(self, node: Any) -> Iterator[Span]:
        """The place of the name, if `node` is one that is called."""
        if node.type == "name" and node.value in self.OPPOSITE:
            following = node.get_next_leaf()
            if following is not None and following.value == "(":
                yield (node.start_pos, node.end_pos)

    def mutate(self, node: Any, index: int) -> Any:
        """Put the opposite name in its place."""
        node.value = self.OPPOSITE[node.value]
        return node

    @classmethod
    def examples(cls) -> tuple[()]:
        """No examples: tests/mutants/test_mutants.py has them."""
        return ()


def operators() -> dict[str, Operator]:
    """All operators by name, in a fixed order."""
    found: dict[str, Operator] = {name: get_operator(f"core/{name}")() for name in _CHOSEN}
    for own in (DeleteStatement, DropCopy, SwapFunction):
        found[own.__name__] = own()
    return found
