"""Every test asserts something, on every way through it.

A test without an assertion passes whatever the code does. So does one whose only assertions stand
under an ``if`` that may be false, or in a loop that may run no time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FILES = sorted(HERE.rglob("*.py"))

#: Calls that fail by themselves. `expect` is Playwright's.
ASSERTING = {"raises", "warns", "deprecated_call", "fail", "expect"}
#: Checks of Gymnasium, PettingZoo and OpenSpiel, which fail by themselves.
ASSERTING |= {"api_test", "parallel_api_test", "parallel_seed_test", "seed_test", "render_test"}
ASSERTING |= {"check_env", "random_sim_test", "max_cycles_test"}
#: A parameter: the doors of `bots/test_every_door.py`, each of which asserts.
ASSERTING |= {"door"}
#: Calls that return as many elements as their first argument has.
SAME_LENGTH = {
    "enumerate", "list", "map", "reversed", "sorted", "tuple", "zip", "pairwise", "product",
    "items", "keys", "values", "array", "combinations", "tolist", "astype", "states", "size",
}  # fmt: skip

#: What is never empty: seats, a batch's records, the mask of a position.
FILLED = {"seats", "games", "possible_agents", "agents", "pawns", "seat_choices", "mask"}
#: Calls whose result always has elements.
FILLING = {"range", "arange", "linspace", "views", "legal_moves", "legal_actions", "flatnonzero"}
#: Generators of the tests that yield at once.
FILLING |= {"play", "random_positions"}

Function = ast.FunctionDef | ast.AsyncFunctionDef
#: A function of the tests: its module's file and its name.
Named = tuple[Path, str]


class Module:
    """The functions of a file, and the functions of other test files that it imports.

    imported: local name -> the function, or the module if the name part is empty
    """

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        tree = ast.parse(text)
        self.functions = {n.name: n for n in tree.body if isinstance(n, Function)}
        self.imported: dict[str, Named] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.level or "tests" in str(node.module)):
                self.remember_import(node)

    def remember_import(self, node: ast.ImportFrom) -> None:
        parts = (node.module or "").split(".") if node.module else []
        folder = self.path.parent if node.level else HERE
        base = folder.joinpath(*(parts if node.level else parts[1:]))
        for alias in node.names:
            name = alias.asname or alias.name
            module = base / f"{alias.name}.py"
            self.imported[name] = (
                (module, "") if module.exists() else (base.with_suffix(".py"), alias.name)
            )

    def resolve(self, call: ast.Call) -> Named | None:
        """Which function of the tests is called, if any."""
        match call.func:
            case ast.Name(id=name) if name in self.functions:
                return self.path, name
            case ast.Name(id=name):
                return self.imported.get(name)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                path, inside = self.imported.get(name, (self.path, "?"))
                return None if inside else (path, attribute)
        return None


def called(call: ast.Call) -> str:
    """The last part of the called name: `raises` for ``pytest.raises(...)``."""
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


class Checker:
    """Decides whether the code of a module surely asserts.

    helpers: functions of the tests that assert whenever they are called
    """

    def __init__(self, module: Module, helpers: Iterable[Named] = ()) -> None:
        self.module = module
        self.helpers = set(helpers)
        self.filled: set[str] = set()
        self.unset: set[str] = set()
        self.nested: set[str] = set()

    def asserts(self, function: Function) -> bool:
        """Whether some assertion runs each time the function returns."""
        arguments = function.args
        self.filled = {a.arg for a in (*arguments.posonlyargs, *arguments.args)}
        return self.block(function.body)

    def block(self, body: Iterable[ast.stmt]) -> bool:
        for statement in body:
            self.remember(statement)
            if self.statement(statement):
                return True
        return False

    def remember(self, statement: ast.stmt) -> None:
        """Local names that are bound to something that surely has elements."""
        targets: list[ast.expr] = []
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets = [statement.target]
        else:
            return
        for target in targets:
            if isinstance(target, ast.Name) and statement.value is not None:
                value = statement.value
                change = self.filled.add if self.runs(value) else self.filled.discard
                change(target.id)
                unset = isinstance(value, ast.Constant) and not value.value
                (self.unset.add if unset else self.unset.discard)(target.id)

    def statement(self, node: ast.stmt) -> bool:
        match node:
            case ast.Assert():
                return not isinstance(node.test, ast.Constant)
            case ast.With() | ast.AsyncWith():
                return any(self.expression(i.context_expr) for i in node.items) or self.block(
                    node.body
                )
            case ast.For() | ast.AsyncFor():
                return self.expression(node.iter) or (
                    self.runs(node.iter) and self.block(node.body)
                )
            case ast.While():
                return self.expression(node.test) or (
                    self.holds_at_first(node.test) and self.block(node.body)
                )
            case ast.If():
                fails = any(isinstance(s, ast.Raise) or self.fails(s) for s in node.body)
                return fails or (self.block(node.body) and self.block(node.orelse))
            case ast.Match():
                return all(self.block(case.body) for case in node.cases)
            case ast.Try() | ast.TryStar():
                return self.block(node.body) or self.block(node.finalbody)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if Checker(self.module, self.helpers).asserts(node):
                    self.nested.add(node.name)
                return False
            case ast.ClassDef():
                return False
            case ast.Raise():
                return True
        return any(self.expression(child) for child in ast.iter_child_nodes(node))

    def expression(self, node: ast.AST) -> bool:
        """Whether an asserting function is called in it; a lambda is not called where it stands."""
        if isinstance(node, ast.Lambda):
            return False
        if isinstance(node, ast.Call) and self.call_asserts(node):
            return True
        return any(self.expression(child) for child in ast.iter_child_nodes(node))

    def call_asserts(self, call: ast.Call) -> bool:
        name = called(call)
        handed = {a.id for a in (call.func, *call.args) if isinstance(a, ast.Name)}
        return (
            bool(handed & self.nested)
            or name in ASSERTING
            or any(k.arg == "check" and self.runs(k.value) for k in call.keywords)
            or name.startswith("assert_")
            or self.module.resolve(call) in self.helpers
        )

    def fails(self, node: ast.stmt) -> bool:
        """Whether it is ``pytest.fail(...)``: under an ``if`` it asserts the opposite."""
        return (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and called(node.value) == "fail"
        )

    def holds_at_first(self, test: ast.expr) -> bool:
        """Whether a `while` surely begins: ``True``, ``count < 3`` from 0, a flag that is unset."""
        match test:
            case ast.Constant(value=value):
                return bool(value)
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt()], comparators=[limit]):
                return name in self.unset and self.runs(limit)
            case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)):
                return name in self.unset
            case ast.UnaryOp(op=ast.Not(), operand=ast.Attribute(attr="over")):
                return True  # a game begins unfinished
            case ast.Attribute(attr="agents"):
                return True  # an environment begins with all its agents
        return False

    def runs(self, node: ast.expr) -> bool:
        """Whether a loop over it surely runs: what it names, other than by a local name, does."""
        match node:
            case ast.Tuple() | ast.List() | ast.Set():
                return bool(node.elts)
            case ast.Dict():
                return bool(node.keys)
            case ast.Constant():
                return bool(node.value)
            case ast.Name():
                return node.id.isupper() or node.id in self.filled
            case ast.Attribute():
                return node.attr.isupper() or node.attr in FILLED
            case ast.ListComp() | ast.GeneratorExp():
                return all(self.runs(g.iter) and not g.ifs for g in node.generators)
            case ast.Subscript():
                return self.runs(node.value) and isinstance(node.slice, ast.Slice)
            case ast.BinOp():
                return self.runs(node.left) or self.runs(node.right)
            case ast.Starred():
                return self.runs(node.value)
            case ast.Call():
                return self.call_runs(node)
        return False

    def call_runs(self, call: ast.Call) -> bool:
        if called(call) in FILLING:
            return True
        if called(call) in SAME_LENGTH:
            owner = [call.func.value] if isinstance(call.func, ast.Attribute) else []
            return any(self.runs(part) for part in (*call.args, *owner))
        return False


def asserting_helpers(modules: Iterable[Module]) -> set[Named]:
    """The tests' own functions that surely assert, also by way of one another."""
    modules = list(modules)
    helpers: set[Named] = set()
    while True:
        found = {
            (module.path, function.name)
            for module in modules
            for function in module.functions.values()
            if Checker(module, helpers).asserts(function)
        }
        if found <= helpers:
            return helpers
        helpers |= found


