"""The reference of the public modules, a chapter of the guide made from their signatures and docstrings."""

import ast
import inspect
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

from comanda.devkit.authoring.public import PUBLIC

TESTING: Final = "comanda.devkit.testing"
INTRODUCTION: Final = """\
Every public module, with the names that plugins may import. It is generated from signatures and docstrings; the
chapter "Writing plugins" explains how the parts work together. Names that begin with an underscore are private.
"""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def build_reference() -> str:
    """Return the reference as Markdown."""
    return "\n".join([INTRODUCTION, *(_describe_module(name) for name in list_public_modules())])


def list_public_modules() -> list[str]:
    """List the names of the public modules, those under ``comanda.devkit.testing`` too."""
    folder = _find_source(TESTING).parent
    return sorted({*PUBLIC, *(f"{TESTING}.{each.name}" for each in iter_modules([str(folder)]))})


def _describe_module(name: str) -> str:
    source = _find_source(name)
    tree = ast.parse(source.read_text(encoding="utf-8"))
    return "\n".join([f"## {name}", _get_docstring(tree), "", *_describe_names(tree)])


def _find_source(name: str) -> Path:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise LookupError(f"The public module {name} has no source.")
    return Path(spec.origin)


def _describe_names(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and _is_public(node.name):
            yield from _describe_class(node)
        elif isinstance(node, Function) and _is_public(node.name):
            yield from (f"### {node.name}", _format_code(_format_signature(node)), _get_docstring(node), "")
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            yield from _describe_constant(node)


def _describe_class(node: ast.ClassDef) -> Iterator[str]:
    bases = ", ".join(ast.unparse(each) for each in (*node.bases, *(keyword.value for keyword in node.keywords)))
    lines = [f"class {node.name}({bases}):" if bases else f"class {node.name}:"]
    for member in node.body:
        if isinstance(member, ast.AnnAssign) and _is_public(ast.unparse(member.target)):
            lines.append(f"    {ast.unparse(member)}")
        elif isinstance(member, Function) and (_is_public(member.name) or member.name in {"__init__", "__call__"}):
            lines += [f"    @{ast.unparse(each)}" for each in member.decorator_list]
            lines.append(f"    {_format_signature(member)}")
    yield from (f"### {node.name}", _format_code("\n".join(lines)), _get_docstring(node), "")


def _describe_constant(node: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        # Values are left out: long statements and tables say nothing to somebody who imports the name.
        if isinstance(target, ast.Name) and _is_public(target.id):
            kind = f": {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else ""
            yield from (f"### {target.id}", _format_code(f"{target.id}{kind}"), "")


def _format_signature(node: Function) -> str:
    prefix = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{prefix} {node.name}({ast.unparse(node.args)}){returns}"


def _format_code(code: str) -> str:
    # Not marked as Python, which would be formatted otherwise than it is generated.
    return f"```text\n{code}\n```"


def _get_docstring(node: ast.Module | ast.ClassDef | Function) -> str:
    return inspect.cleandoc(ast.get_docstring(node) or "").replace("``", "`")


def _is_public(name: str) -> bool:
    return not name.startswith("_")
