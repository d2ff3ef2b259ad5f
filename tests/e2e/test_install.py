"""Comanda from its wheels, as on a server: built by make, installed in an empty environment, and used there.

Nothing of this repository but the wheels comes into that environment, and everything else from the package registry.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from urllib.request import urlopen

import pytest
from comanda.devkit.testing import MAX_WAIT_SECONDS, Installation, create_data_folder

ROOT = Path(__file__).parents[2]
SOURCES = ("core", "migrations", "verticals", "plugins", "mcp_servers")
FILES = ("comanda_metadata.py", "Makefile", "README.md", "pyproject.toml", "uv.lock")
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "main")
# The one that runs the tests starts in all the others.
OTHER_PYTHONS = [f"3.{minor}" for minor in range(11, 16) if minor != sys.version_info.minor]
NETWORK = "The package registry must be reachable (PIP_INDEX_URL names another than PyPI)"


def uv():
    found = next((path for path in (ROOT / ".uv" / "bin" / "uv",) if path.exists()), None) or shutil.which("uv")
    assert found, "uv is needed to build wheels: `make sync` fetches it into .uv/, or install it on the PATH."
    return str(found)


def find_python(version):
    """Return an interpreter of a version that runs: what version managers put on the path may not."""
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    managed = subprocess.run(
        [uv(), "python", "find", "--no-project", "--managed-python", version],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    for found in (shutil.which(f"python{version}"), managed, *pyenv.glob(f"versions/{version}.*/bin/python{version}")):
        if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
            return found
    return None


def run(*command, environment=os.environ, **options):
    # What is imported is compiled then, and kept; most of what is installed never is.
    environment = {**environment, "PIP_NO_COMPILE": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    finished = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=2 * MAX_WAIT_SECONDS, **options
    )
    assert finished.returncode == 0, f"{NETWORK}: {command}\n{finished.stdout}{finished.stderr}"
    return finished.stdout


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    """What `make wheels` writes, from a copy: a build backend works in the folder that it builds."""
    copy = tmp_path_factory.mktemp("workspace")
    ignored = shutil.ignore_patterns("build", "dist", "*.egg-info", "__pycache__", ".*")
    for folder in SOURCES:
        shutil.copytree(ROOT / folder, copy / folder, ignore=ignored)
    for file in FILES:
        shutil.copy(ROOT / file, copy / file)
    told = run("make", "wheels", f"UV={uv()}", f"PYTHON={sys.executable}", cwd=copy)
    assert "Next: pip install --find-links dist -c dist/constraints.txt comanda" in told
    return copy / "dist"


@pytest.fixture(scope="module")
def bin_folder(wheels, tmp_path_factory):
    """The programs of an environment in which the printed command was run."""
    folder = tmp_path_factory.mktemp("server") / "venv"
    run(uv(), "venv", "--quiet", "--seed", "--python", sys.executable, folder)
    pip = [folder / "bin" / "pip", "--quiet", "--disable-pip-version-check"]
    run(*pip, "install", "--find-links", wheels, "-c", wheels / "constraints.txt", "comanda")
    run(*pip, "check")
    return folder / "bin"


def ok(finished):
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


def test_installed_wheels_serve_with_the_locked_versions(bin_folder, new_database, tmp_path):
    variables = {"DATABASE_URL": new_database("comanda_install")}
    installation = Installation(tmp_path / "data", variables, bin_folder / "comanda", is_forked=True)

    listed = {plugin["name"] for plugin in json.loads(run(bin_folder / "comanda", "plugins", "--json"))}
    expected = {
        path.parent.name for group in ("plugins", "verticals") for path in ROOT.glob(f"{group}/*/pyproject.toml")
    }
    assert expected <= listed
    ok(installation.run("migrate"))
    ok(installation.run("owner", "create", "ana@example.com", "--name", "Ana"))
    ok(installation.run("doctor"))
    with installation.running("serve") as server, urlopen(f"{server.url}/readyz") as answer:
        assert answer.status == 200
    locked = version("asyncpg")
    shown = run(bin_folder / "python", "-c", "import importlib.metadata as m; print(m.version('asyncpg'))")
    assert shown.strip() == locked


def test_files_for_servers_are_where_the_documentation_finds_them(bin_folder):
    code = re.search(r'^ +FILES=.+ -c "(.+)"\)$', (ROOT / "docs" / "install.md").read_text(), re.MULTILINE)[1]
    found = Path(run(bin_folder / "python", "-c", code, cwd=bin_folder).strip())
    ours = ROOT / "core/src/comanda/operations/install"

    assert found.is_relative_to(bin_folder.parent)
    assert (ours / "systemd" / "comanda-web.service").is_file()
    assert list_files(found) == list_files(ours)


def list_files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_bill_of_materials_names_the_locked_libraries(wheels):
    bill = json.loads((wheels / "sbom.cdx.json").read_text())

    assert bill["bomFormat"] == "CycloneDX"
    assert ("asyncpg", version("asyncpg")) in {(each["name"], each["version"]) for each in bill["components"]}


def test_constraints_have_one_version_of_each_library(wheels):
    lines = (wheels / "constraints.txt").read_text().splitlines()
    names = [line.partition("==")[0].replace("_", "-") for line in lines]

    assert {"quart", "comanda-core"} <= set(names)
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("version", OTHER_PYTHONS)
def test_comanda_starts_under_every_python(wheels, tmp_path, version):
    python = find_python(version)
    if python is None:
        pytest.skip(f"Python {version} is not installed")
    programs = tmp_path / "venv" / "bin"
    run(uv(), "venv", "--quiet", "--python", python, programs.parent)
    source = ("--find-links", wheels, "-c", wheels / "constraints.txt")
    run(uv(), "pip", "install", "--quiet", "--python", programs / "python", *source, "comanda[embedded]")
    data = create_data_folder()
    try:
        with Installation(data / "data", {}, programs / "comanda").running("run") as server:
            with urlopen(f"{server.url}/readyz") as answer:
                assert answer.status == 200
            with urlopen(f"{server.url}/s/trattoria-da-alba") as page:
                assert "Trattoria da Alba" in page.read().decode()
            assert server.stop(signal.SIGINT) == 0
            printed = server.printed()
            assert "Traceback" not in printed, printed[max(0, printed.index("Traceback") - 2000) :][:6000]
            assert "Warning" not in printed
    finally:
        shutil.rmtree(data)
    assert run(programs / "python", "-V").startswith(f"Python {version}.")


# The check of a plugin builds its wheel with uv, and where there is none, with what the plugin installs.
@pytest.mark.parametrize(("kind", "builder"), [("vertical", uv), ("feature", None), ("mcp", uv)])
def test_the_commands_that_a_new_plugin_prints_work_as_printed(bin_folder, postgres, tmp_path, kind, builder):
    hidden = {name for name in os.environ if name.startswith(("PYTEST_", "COMANDA_", "VIRTUAL_ENV"))} | {"UV"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {
        "TEST_DATABASE_URL": postgres,
        "PYTEST_XDIST_WORKER": f"printed_{kind}_{WORKER}",
        "PATH": "/usr/bin:/bin",
        **({"UV": builder()} if builder else {}),
    }

    told = run(
        bin_folder / "comanda", "plugins", "new", f"bakery_{kind}", f"--{kind}", cwd=tmp_path, environment=environment
    )
    printed = re.findall(r"^  (.+)$", told, re.MULTILINE)
    assert len(printed) == 4
    assert "Its tests need" not in told
    done = run("sh", "-e", "-c", "\n".join(printed), cwd=tmp_path, environment=environment)

    assert " passed" in done
    assert "no errors, no warnings." in done
