"""Who imports whom: no circle in core, no plugin in core, and of another plugin only its ``api``."""

import ast
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

from sweep import sweep

ROOT = Path(__file__).parents[2]


def list_sources():
    groups = ("plugins", "verticals", "mcp_servers")
    return [ROOT / "core/src", *(path for group in groups for path in sorted(ROOT.glob(f"{group}/*/src")))]


@cache
def find_plugins():
    """Return the folders of plugins by the names of their packages."""
    return {folder.name: source.parent for source in list_sources()[1:] for folder in source.glob("comanda_*")}


def modules_of(source):
    """Return the modules of a source root by dotted name; templates of the scaffold are no modules."""
    files = (path for path in source.rglob("*.py") if "templates" not in path.parts)
    return {dotted(path.relative_to(source)): path for path in files}


def dotted(path):
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def find_modules():
    return {name: path for source in list_sources() for name, path in modules_of(source).items()}


@cache
def imports_of(path):
    """Return every module that a file imports, those for type checkers and those inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            inner = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in find_modules() else node.module for name in inner}
    return found


def circles(graph):
    """Return the sets of modules that import each other, directly or not, by Tarjan's algorithm."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in graph[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            members = []
            while not members or members[-1] != node:
                members.append(stack.pop())
            if len(members) > 1:
                found.append(sorted(members))

    for node in graph:
        if node not in index:
            visit(node)
    return found


def test_no_modules_import_each_other():
    assert (
        circles({name: imports_of(path) & find_modules().keys() - {name} for name, path in find_modules().items()})
        == []
    )


def test_the_circle_finder_finds_circles():
    assert circles({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["a"]}) == [["b", "c"]]


def test_core_imports_no_plugin():
    core = {name: imports_of(path) for name, path in find_modules().items() if name.partition(".")[0] == "comanda"}

    found = {
        name: [other for other in others if other.partition(".")[0] in find_plugins()] for name, others in core.items()
    }

    assert {name: others for name, others in found.items() if others} == {}


def test_plugins_import_only_apis_of_their_dependencies():
    with sweep(at_least=30) as checks:
        for package, folder in find_plugins().items():
            with checks.check(package):
                manifest = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
                needed = {line.replace("-", "_") for line in manifest["project"]["dependencies"]}

                others = {
                    target
                    for name, path in find_modules().items()
                    if name.partition(".")[0] == package
                    for target in imports_of(path)
                    if target.partition(".")[0] in find_plugins().keys() - {package}
                }

                assert {target for target in others if target not in {f"{other}.api" for other in needed}} == set()


def test_production_imports_no_extra():
    """A server with a database of its own needs neither the embedded PostgreSQL nor the author's kit."""
    program = """
import sys
import comanda.composition.app, comanda.cli.serving.serve
from comanda.cli.maintenance import backup, doctor, migrations, plugins
from comanda.composition import bootstrap
from comanda.platform.settings import Settings, read_settings
bootstrap.start_runtime(read_settings(Settings, database_url="postgresql://127.0.0.1/x"))
unwanted = ("comanda.operations.embedded", "comanda.devkit", "pytest", "pixeltable")
print([name for name in sys.modules if name.startswith(unwanted)])
"""

    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert found.stdout.strip() == "[]"
