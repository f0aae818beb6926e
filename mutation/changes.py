"""What changed since a revision: functions and statements whose text no file of the package held then."""

import ast
import subprocess
from collections.abc import Iterable
from pathlib import Path

from mutation.mutants import units


def commit_of(tree: Path, revision: str) -> str:
    """Return the commit that a revision names; the empty string if there is none."""
    return _git(tree, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")


def commit_before(tree: Path) -> str:
    """Return the commit that this one is to be compared with; the empty string if this clone holds none.

    On a branch it is where the branch left ``origin/main``; on main itself, or without a remote, the commit before. A
    shallow clone may hold neither.
    """
    left = _git(tree, "merge-base", "HEAD", "origin/main")
    return left if left not in ("", commit_of(tree, "HEAD")) else commit_of(tree, "HEAD^")


def changed(tree: Path, commit: str, files: Iterable[str]) -> dict[str, set[tuple[str, int]]]:
    """Return, for each file, the functions and the statements of the module that are new or different since a commit.

    One that only moved, to whatever file, or has another name of its own, is no change; neither is another name of a
    module from which it imports, an annotation or a docstring.
    """
    then = _git(tree, "ls-tree", "-r", "--name-only", commit, "dtmodel", "validation/support").splitlines()
    known: set[str] = set()
    for file in then:
        if file.endswith(".py"):
            known |= {text for _, _, text in _digests(_git(tree, "show", f"{commit}:{file}"))}
    return {
        file: {
            (name, place)
            for name, place, text in _digests((tree / file).read_text(encoding="utf-8"))
            if text not in known
        }
        for file in files
    }


def _digests(source: str) -> Iterable[tuple[str, int, str]]:
    module = ast.parse(source)
    imported = {
        alias.asname or alias.name
        for node in ast.walk(module)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    for name, place, node in units(module):
        yield name, place, ast.dump(_Bare(imported).visit(node))


class _Bare(ast.NodeTransformer):
    """Takes away what does not matter to a program: its own name, annotations, docstrings, where it imports from."""

    def __init__(self, imported: set[str]) -> None:
        self._imported = imported
        self._outermost = True

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Take away the name of the outermost function, and what it returns."""
        if self._outermost:
            node.name = ""
        self._outermost = False
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Take away the annotation."""
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Take away the annotation."""
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Write ``formulas.share`` as ``share`` if ``formulas`` is imported."""
        if isinstance(node.value, ast.Name) and node.value.id in self._imported:
            return ast.Name(node.attr, node.ctx)
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        """Take away a docstring."""
        return ast.Pass() if isinstance(node.value, ast.Constant) else self.generic_visit(node)


def _git(tree: Path, *arguments: str) -> str:
    """Return what git says; nothing where it fails."""
    done = subprocess.run(["git", "-C", str(tree), *arguments], capture_output=True, text=True, check=False)  # noqa: S607 - git is found on the path, as everywhere
    return done.stdout if arguments[0] == "show" else done.stdout.strip()
