"""The reference of the public packages, a chapter of the guide made from their signatures and docstrings."""

import ast
import inspect
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from comanda.devkit.authoring.public import CORE, list_packages

INTRODUCTION: Final = """\
Every public package, with the names that plugins may import from it, and the names of the modules among them. It is
generated from signatures and docstrings; the chapter "Writing plugins" explains how the parts work together.
"""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def build_reference() -> str:
    """Return the reference as Markdown."""
    return "\n".join([INTRODUCTION, *(_describe_package(name) for name in list_packages())])


def _describe_package(package: str) -> str:
    lines = [f"## {package}", _get_docstring(_parse(package)), ""]
    for name, home in list_packages()[package].items():
        if _find_source(home).is_file():
            lines += [f"### {name}", _get_docstring(_parse(home)), ""]
            for inner, node in _list_names(_parse(home)):
                lines += _describe(f"{name}.{inner}", node)
        else:
            place, _, defined = home.rpartition(".")
            lines += _describe(name, dict(_list_names(_parse(place)))[defined])
    return "\n".join(lines)


def _find_source(dotted: str) -> Path:
    place = CORE.parent.joinpath(*dotted.split("."))
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


# What a stub lists of one module stands together.
@lru_cache(maxsize=1)
def _parse(dotted: str) -> ast.Module:
    return ast.parse(_find_source(dotted).read_text(encoding="utf-8"))


def _list_names(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the public names of a module, and what defines them."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef | Function):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
        else:
            continue
        yield from ((name, node) for name in names if _is_public(name))


def _describe(name: str, node: ast.stmt) -> list[str]:
    if isinstance(node, ast.ClassDef):
        code = _format_class(node)
    elif isinstance(node, Function):
        code = _format_signature(node)
    else:
        # Values are left out: long statements and tables say nothing to somebody who imports the name.
        code = f"{name}: {ast.unparse(node.annotation)}" if isinstance(node, ast.AnnAssign) else name
    # Not marked as Python, which would be formatted otherwise than it is generated.
    described = _get_docstring(node) if isinstance(node, ast.ClassDef | Function) else None
    return [f"### {name}", f"```text\n{code}\n```", *([] if described is None else [described]), ""]


def _format_class(node: ast.ClassDef) -> str:
    bases = ", ".join(ast.unparse(each) for each in (*node.bases, *(keyword.value for keyword in node.keywords)))
    lines = [f"class {node.name}({bases}):" if bases else f"class {node.name}:"]
    for member in node.body:
        if isinstance(member, ast.AnnAssign) and _is_public(ast.unparse(member.target)):
            lines.append(f"    {ast.unparse(member)}")
        elif isinstance(member, Function) and (_is_public(member.name) or member.name in {"__init__", "__call__"}):
            lines += [f"    @{ast.unparse(each)}" for each in member.decorator_list]
            lines.append(f"    {_format_signature(member)}")
    return "\n".join(lines)


def _format_signature(node: Function) -> str:
    prefix = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{prefix} {node.name}({ast.unparse(node.args)}){returns}"


def _get_docstring(node: ast.Module | ast.ClassDef | Function) -> str:
    return inspect.cleandoc(ast.get_docstring(node) or "").replace("``", "`")


def _is_public(name: str) -> bool:
    return not name.startswith("_")