def without_assertion(modules: Iterable[Module]) -> list[str]:
    """The tests that may pass without having asserted anything, as ``file:line name``."""
    modules = list(modules)
    helpers = asserting_helpers(modules)
    return [
        f"{module.path.relative_to(HERE)}:{function.lineno} {name}"
        for module in modules
        for name, function in module.functions.items()
        if name.startswith("test_") and (module.path, name) not in helpers
    ]


def test_every_test_asserts() -> None:
    modules = [Module(path, path.read_text(encoding="utf-8")) for path in FILES]
    assert sum(name.startswith("test_") for m in modules for name in m.functions) > 1000
    assert without_assertion(modules) == []


def test_what_is_opened_is_closed_by_a_with_statement() -> None:
    """Opened and closed by hand, a socket stays open where an assertion between them fails.

    Then the failure shows as a hanging test. `ExitStack` opens any number of them.
    """
    by_hand = [
        f"{path.relative_to(HERE)}:{node.lineno}"
        for path in FILES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and called(node) in ("__enter__", "__exit__")
    ]
    assert by_hand == []


def found_in(body: str) -> list[str]:
    """What is found of a test with such a body, its lines parted by ``|`` as by line ends."""
    lines = "\n".join(f"    {line}" for line in body.split("|"))
    helper = "def sure(x):\n    assert x\n\ndef maybe(x):\n    if x:\n        assert x\n\n"
    return without_assertion([Module(HERE / "made_up.py", f"{helper}def test_it(case):\n{lines}")])


