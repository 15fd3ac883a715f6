"""The mutants of a module: where a fault can be planted, and the source with it planted."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import parso
from cosmic_ray.ast import get_ast
from cosmic_ray.mutating import MutationVisitor

from tests.mutants.operators import Span, operators

#: Decorators whose removal changes speed or types, never a result.
_NEUTRAL_DECORATORS = {
    *("kernel", "inner", "helper", "wrapping", "cache", "lru_cache"),
    *("override", "overload", "final", "wraps", "runtime_checkable"),
}

#: Nodes of the syntax tree that list the parameters of a function.
_HEADS = ("parameters", "lambdef")


@dataclass(frozen=True)
class Site:
    """A place where one operator can plant one fault."""

    module: str  # path from the root of the repository, with /
    operator: str
    occurrence: int  # the how-manieth place of this operator in the module, from 0
    line: int
    name: str  # what the draw knows it by: it does not change when other lines do


@dataclass(frozen=True)
class Mutant:
    """A site with what the fault looks like. Mutants with the same `key` are tried once."""

    site: Site
    where: str  # the function or class around it, "" for the module
    before: str  # the changed lines, stripped and joined
    after: str
    source: str  # the whole module with the fault

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What names the mutant in known.toml: it survives changes elsewhere in the module."""
        return (self.site.module, self.where, self.before, self.after)


def sites(root: Path, module: str) -> list[Site]:
    """Every place of a module where a fault may change what the program does."""
    text = (root / module).read_text(encoding="utf-8")
    lines = text.splitlines()
    skipped = list(_without_effect(text))
    found = []
    nodes = [*_nodes(get_ast(text))]
    for name, operator in operators().items():
        spans = [(node, span) for node in nodes for span in operator.mutation_positions(node)]
        alike: Counter[str] = Counter()
        for occurrence, (node, (start, stop)) in enumerate(spans):
            line = " ".join(lines[start[0] - 1].split())
            alike[line] += 1
            # The star that only parts a function's parameters is no multiplication.
            if node.type == "operator" and getattr(node.parent, "type", "") in _HEADS:
                continue
            if any(first <= start and stop <= last for first, last in skipped):
                continue
            drawn_by = f"{module} {name} {line} {alike[line]}"
            found.append(Site(module, name, occurrence, start[0], drawn_by))
    return found


def sample(root: Path, modules: list[str], size: int, seed: int) -> list[Mutant]:
    """A random sample of the mutants of some modules; the same for the same seed and source.

    Each site draws a number by its name and the seed, and the lowest are taken: a change of the
    source leaves the rest of the sample as it is, and a larger sample begins with a smaller one.
    """

    def lot(site: Site) -> bytes:
        return hashlib.sha256(f"{seed} {site.name}".encode()).digest()

    chosen: dict[tuple[str, str, str, str], Mutant] = {}
    for site in sorted((site for module in modules for site in sites(root, module)), key=lot):
        if len(chosen) == size:
            break
        mutant = plant(root, site)
        if mutant is not None:
            chosen.setdefault(mutant.key, mutant)
    return list(chosen.values())


def find(root: Path, module: str, keys: set[tuple[str, str, str, str]]) -> list[Mutant]:
    """The mutants of a module with these keys, each once."""
    text = (root / module).read_text(encoding="utf-8").splitlines()
    starts = {before.split(" / ")[0] for _, _, before, _ in keys}
    found: dict[tuple[str, str, str, str], Mutant] = {}
    for site in sites(root, module):
        # To plant a fault takes a while: only where the line looks like one of those sought.
        if _joined([text[site.line - 1]]) in starts:
            mutant = plant(root, site)
            if mutant is not None and mutant.key in keys:
                found.setdefault(mutant.key, mutant)
    return list(found.values())


def plant(root: Path, site: Site) -> Mutant | None:
    """The mutant of a site, or None if the result is no Python or the same program."""
    before = (root / site.module).read_text(encoding="utf-8")
    after = MutationVisitor.mutate_code(before, operators()[site.operator], site.occurrence)
    if after is None:
        return None
    try:
        tree = ast.parse(after)
    except SyntaxError:
        return None
    if ast.dump(tree) == ast.dump(ast.parse(before)):
        return None
    old, new, line = _changed(before, after)
    return Mutant(site, _place(before, site.line, line), old, new, after)


def _place(text: str, at: int, line: int) -> str:
    """The function around line `at`; with #2 if `line` repeats an earlier line of it, and so on.

    at, line: counted from 1; the fault, and the first line that it changes
    """
    name, first = _around(ast.parse(text), at)
    lines = [" ".join(each.split()) for each in text.splitlines()]
    nth = 1 + lines[first - 1 : line - 1].count(lines[line - 1])
    return name if nth == 1 else f"{name}#{nth}"


def _nodes(node: parso.tree.NodeOrLeaf) -> Iterator[parso.tree.NodeOrLeaf]:
    """All nodes in the order in which cosmic-ray's visitor counts them."""
    yield node
    for child in getattr(node, "children", ()):
        yield from _nodes(child)


def _changed(before: str, after: str) -> tuple[str, str, int]:
    """The lines that differ, before and after, each as one; and the number of the first of them."""
    old, new = before.splitlines(), after.splitlines()
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return _joined(old[start : len(old) - end]), _joined(new[start : len(new) - end]), start + 1


def _joined(lines: list[str]) -> str:
    """Lines as one; spaces within them and empty lines do not matter."""
    return " / ".join(" ".join(line.split()) for line in lines if line.strip())


def _around(tree: ast.Module, line: int) -> tuple[str, int]:
    """The dotted name of the innermost function or class that holds a line, and its first line."""
    names: list[str] = []
    start = 1
    scopes: list[ast.AST] = [tree]
    while scopes:
        scope = scopes.pop()
        for child in ast.iter_child_nodes(scope):
            first = getattr(child, "lineno", None)
            if first is None or not first <= line <= (getattr(child, "end_lineno", None) or first):
                continue
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.append(child.name)
                start = first
            scopes.append(child)
    return ".".join(names), start


def _without_effect(text: str) -> Iterator[Span]:
    """Places that do nothing when the program runs: annotations, imports for types, decorators."""
    lines = text.splitlines()

    def column(line: int, offset: int) -> int:
        return len(lines[line - 1].encode()[:offset].decode())

    def span(node: ast.expr | ast.stmt) -> Span:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return (
            (node.lineno, column(node.lineno, node.col_offset)),
            (node.end_lineno, column(node.end_lineno, node.end_col_offset)),
        )

    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield span(node.annotation)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield ((node.lineno, 0), span(node.body[-1])[1])
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                yield from _decorator(decorator, span(decorator))
            if not isinstance(node, ast.ClassDef) and node.returns is not None:
                yield span(node.returns)


def _decorator(decorator: ast.expr, span: Span) -> Iterator[Span]:
    """What of a decorator is not to be changed: all of it, or only its arguments."""
    called = isinstance(decorator, ast.Call)
    name = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
    (line, column), stop = span
    if name.rpartition(".")[2] in _NEUTRAL_DECORATORS:
        # The @ before it and the line break behind it belong to it.
        yield ((line, column - 1), (stop[0] + 1, 0))
    elif called:
        yield span
