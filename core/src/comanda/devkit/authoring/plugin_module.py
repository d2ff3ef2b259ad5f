"""Rules for plugin.py: only hook implementations, each with a docstring."""

import ast
import difflib
import inspect
from collections.abc import Iterator
from pathlib import Path

from comanda import hookspecs
from comanda.devkit.authoring.findings import Finding

HOOKS = frozenset(name for name, _ in inspect.getmembers(hookspecs, inspect.isfunction) if name.startswith("register_"))
# Allowed beside hooks: imports and constants.
ALLOWED_STATEMENTS = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)


def check_plugin_module(path: Path) -> Iterator[Finding]:
    """Check the plugin module; syntax errors are reported elsewhere."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    where = str(path)
    if ast.get_docstring(tree) is None:
        yield Finding(where, 1, "module-docstring", "The module has no docstring.")
    statements = [one for one in tree.body if not isinstance(one, ALLOWED_STATEMENTS) and not _is_text(one)]
    for statement in statements:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _check_function(where, statement)
        else:
            what = f"The class {statement.name}" if isinstance(statement, ast.ClassDef) else "A statement"
            yield Finding(where, statement.lineno, "hooks-only", f"{what} is not a hook implementation.")
    if not any(isinstance(one, ast.FunctionDef) and _is_marked(one) for one in statements):
        yield Finding(where, 1, "hooks-only", "The module implements no hook.")


def _check_function(where: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Finding]:
    name, line = function.name, function.lineno
    if not _is_marked(function):
        known = name in HOOKS
        sentence = f"{name} is never called." if known else f"{name} is not a hook."
        yield Finding(where, line, "hook-marked" if known else "hooks-only", sentence)
        return
    if name not in HOOKS:
        close = difflib.get_close_matches(name, HOOKS, 1)
        hint = f" Did you mean {close[0]}?" if close else f" The hooks are: {', '.join(sorted(HOOKS))}."
        yield Finding(where, line, "hook-exists", f"There is no hook {name}.{hint}")
    given = function.args
    if isinstance(function, ast.AsyncFunctionDef) or given.args or given.posonlyargs or given.kwonlyargs:
        yield Finding(where, line, "hook-plain", f"{name} is async or takes parameters.")


def _is_marked(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    targets = (one.func if isinstance(one, ast.Call) else one for one in function.decorator_list)
    return any(ast.unparse(target).rpartition(".")[2] == "hookimpl" for target in targets)


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
