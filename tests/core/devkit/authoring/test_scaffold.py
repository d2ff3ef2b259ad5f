"""What the scaffold writes: it installs, passes its tests, keeps the house's style and the contract."""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from comanda.devkit.authoring import names, scaffold
from comanda.devkit.authoring.checker import check_plugin
from comanda.devkit.authoring.scaffold import ScaffoldError, ScaffoldKind

ROOT = Path(__file__).parents[4]
RUFF = [sys.executable, "-m", "ruff"]


def run(*command, **options):
    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, **options)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


@pytest.fixture(scope="module")
def environment(written, uv, tmp_path_factory):
    """The Python of an environment that sees this one's packages, and has every written plugin installed."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    python = folder / "bin" / "python"
    packages = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    seen = f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n"
    Path(packages, "workspace.pth").write_text(seen)
    editable = [part for tree in written.values() for part in ("--editable", tree)]
    run(uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--python", python, *editable)
    return python


def test_new_plugins_install_and_pass_their_own_tests(environment, written, postgres):
    run_id = f"{os.environ.get('PYTEST_XDIST_WORKER', 'main')}_new"
    own = {"PYTEST_XDIST_WORKER": run_id, "PYTEST_XDIST_TESTRUNUID": run_id}
    variables = {**os.environ, "TEST_DATABASE_URL": postgres, **own}
    folder = written[ScaffoldKind.FEATURE].parent
    config = ["-c", written[ScaffoldKind.FEATURE] / "pyproject.toml", "--rootdir", folder]

    told = run(environment, "-m", "pytest", "-p", "no:cacheprovider", "-vv", *config, folder, cwd=folder, env=variables)

    for tree in written.values():
        assert re.search(rf"^{tree.name}/tests/\S+ PASSED", told, re.MULTILINE)
    assert "SKIPPED" not in told


@pytest.mark.parametrize("kind", ScaffoldKind)
def test_new_plugin_has_no_findings(written, postgres, monkeypatch, uv, kind):
    monkeypatch.setenv("UV", uv)
    before = sorted(written[kind].rglob("*"))

    assert check_plugin(written[kind], server=postgres) == []

    assert sorted(written[kind].rglob("*")) == before


@pytest.mark.parametrize("kind", ScaffoldKind)
@pytest.mark.parametrize("name", ["ab", "a_name_of_24_charactersx"])
def test_new_plugin_is_formatted_and_linted(tmp_path, kind, name):
    folder = scaffold.write_plugin(names.create_names(name, ()), kind, tmp_path)

    run(*RUFF, "check", "--no-cache", cwd=folder)
    run(*RUFF, "format", "--check", "--no-cache", cwd=folder)
    house = ["--config", ROOT / "pyproject.toml", "--config", f"src=['{folder}/src']"]
    run(*RUFF, "check", "--no-cache", "--ignore=N999", *house, cwd=folder)


def test_new_plugin_passes_strict_type_checker(written):
    sources = [tree / "src" for tree in written.values()]
    variables = {**os.environ, "MYPYPATH": os.pathsep.join(map(str, sources))}

    # With this house's settings, which say `strict` as the written ones do, and with its cache.
    run(sys.executable, "-m", "mypy", *sources, cwd=ROOT, env=variables)


def test_the_next_migration_starts_from_the_written_one(feature):
    variables = {**os.environ, "PYTHONPATH": str(feature.folder / "src")}
    package = "comanda_my_feature"
    command = [sys.executable, "-m", "comanda_migrations.generate"]
    command += ["my_feature", f"{package}.models", feature.package / "migrations", "more"]

    assert "Nothing changed" in run(*command, env=variables)
    feature.edit("models.py", "max_length=500", "max_length=600")
    made = run(*command, env=variables).strip()
    assert 'ALTER COLUMN "text" TYPE VARCHAR(600)' in Path(made).read_text()


def test_existing_folder_is_not_changed(tmp_path):
    (tmp_path / "flower-shop").mkdir()
    (tmp_path / "flower-shop" / "mine.txt").write_text("mine")

    with pytest.raises(ScaffoldError, match="flower-shop already exists"):
        scaffold.write_plugin(names.create_names("flower_shop", ()), ScaffoldKind.MCP, tmp_path)

    assert [path.name for path in tmp_path.rglob("*")] == ["flower-shop", "mine.txt"]


def test_failed_creation_leaves_nothing_behind(tmp_path, monkeypatch):
    def fails(*_):
        raise OSError(28, "No space left on device", "models.py")

    monkeypatch.setattr(scaffold, "_generate_models_state", fails)

    with pytest.raises(ScaffoldError, match=r"models\.py: No space left on device"):
        scaffold.write_plugin(names.create_names("flower_shop", ()), ScaffoldKind.FEATURE, tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_file_as_parent_folder_is_rejected(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(ScaffoldError, match="file: "):
        scaffold.write_plugin(names.create_names("flower_shop", ()), ScaffoldKind.MCP, tmp_path / "file")
