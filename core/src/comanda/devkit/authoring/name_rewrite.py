"""Rewriting of a plugin for ``comanda plugins check --fix``: moved names, and imports of what packages export."""

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from comanda.devkit.authoring.imports import DOTTED, is_module
from comanda.devkit.authoring.moved_names import MOVED_MODULES, MOVED_NAMES, REDESIGNED, find_moved
from comanda.devkit.authoring.public import find_export
from comanda.devkit.authoring.source import PluginSource

# Texts that may be annotations, or names that are looked up, such as those of `__all__`.
CODE_TEXT: Final = re.compile(r"[\w.\[\], |]+")


def rewrite_moved_names(source: PluginSource) -> list[Path]:
    """Rewrite the package, the tests and the manifest, and return the files that changed.

    Names that were redesigned stay as they are, and so does the import of a module of which one is used.
    """
    changed = []
    for module in (*source.modules, *source.test_modules):
        old = module.path.read_bytes()
        if (new := _FileFix(module.tree, old).rewrite()) != old:
            module.path.write_bytes(new)
            changed.append(module.path)
    text = source.manifest.read_text(encoding="utf-8")
    if (fixed := DOTTED.sub(lambda found: MOVED_MODULES.get(found[0], found[0]), text)) != text:
        source.manifest.write_text(fixed, encoding="utf-8")
        changed.append(source.manifest)
    return changed


class _FileFix:
    """The changes of one file, as texts by where in the file, in bytes, each of them starts and ends."""

    def __init__(self, tree: ast.Module, source: bytes) -> None:
        self.source = source
        self.nodes = list(ast.walk(tree))
        self.line_starts = [0, *itertools.accumulate(len(line) for line in source.splitlines(keepends=True))]
        self.edits: dict[tuple[int, int], str] = {}
        self.names = {node.id for node in self.nodes if isinstance(node, ast.Name)} | set(self._list_bound())

    def rewrite(self) -> bytes:
        """Return the new content of the file."""
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom) and node.level == 0 and (node.module or "").startswith("comanda"):
                self._rewrite_import_from(node)
            elif isinstance(node, ast.Import):
                self._rewrite_import(node)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and DOTTED.fullmatch(node.value):
                new = MOVED_MODULES.get(node.value) or MOVED_NAMES.get(node.value)
                if new and node.value not in REDESIGNED:
                    start, end = self._find_span(node)
                    text = self.source[start:end].decode()
                    self._edit(start, end, text.replace(node.value, new))
        result = self.source
        for (start, end), text in sorted(self.edits.items(), reverse=True):
            result = result[:start] + text.encode() + result[end:]
        return result

    def _rewrite_import_from(self, statement: ast.ImportFrom) -> None:
        lines: dict[str, list[str]] = {}
        is_changed = False
        for alias in statement.names:
            old = f"{statement.module}.{alias.name}"
            local = alias.asname or alias.name
            new = find_moved(statement.module or "", alias.name) or old
            new = find_export(new) or new
            if (new == old and not is_module(old)) or old in REDESIGNED or self._has_redesigned_uses(old, local):
                lines.setdefault(statement.module or "", []).append(_write_alias(alias.name, alias.asname))
                continue
            place, _, name = new.rpartition(".")
            new_local = self._choose_local(local, name) if alias.asname is None else local
            lines.setdefault(place, []).append(_write_alias(name, new_local))
            others = self._rewrite_attributes(old, new, local) if is_module(new) else {}
            for other, other_local in others.items():
                other_place, _, other_name = other.rpartition(".")
                lines.setdefault(other_place, []).append(_write_alias(other_name, other_local))
            self._rename(local, new_local)
            is_changed |= new != old or bool(others)
        if is_changed:
            separator = "\n" + " " * statement.col_offset
            text = separator.join(f"from {place} import {', '.join(names)}" for place, names in sorted(lines.items()))
            self._edit(*self._find_span(statement), text)

    def _rewrite_import(self, statement: ast.Import) -> None:
        """Rewrite ``import comanda.x`` with what is written after it in full, or ``import comanda.x as y``."""
        modules = []
        for alias in statement.names:
            new = MOVED_MODULES.get(alias.name)
            is_kept = new is None or self._has_redesigned_uses(alias.name, alias.asname or alias.name)
            modules.append(_write_alias(alias.name if is_kept or new is None else new, alias.asname))
            if new is None or is_kept:
                continue
            modules += self._rewrite_attributes(alias.name, new, alias.asname or alias.name, is_full=True)
            for node in self.nodes if alias.asname is None else ():
                if isinstance(node, ast.Attribute) and ast.unparse(node) == alias.name:
                    self._edit(*self._find_span(node), new)
        text = f"import {', '.join(dict.fromkeys(modules))}"
        if text.encode() != self.source[slice(*self._find_span(statement))]:
            self._edit(*self._find_span(statement), text)

    def _rewrite_attributes(self, old: str, new: str, local: str, *, is_full: bool = False) -> dict[str, str]:
        """Rewrite the attributes of a module, and return other modules in which some are now, with their names here."""
        others: dict[str, str] = {}
        for node in self._list_attributes(local):
            place, _, name = (find_moved(old, node.attr) or f"{new}.{node.attr}").rpartition(".")
            start, end = self._find_span(node)
            if place != new:
                if place not in others:
                    others[place] = place if is_full else self._choose_free(place.rpartition(".")[2])
                self._edit(start, end, f"{others[place]}.{name}")
            elif name != node.attr:
                self._edit(end - len(node.attr.encode()), end, name)
        return others

    def _list_attributes(self, local: str) -> Iterator[ast.Attribute]:
        for node in self.nodes:
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == local:
                yield node

    def _has_redesigned_uses(self, module: str, local: str) -> bool:
        return any(f"{module}.{node.attr}" in REDESIGNED for node in self._list_attributes(local))

    def _choose_local(self, local: str, name: str) -> str:
        """Return the name in this file for what is called ``name`` now, which may have to stay ``local``."""
        if name in self.names or local in self._list_bound(of_imports=False):
            return local
        self.names.add(name)
        return name

    def _choose_free(self, name: str) -> str:
        while name in self.names:
            name = f"comanda_{name}"
        self.names.add(name)
        return name

    def _rename(self, local: str, new_local: str) -> None:
        for node in self.nodes if new_local != local else ():
            if isinstance(node, ast.Name) and node.id == local:
                self._edit(*self._find_span(node), new_local)

    def _list_bound(self, *, of_imports: bool = True) -> Iterator[str]:
        """Yield the names that are bound in the file, and those that its texts may mean."""
        for node in self.nodes:
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                yield node.id
            elif isinstance(node, ast.arg):
                yield node.arg
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield node.name
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE_TEXT.fullmatch(node.value):
                yield from re.findall(r"\w+", node.value)
            elif isinstance(node, ast.alias) and of_imports:
                yield node.asname or node.name

    def _find_span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        end_line, end_column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self.line_starts[node.lineno - 1] + node.col_offset, self.line_starts[end_line - 1] + end_column

    def _edit(self, start: int, end: int, text: str) -> None:
        """Note a change, unless a larger part of the file changes."""
        if not any(first <= start and end <= last for first, last in self.edits):
            self.edits[start, end] = text


def _write_alias(name: str, local: str | None) -> str:
    return name if local in {None, name} else f"{name} as {local}"
