"""Selection of the tests that a change can break: ``python tests/support/changed_tests.py [REVISION]`` lists them.

Selected are the changed test files, those that import something that a changed module reaches, the folder that
mirrors a changed module's, and the contract that every part has to meet.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
ROOMS = ("plugins", "verticals", "mcp_servers")
SOURCE = re.compile(rf"(?:core|(?:{'|'.join(ROOMS)})/\w+)/src/")


def list_changed_files(revision):
    """Return the files that differ from a revision, new ones included, relative to the root."""
    commands = (["diff", "--name-only", revision], ["ls-files", "--others", "--exclude-standard"])
    outputs = [
        subprocess.run(["git", *each], cwd=ROOT, check=True, capture_output=True, text=True) for each in commands
    ]
    return sorted({line for output in outputs for line in output.stdout.splitlines()})


def name_module(path):
    """Return the name of the module in a source file, or None if the file is none."""
    inner = SOURCE.sub("", path)
    return (
        None if inner == path or not path.endswith(".py") else re.sub(r"(/__init__)?\.py$", "", inner).replace("/", ".")
    )


def find_mirror(path):
    """Return the folder of tests of a plugin, or of a room of core, that a source file is in; None for other files."""
    match = SOURCE.match(path)
    if match is None:
        return None
    home = TESTS / match[0].removesuffix("/src/")
    room = home / Path(path).parts[3] if home.name == "core" else home
    return next(each for each in (room, home, TESTS) if each.is_dir())


def list_imports(file):
    """Return the names of the modules that a file imports, and of what it imports from them."""
    names = set()
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def find_affected_modules(modules):
    """Return the modules and all that import them, directly or not."""
    packages = {"comanda", *(path.name for room in ROOMS for path in ROOT.glob(f"{room}/*/src/comanda_*"))}
    graph = grimp.build_graph(*sorted(packages), cache_dir=str(ROOT / ".import_linter_cache"))
    known = [name for name in modules if name in graph.modules]
    return set(modules).union(*(graph.find_downstream_modules(name) for name in known))


def select_tests(changed):
    """Return the test files and folders for changed files."""
    modules = {name for path in changed if (name := name_module(path))}
    # Support modules are imported by their bare names.
    affected = find_affected_modules(modules) if modules else set()
    affected |= {Path(path).stem for path in changed if path.startswith("tests/support/")}
    selected = {mirror for path in changed if (mirror := find_mirror(path))}
    for path in changed:
        file = ROOT / path
        if path.startswith("tests/") and file.exists():
            selected |= {"test": {file}, "conftest.py": {file.parent}}.get(file.name.partition("_")[0], set())
    if affected:
        selected |= {file for file in TESTS.rglob("test_*.py") if affected & list_imports(file)}
    if any(SOURCE.match(path) or path.startswith("migrations/") for path in changed):
        selected.add(TESTS / "contract")
    if any(path.startswith("migrations/") for path in changed):
        selected.add(TESTS / "migrations")
    return sorted(each for each in selected if not any(parent in selected for parent in each.parents))


if __name__ == "__main__":
    for each in select_tests(list_changed_files(sys.argv[1] if len(sys.argv) > 1 else "HEAD")):
        sys.stdout.write(f"{each.relative_to(ROOT)}\n")
