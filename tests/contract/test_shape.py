"""Modules of plugins are named after their roles, and most modules have their tests at the mirrored path."""

import ast
import re
from pathlib import Path

from comanda.devkit.authoring.shape import check_shape
from comanda.devkit.authoring.source import read_source
from sweep import sweep

ROOT = Path(__file__).parents[2]
GROUPS = ("plugins", "verticals", "mcp_servers")
MIN_MIRRORED_PERCENT = 60
STATEMENT = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\s")
MANIFEST = """
[project]
name = "comanda-errands"

[project.entry-points."comanda.plugins"]
errands = "comanda_errands.plugin"
"""


def list_members():
    return [path.parent for group in GROUPS for path in sorted(ROOT.glob(f"{group}/*/pyproject.toml"))]


def list_packages():
    """Yield the source folder of each package and the folder of its tests."""
    yield ROOT / "core/src/comanda", ROOT / "tests/core"
    for member in list_members():
        for path in (member / "src").glob("comanda_*/__init__.py"):
            yield path.parent, ROOT / "tests" / member.relative_to(ROOT)


def list_mirrors():
    """Yield each source module and the path of its tests."""
    for source, tests in list_packages():
        for path in sorted(source.rglob("*.py")):
            if path.stem != "__init__":
                yield path, tests / path.relative_to(source).with_name(f"test_{path.name}")


def test_plugins_contain_modules_with_roles_only():
    with sweep(at_least=35) as checks:
        for folder in [*list_members(), *(ROOT / "examples" / name for name in ("florist", "cardpay", "rental"))]:
            with checks.check(folder.name):
                source = read_source(folder)

                assert source.root.is_dir()
                assert [finding.sentence for finding in check_shape(source)] == []


def test_pages_hold_no_statements():
    with sweep(at_least=150) as checks:
        for source, _ in list_packages():
            for path in source.glob("pages/**/*.py"):
                with checks.check(str(path.relative_to(ROOT))):
                    texts = [node.value for node in ast.walk(ast.parse(path.read_text())) if _is_text(node)]
                    assert [text for text in texts if STATEMENT.match(text)] == []


def _is_text(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_a_module_without_a_role_is_found(tmp_path):
    package = tmp_path / "src/comanda_errands"
    package.mkdir(parents=True)
    (package / "whispers.py").touch()
    (tmp_path / "pyproject.toml").write_text(MANIFEST)

    (finding,) = check_shape(read_source(tmp_path))

    assert finding.sentence.startswith("whispers.py is not named after one of the roles")


def test_60_percent_of_modules_have_a_test_file_at_the_mirrored_path():
    mirrors = list(list_mirrors())
    missing = [str(path.relative_to(ROOT)) for path, test in mirrors if not test.is_file()]

    assert 100 * (len(mirrors) - len(missing)) >= MIN_MIRRORED_PERCENT * len(mirrors), missing
