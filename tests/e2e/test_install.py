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
from comanda.devkit.testing import Installation, create_migrated_data_folder
from wheel_house import ROOT, WORKER, find_uv, run

# The one that runs the tests starts in all the others.
OTHER_PYTHONS = [f"3.{minor}" for minor in range(11, 16) if minor != sys.version_info.minor]


def find_python(version):
    """Return an interpreter of a version that runs: what version managers put on the path may not."""
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    managed = subprocess.run(
        [find_uv(), "python", "find", "--no-project", "--managed-python", version],
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    for found in (shutil.which(f"python{version}"), managed, *pyenv.glob(f"versions/{version}.*/bin/python{version}")):
        if found and subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
            return found
    return None


@pytest.fixture(scope="module")
def bin_folder(wheels, tmp_path_factory):
    """The programs of an environment in which the printed command was run.

    uv links the libraries that it finds to be needed, which takes pip much longer; our wheels are installed by pip.
    """
    folder = tmp_path_factory.mktemp("server") / "venv"
    run(find_uv(), "venv", "--quiet", "--seed", "--python", sys.executable, folder)
    source = ("--find-links", wheels, "-c", wheels / "constraints.txt")
    run(find_uv(), "pip", "install", "--quiet", "--python", folder / "bin" / "python", *source, "comanda")
    ours = {wheel.name.partition("-")[0] for wheel in wheels.glob("*.whl")}
    run(find_uv(), "pip", "uninstall", "--quiet", "--python", folder / "bin" / "python", *ours)
    pip = [folder / "bin" / "pip", "--quiet", "--disable-pip-version-check"]
    run(*pip, "install", *source, "comanda")
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
    # Operators ask for these: comanda[cluster], comanda[opentelemetry].
    assert expected - {"cluster", "opentelemetry"} == listed & expected
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
    run(find_uv(), "venv", "--quiet", "--python", python, programs.parent)
    source = ("--find-links", wheels, "-c", wheels / "constraints.txt")
    run(find_uv(), "pip", "install", "--quiet", "--python", programs / "python", *source, "comanda[embedded]")
    # Demo data is all that this start adds to the database.
    data = create_migrated_data_folder()
    try:
        with Installation(data, {}, programs / "comanda").running("run") as server:
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


# The check of a plugin builds its wheel with what the plugin installs, where there is no uv. The tests of the scaffold
# install, test and check a plugin of each kind.
def test_the_commands_that_a_new_plugin_prints_work_as_printed(bin_folder, postgres, tmp_path):
    hidden = {name for name in os.environ if name.startswith(("PYTEST_", "COMANDA_", "VIRTUAL_ENV"))} | {"UV"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {
        "TEST_DATABASE_URL": postgres,
        "PYTEST_XDIST_WORKER": f"printed_{WORKER}",
        "PATH": "/usr/bin:/bin",
    }

    told = run(bin_folder / "comanda", "plugins", "new", "bakery", "--feature", cwd=tmp_path, environment=environment)
    printed = re.findall(r"^  (.+)$", told, re.MULTILINE)
    assert len(printed) == 4
    assert "Its tests need" not in told
    done = run("sh", "-e", "-c", "\n".join(printed), cwd=tmp_path, environment=environment)

    assert " passed" in done
    assert "no errors, no warnings." in done