@pytest.mark.parametrize(
    "body",
    [
        "assert f() == 1",
        "with pytest.raises(ValueError):|    f()",
        "pytest.fail('never')",
        "for x in (1, 2):|    assert x",
        "for x in range(3):|    assert x",
        "for x in case:|    assert x",
        "rows = [1, 2]|for i, x in enumerate(rows):|    assert x",
        "done = False|while not done:|    assert f()",
        "if case:|    assert 1 == f()|else:|    assert 2 == f()",
        "if f() != 1:|    raise ValueError",
        "sure(3)",
        "for x in f():|    pass|sure(x)",
        "def inside():|    assert f()|call(inside)",
        "try:|    f()|finally:|    assert g()",
        "subprocess.run(f(), check=True)",
        "expect(page.locator('a')).to_be_visible()",
        "np.testing.assert_allclose(f(), 1)",
    ],
)
def test_what_surely_asserts(body: str) -> None:
    assert found_in(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "f()",
        "f() == 1",
        "assert True",
        "if f():|    assert g()",
        "for x in f():|    assert x",
        "rows = []|for x in rows:|    assert x",
        "while f():|    assert g()",
        "done = True|while not done:|    assert f()",
        "if case:|    assert f()|else:|    g()",
        "maybe(3)",
        "def inside():|    assert f()",
        "call(lambda: sure(1))",
        "try:|    f()|except ValueError:|    assert g()",
        "subprocess.run(f(), check=False)",
    ],
)
def test_what_may_assert_nothing(body: str) -> None:
    assert [found.split(" ")[1] for found in found_in(body)] == ["test_it"]
