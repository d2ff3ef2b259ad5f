"""The source folder of a plugin: its manifest and its modules as syntax trees."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from comanda.composition.plugin_loader import GROUP
from comanda.devkit.authoring.findings import Finding

MANIFEST = "pyproject.toml"


class UnreadableSource(Exception):
    """The folder does not contain a plugin; ``finding`` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.sentence)
        self.finding = finding


@dataclass(frozen=True)
class SourceModule:
    """A Python file of the package or of the tests. ``steps`` is its path there: ``("routes", "notes")``."""

    path: Path
    tree: ast.Module
    steps: tuple[str, ...]

    @cached_property
    def nodes(self) -> Sequence[ast.AST]:
        """All nodes of the tree, outer ones first."""
        return list(ast.walk(self.tree))


@dataclass(frozen=True)
class PluginSource:
    """The source folder of a plugin. ``name`` and ``target`` are the two sides of its entry point."""

    folder: Path
    project: Mapping[str, Any]
    settings: Mapping[str, Any]
    manifest_lines: tuple[str, ...]
    name: str
    target: str

    @property
    def manifest(self) -> Path:
        return self.folder / MANIFEST

    @property
    def package(self) -> str:
        """The package of the entry point."""
        return self.target.partition(".")[0]

    @cached_property
    def import_root(self) -> Path:
        """The folder that contains the package."""
        roots = (self.folder / "src", self.folder)
        return next((root for root in roots if (root / self.package).is_dir()), roots[0])

    @property
    def root(self) -> Path:
        """The folder of the package."""
        return self.import_root / self.package

    @property
    def plugin_module(self) -> Path:
        """The file of the entry point."""
        return self.import_root.joinpath(*self.target.split(".")).with_suffix(".py")

    @property
    def is_of_the_workspace(self) -> bool:
        """Whether this is a plugin of the Comanda repository, which keeps tests and migrations elsewhere."""
        sources = self.settings.get("tool", {}).get("uv", {}).get("sources", {})
        return bool(sources.get("comanda-core", {}).get("workspace"))

    @cached_property
    def requirements(self) -> frozenset[str]:
        """The normalized names of the distributions that it depends on."""
        return frozenset(parse_requirement(line) for line in self.project.get("dependencies", []))

    def find_line(self, text: str) -> int:
        """Return the number of the first line of the manifest with a text, else 1."""
        return next((number for number, line in enumerate(self.manifest_lines, 1) if text in line), 1)

    @cached_property
    def _parsed(self) -> tuple[list[SourceModule], list[Finding]]:
        return _parse_modules(self.root)

    @property
    def modules(self) -> list[SourceModule]:
        """The Python files of the package, without those with syntax errors."""
        return self._parsed[0]

    @property
    def unreadable(self) -> list[Finding]:
        """Findings for files with syntax errors."""
        return self._parsed[1]

    @cached_property
    def test_modules(self) -> list[SourceModule]:
        """The Python files of the folder ``tests``, without those with syntax errors."""
        return _parse_modules(self.folder / "tests")[0]

    def files(self, *endings: str) -> Iterator[Path]:
        """Yield the files of the package with these suffixes."""
        for path in sorted(self.root.rglob("*")):
            if path.suffix in endings and path.is_file() and "__pycache__" not in path.parts:
                yield path


def _parse_modules(root: Path) -> tuple[list[SourceModule], list[Finding]]:
    """Return the Python files below a folder, and findings for those with syntax errors."""
    modules: list[SourceModule] = []
    problems: list[Finding] = []
    for path in sorted(root.rglob("*.py")):
        steps = path.relative_to(root).with_suffix("").parts
        try:
            tree = ast.parse(path.read_bytes(), path.name)
        except (SyntaxError, ValueError) as error:
            line = getattr(error, "lineno", None) or 1
            problems.append(Finding(str(path), line, "syntax", f"The file is not valid Python: {error}."))
            continue
        modules.append(SourceModule(path, tree, steps))
    return modules, problems


def parse_requirement(line: str) -> str:
    """Return the normalized name of the distribution in a requirement."""
    return normalize_name(re.split(r"[\s<>=!~;\[(@]", line.strip(), maxsplit=1)[0])


def normalize_name(name: str) -> str:
    """Return the name of a distribution as package indexes normalize it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_source(folder: Path) -> PluginSource:
    """Read the source folder of a plugin. Raises ``UnreadableSource`` if it has no usable manifest."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        raise UnreadableSource(Finding(str(manifest), 1, "manifest", f"{folder} has no pyproject.toml."))
    try:
        text = manifest.read_text(encoding="utf-8")
        settings = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UnreadableSource(
            Finding(str(manifest), 1, "manifest", f"The file is not valid TOML: {error}.")
        ) from error
    project = settings.get("project")
    if not isinstance(project, dict) or not isinstance(project.get("name"), str):
        raise UnreadableSource(Finding(str(manifest), 1, "manifest", "There is no [project] table with a name."))
    lines = tuple(text.splitlines())
    points = project.get("entry-points", {}).get(GROUP, {})
    if len(points) != 1:
        sentence = f'There are {len(points)} entry points in "{GROUP}"; a distribution must contain one plugin.'
        line = next((number for number, line in enumerate(lines, 1) if GROUP in line), 1)
        raise UnreadableSource(Finding(str(manifest), line, "entry-point", sentence))
    ((name, target),) = points.items()
    return PluginSource(folder, project, settings, lines, name, str(target).partition(":")[0])
